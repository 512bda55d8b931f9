package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Opcodes of 32 bits on vectors. A template: see {@link Specialized}. */
final class IntLoop implements Kernel {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorForm.Int FORM =
      requireNonNull(Specialized.constant(MethodHandles.lookup(), VectorForm.Int.class));

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
    if (exec == -1L) {
      for (int i = 0; i < Wave.LANES; i += INTS.length()) {
        FORM.apply(
                Lanes32.load(a, aOffset, i),
                Lanes32.load(b, bOffset, i),
                Lanes32.load(c, cOffset, i))
            .intoArray(d, dOffset + i);
      }
    } else {
      for (int i = 0; i < Wave.LANES; i += INTS.length()) {
        IntVector result =
            FORM.apply(
                Lanes32.load(a, aOffset, i),
                Lanes32.load(b, bOffset, i),
                Lanes32.load(c, cOffset, i));
        Lanes32.store(result, d, dOffset + i, VectorMask.fromLong(INTS, exec >>> i));
      }
    }
    return 0;
  }
}
