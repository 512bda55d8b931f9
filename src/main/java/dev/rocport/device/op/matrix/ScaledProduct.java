package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.op.matrix.ScaledMatrix.Scale;
import dev.rocport.device.op.vector.MicroFloat;
import dev.rocport.device.op.vector.OddSum;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/**
 * Products of floats of 8, 6 and 4 bits with their factors. Each product is exact, and its sum with
 * those before is rounded once, to single precision, in ascending order of the columns of A. What
 * hardware does within such a sum is not documented; it differs in the last bits. EXEC does not
 * matter. A NaN is always the same one.
 */
final class ScaledProduct extends Op {
  private static final int BIAS = 127;
  private static final int NAN = 0xff;

  private final ScaledMatrix matrix;
  private final Shape shape;

  ScaledProduct(Instruction instruction, ScaledMatrix matrix) {
    super(instruction);
    this.matrix = matrix;
    this.shape = new Shape(matrix.size(), matrix.size(), matrix.depth(), 1, 1);
  }

  @Override
  public void execute(Wave wave) {
    int size = matrix.size();
    double[] a = unpack(wave, matrix.a(), matrix.elementA(), matrix.scaleA());
    double[] b = unpack(wave, matrix.b(), matrix.elementB(), matrix.scaleB());
    Source c = matrix.c();
    int[] result = new int[shape.results() * Wave.LANES];
    for (int i = 0; i < size; i++) {
      int row = shape.row(0, i);
      for (int j = 0; j < size; j++) {
        int bits = c.isConstant() ? (int) c.constant() : c.of(wave)[c.first() + row + j];
        float sum = Float.intBitsToFloat(bits);
        for (int k = 0; k < matrix.depth(); k++) {
          sum = add(sum, a[i * matrix.depth() + k] * b[j * matrix.depth() + k]);
        }
        result[row + j] = Float.floatToIntBits(sum);
      }
    }
    Source d = matrix.d();
    System.arraycopy(result, 0, d.of(wave), d.first(), result.length);
  }

  /** Element k of row or column i, with its factor, at i * depth + k. */
  private double[] unpack(Wave wave, Source source, MicroFloat element, Optional<Scale> scale) {
    int depth = matrix.depth();
    int[] registers = source.of(wave);
    double[] values = new double[matrix.size() * depth];
    for (int i = 0; i < matrix.size(); i++) {
      for (int k = 0; k < depth; k++) {
        double value = element.value(matrix.code(registers, source.first(), element, i, k));
        if (scale.isPresent()) {
          int exponent = scale.get().of(wave, matrix.laneOfScale(i, k));
          value = exponent == NAN ? Double.NaN : Math.scalb(value, exponent - BIAS);
        }
        values[i * depth + k] = value;
      }
    }
    return values;
  }

  /** Adds, rounding once. */
  static float add(float sum, double product) {
    return (float) OddSum.of(sum, product);
  }
}
