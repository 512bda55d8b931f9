package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Comparisons of 32 bits on vectors. A template: see {@link Specialized}. */
final class IntTestLoop implements Kernel {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorForm.IntTest FORM =
      requireNonNull(Specialized.constant(MethodHandles.lookup(), VectorForm.IntTest.class));

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
    long result = 0;
    for (int i = 0; i < Wave.LANES; i += INTS.length()) {
      result |= FORM.test(Lanes32.load(a, aOffset, i), Lanes32.load(b, bOffset, i)).toLong() << i;
    }
    return result & exec;
  }
}
