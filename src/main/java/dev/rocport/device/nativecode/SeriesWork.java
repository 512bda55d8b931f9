package dev.rocport.device.nativecode;

import dev.rocport.device.op.vector.Series;
import java.util.Locale;

/** Functions of doubles, in the steps of {@code device.op.vector}. */
final class SeriesWork {
  private SeriesWork() {}

  /** A function on vectors of doubles. */
  interface Function {
    String of(Chunk c, String a);
  }

  static String reciprocal(Chunk c, String a) {
    return wide("fdiv", c, number(1), a);
  }

  static String root(Chunk c, String a) {
    return c.call(c.doubles, "sqrt", "f64", a);
  }

  static String reciprocalRoot(Chunk c, String a) {
    return reciprocal(c, root(c, a));
  }

  /**
   * a * 2^b, exact unless it is too small for any narrower float.
   *
   * @param b a vector of i32, of which nothing matters beyond {@code most} and its negative
   */
  static String scaled(Chunk c, String a, String b, int most) {
    String below = c.call(c.ints, "smin", "i32", b, LaneWork.n(most));
    String by = c.call(c.ints, "smax", "i32", below, LaneWork.n(-most));
    String biased = c.i32("add", by, LaneWork.n(1023));
    String power = c.i64("shl", c.convert("zext", c.ints, biased, c.longs), LaneWork.w(52));
    return wide("fmul", c, a, c.toDoubles(power));
  }

  private static String number(double value) {
    return "splat (double 0x%s)"
        .formatted(String.format(Locale.ROOT, "%016X", Double.doubleToRawLongBits(value)));
  }

  private static String wide(String op, Chunk c, String a, String b) {
    return c.ir.value("%s %s %s, %s", op, c.doubles, a, b);
  }

  private static String sum(Chunk c, double[] terms, String x) {
    String sum = number(terms[0]);
    for (int k = 1; k < terms.length; k++) {
      sum = c.call(c.doubles, "fma", "f64", sum, x, number(terms[k]));
    }
    return sum;
  }

  /** 2^a. */
  static String exp2(Chunk c, String a) {
    String x = clamped(c, "ogt", a, -1000);
    x = clamped(c, "olt", x, 1000);
    String shifted = wide("fadd", c, x, number(Series.TO_WHOLE));
    String whole = wide("fsub", c, shifted, number(Series.TO_WHOLE));
    String t = wide("fmul", c, wide("fsub", c, x, whole), number(Math.log(2)));
    String sum = sum(c, Series.exponential(), t);
    String power = c.i64("shl", c.toLongs(shifted), "splat (i64 52)");
    return c.toDoubles(c.i64("add", c.toLongs(sum), power));
  }

  private static String clamped(Chunk c, String how, String x, double limit) {
    String in = c.ir.value("fcmp %s %s %s, %s", how, c.doubles, x, number(limit));
    return c.select(in, c.doubles, x, number(limit));
  }

  /** The logarithm to base 2. */
  static String log2(Chunk c, String a) {
    String bits = c.toLongs(a);
    String root = "splat (i64 %d)".formatted(Series.ROOT_OF_HALF);
    String exponent = c.i64("ashr", c.i64("sub", bits, root), "splat (i64 52)");
    String up = c.i64("shl", exponent, "splat (i64 52)");
    String mantissa = c.toDoubles(c.i64("sub", bits, up));
    String z =
        wide("fdiv", c, wide("fsub", c, mantissa, number(1)), wide("fadd", c, mantissa, number(1)));
    String sum = sum(c, Series.logarithm(), wide("fmul", c, z, z));
    // A whole number becomes a double by way of the low bits of a larger one.
    long magic = Double.doubleToRawLongBits(Series.TO_WHOLE);
    String raised = c.toDoubles(c.i64("add", exponent, "splat (i64 %d)".formatted(magic)));
    String whole = wide("fsub", c, raised, number(Series.TO_WHOLE));
    String r = c.call(c.doubles, "fma", "f64", sum, z, whole);
    String infinite = wide("fcmp oeq", c, a, number(Double.POSITIVE_INFINITY));
    r = c.select(infinite, c.doubles, a, r);
    String zero = wide("fcmp oeq", c, a, "zeroinitializer");
    r = c.select(zero, c.doubles, number(Double.NEGATIVE_INFINITY), r);
    String negative = wide("fcmp olt", c, a, "zeroinitializer");
    return c.select(negative, c.doubles, number(Double.NaN), r);
  }

  /** The sine of turns. */
  static String sine(Chunk c, String turns) {
    String r = limited(c, turns, quarter(c, turns, 0), 0);
    String zero = wide("fcmp oeq", c, turns, "zeroinitializer");
    return c.select(zero, c.doubles, turns, r);
  }

  /** The cosine of turns. */
  static String cosine(Chunk c, String turns) {
    return limited(c, turns, quarter(c, turns, 1), 1);
  }

  /** The result of far-away arguments is a constant, of infinite ones a NaN. */
  private static String limited(Chunk c, String turns, String value, double far) {
    String size = c.call(c.doubles, "fabs", "f64", turns);
    String r = c.select(wide("fcmp ogt", c, size, number(256)), c.doubles, number(far), value);
    String infinite = wide("fcmp oeq", c, size, number(Double.POSITIVE_INFINITY));
    return c.select(infinite, c.doubles, number(Double.NaN), r);
  }

  private static String quarter(Chunk c, String turns, int advance) {
    String shifted = wide("fadd", c, wide("fmul", c, turns, number(4)), number(Series.TO_WHOLE));
    String quarters = wide("fsub", c, shifted, number(Series.TO_WHOLE));
    String rest = wide("fsub", c, turns, wide("fmul", c, quarters, number(0.25)));
    String angle = wide("fmul", c, rest, number(2 * Math.PI));
    String square = wide("fmul", c, angle, angle);
    String sine = wide("fmul", c, sum(c, Series.sine(), square), angle);
    String cosine = sum(c, Series.cosine(), square);
    String index = c.i64("add", c.toLongs(shifted), "splat (i64 %d)".formatted(advance));
    String odd = c.i64("icmp ne", c.i64("and", index, "splat (i64 1)"), "zeroinitializer");
    String value = c.select(odd, c.doubles, cosine, sine);
    String back = c.i64("icmp ne", c.i64("and", index, "splat (i64 2)"), "zeroinitializer");
    return c.select(back, c.doubles, wide("fsub", c, "zeroinitializer", value), value);
  }
}
