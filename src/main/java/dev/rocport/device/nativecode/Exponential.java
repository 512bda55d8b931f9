package dev.rocport.device.nativecode;

import java.util.Locale;

/**
 * 2^x of doubles by the steps of {@code device.op.vector.Wider}, so that results have the same
 * bits.
 */
final class Exponential {
  private static final int DEGREE = 13;

  private Exponential() {}

  private static String number(double value) {
    return "splat (double 0x%s)"
        .formatted(String.format(Locale.ROOT, "%016X", Double.doubleToRawLongBits(value)));
  }

  static String of(Chunk c, String a) {
    String x = clamped(c, "ogt", a, -1000);
    x = clamped(c, "olt", x, 1000);
    String toWhole = number(0x1.8p52);
    String shifted = c.ir.value("fadd %s %s, %s", c.doubles, x, toWhole);
    String whole = c.ir.value("fsub %s %s, %s", c.doubles, shifted, toWhole);
    String rest = c.ir.value("fsub %s %s, %s", c.doubles, x, whole);
    String t = c.ir.value("fmul %s %s, %s", c.doubles, rest, number(Math.log(2)));
    double[] terms = new double[DEGREE + 1];
    double factorial = 1;
    for (int k = 0; k <= DEGREE; k++) {
      factorial *= Math.max(1, k);
      terms[DEGREE - k] = 1 / factorial;
    }
    String sum = number(terms[0]);
    for (int k = 1; k <= DEGREE; k++) {
      sum = c.call(c.doubles, "fma", "f64", sum, t, number(terms[k]));
    }
    String power = c.i64("shl", c.toLongs(shifted), "splat (i64 52)");
    return c.toDoubles(c.i64("add", c.toLongs(sum), power));
  }

  private static String clamped(Chunk c, String how, String x, double limit) {
    String in = c.ir.value("fcmp %s %s %s, %s", how, c.doubles, x, number(limit));
    return c.select(in, c.doubles, x, number(limit));
  }
}
