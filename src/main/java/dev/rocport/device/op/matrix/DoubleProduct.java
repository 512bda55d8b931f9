package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * Products of doubles, summed by one fused multiply-add for each column of A, in order. A NaN is
 * always the same one.
 */
final class DoubleProduct extends Op {
  private final Layout layout;
  private final Operands operands;
  private final int negations;

  /**
   * Negates sources before it multiplies.
   *
   * @param negations bit 0: A; bit 1: B; bit 2: C
   */
  DoubleProduct(Instruction instruction, Layout layout, Operands operands, int negations) {
    super(instruction);
    this.layout = layout;
    this.operands = operands;
    this.negations = negations;
  }

  @Override
  public void execute(Wave wave) {
    Shape shape = layout.shape();
    double[] a = unpack(wave, operands.a(), 1, (negations & 1) != 0);
    double[] b = unpack(wave, operands.b(), 1, (negations & 2) != 0);
    double[] sums = unpack(wave, operands.c(), shape.results(), (negations & 4) != 0);
    for (int block = 0; block < shape.blocks(); block++) {
      for (int i = 0; i < shape.m(); i++) {
        int row = layout.rowD(block, i);
        for (int k = 0; k < shape.k(); k++) {
          int lane = layout.rowB(block, k);
          double factor = a[lane + i];
          for (int j = 0; j < shape.n(); j++) {
            sums[row + j] = Math.fma(factor, b[lane + j], sums[row + j]);
          }
        }
      }
    }
    int[] registers = operands.d().of(wave);
    for (int x = 0; x < sums.length; x++) {
      long bits = Double.doubleToLongBits(sums[x]);
      int at = operands.d().first() + x / Wave.LANES * 2 * Wave.LANES + x % Wave.LANES;
      registers[at] = (int) bits;
      registers[at + Wave.LANES] = (int) (bits >>> 32);
    }
  }

  private static double[] unpack(Wave wave, Source source, int pairs, boolean negated) {
    double[] values = new double[pairs * Wave.LANES];
    if (source.isConstant()) {
      Arrays.fill(values, Double.longBitsToDouble(source.constant()));
    } else {
      int[] registers = source.of(wave);
      for (int x = 0; x < values.length; x++) {
        int at = source.first() + x / Wave.LANES * 2 * Wave.LANES + x % Wave.LANES;
        values[x] =
            Double.longBitsToDouble(
                (registers[at] & 0xffffffffL) | (long) registers[at + Wave.LANES] << 32);
      }
    }
    if (negated) {
      for (int x = 0; x < values.length; x++) {
        values[x] = -values[x];
      }
    }
    return values;
  }
}
