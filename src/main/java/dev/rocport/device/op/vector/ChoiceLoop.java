package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Opcodes of 32 bits that take a mask, on vectors. A template: see {@link Specialized}. */
final class ChoiceLoop implements Kernel {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorForm.Choice FORM =
      requireNonNull(Specialized.constant(MethodHandles.lookup(), VectorForm.Choice.class));

  @Override
  public long run(
      int[] d,
      int dOffset,
      int @Nullable [] a,
      int aOffset,
      int @Nullable [] b,
      int bOffset,
      int @Nullable [] c,
      int cOffset,
      long mask,
      long exec) {
    for (int i = 0; i < Wave.LANES; i += INTS.length()) {
      IntVector chosen =
          FORM.apply(
              Lanes32.load(a, aOffset, i),
              Lanes32.load(b, bOffset, i),
              VectorMask.fromLong(INTS, mask >>> i));
      if (exec == -1L) {
        chosen.intoArray(d, dOffset + i);
      } else {
        Lanes32.store(chosen, d, dOffset + i, VectorMask.fromLong(INTS, exec >>> i));
      }
    }
    return 0;
  }
}
