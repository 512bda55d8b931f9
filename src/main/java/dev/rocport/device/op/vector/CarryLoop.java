package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Sums with carry on vectors. A template: see {@link Specialized}. */
final class CarryLoop implements Kernel {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorForm.Carry FORM =
      requireNonNull(Specialized.constant(MethodHandles.lookup(), VectorForm.Carry.class));

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
      IntVector x = Lanes32.load(a, aOffset, i);
      IntVector y = Lanes32.load(b, bOffset, i);
      IntVector in = IntVector.zero(INTS).blend(1, VectorMask.fromLong(INTS, mask >>> i));
      IntVector sum = FORM.sum().apply(x, y, in);
      result |= FORM.carry().test(x, y, in).toLong() << i;
      if (exec == -1L) {
        sum.intoArray(d, dOffset + i);
      } else {
        Lanes32.store(sum, d, dOffset + i, VectorMask.fromLong(INTS, exec >>> i));
      }
    }
    return result & exec;
  }
}
