package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** Sums with carry on vectors. A template: see {@link Specialized}. */
final class CarryLoop implements Kernel {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorForm.Carry FORM =
      requireNonNull(Specialized.constant(MethodHandles.lookup(), VectorForm.Carry.class));

  @Override
  public long run(
      int[] d,
      int dOffset,
      int[] a,
      int aOffset,
      int[] b,
      int bOffset,
      int[] c,
      int cOffset,
      long mask,
      long exec) {
    long result = 0;
    for (int i = 0; i < Wave.LANES; i += INTS.length()) {
      IntVector x = IntVector.fromArray(INTS, a, aOffset + i);
      IntVector y = IntVector.fromArray(INTS, b, bOffset + i);
      IntVector in = IntVector.zero(INTS).blend(1, VectorMask.fromLong(INTS, mask >>> i));
      IntVector sum = FORM.sum().apply(x, y, in);
      result |= FORM.carry().test(x, y, in).toLong() << i;
      sum.intoArray(d, dOffset + i, VectorMask.fromLong(INTS, exec >>> i));
    }
    return result & exec;
  }
}
