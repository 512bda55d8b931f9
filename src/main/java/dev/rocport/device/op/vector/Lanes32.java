package dev.rocport.device.op.vector;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Registers of 32 bits, as many lanes at once as the processor takes. */
final class Lanes32 {
  static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

  private Lanes32() {}

  /**
   * Lanes from {@code lane} on.
   *
   * @param rows null where {@code at} is the value of all lanes
   */
  static IntVector load(int @Nullable [] rows, int at, int lane) {
    return rows == null
        ? IntVector.broadcast(INTS, at)
        : IntVector.fromArray(INTS, rows, at + lane);
  }

  /**
   * Writes active lanes. The others get the value that they have: a store with a mask takes several
   * times as long on AMD processors with AVX2, which have no fast instruction for it.
   */
  static void store(IntVector value, int[] rows, int at, VectorMask<Integer> active) {
    store(INTS, value, rows, at, active);
  }

  /** The same for vectors of another length. */
  static void store(
      VectorSpecies<Integer> species,
      IntVector value,
      int[] rows,
      int at,
      VectorMask<Integer> active) {
    IntVector.fromArray(species, rows, at).blend(value, active).intoArray(rows, at);
  }
}
