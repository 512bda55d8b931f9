package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;
import static dev.rocport.device.nativecode.LaneWork.w;

/**
 * Floats of 32 and of 64 bits, for what both compute in the same steps. Values are the bits:
 * vectors of i32, or of i64.
 */
enum FloatFormat {
  F32(23),
  F64(52);

  private final int mantissa;

  FloatFormat(int mantissa) {
    this.mantissa = mantissa;
  }

  /** Bits of the mantissa that a value holds. */
  int mantissa() {
    return mantissa;
  }

  long sign() {
    return this == F64 ? Long.MIN_VALUE : 0x8000_0000L;
  }

  /** The bits of infinity, which are those of the exponent. */
  long infinity() {
    return (sign() - (1L << mantissa)) & ~sign();
  }

  /** The bit that makes a NaN quiet. */
  long quietBit() {
    return 1L << (mantissa - 1);
  }

  /** The type of values. */
  String type(Chunk c) {
    return this == F64 ? c.longs : c.ints;
  }

  /** The same bits in all lanes. */
  String splat(long bits) {
    return this == F64 ? w(bits) : n((int) bits);
  }

  /** An instruction on bits. */
  String bits(Chunk c, String op, String a, String b) {
    return this == F64 ? c.i64(op, a, b) : c.i32(op, a, b);
  }

  /** An instruction on numbers. */
  String numbers(Chunk c, String op, String a, String b) {
    return this == F64 ? c.f64(op, a, b) : c.f32(op, a, b);
  }

  /** a * b + d with one rounding. */
  String fma(Chunk c, String a, String b, String d) {
    return this == F64 ? c.fma64(a, b, d) : c.fma32(a, b, d);
  }

  /** An intrinsic on numbers. */
  String call(Chunk c, String intrinsic, String... arguments) {
    String[] values = new String[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = number(c, arguments[i]);
    }
    return this == F64
        ? c.toLongs(c.call(c.doubles, intrinsic, "f64", values))
        : c.toInts(c.call(c.floats, intrinsic, "f32", values));
  }

  /** A comparison of numbers, by the condition of fcmp. */
  String test(Chunk c, String how, String a, String b) {
    String numbers = this == F64 ? c.doubles : c.floats;
    return c.ir.value("fcmp %s %s %s, %s", how, numbers, number(c, a), number(c, b));
  }

  private String number(Chunk c, String a) {
    return this == F64 ? c.toDoubles(a) : c.toFloats(a);
  }

  String select(Chunk c, String condition, String a, String b) {
    return c.select(condition, type(c), a, b);
  }

  /**
   * What a number has above the integer below it.
   *
   * @param most the greatest result
   */
  String fraction(Chunk c, String a, String most) {
    String r = numbers(c, "fsub", a, call(c, "floor", a));
    return select(c, test(c, "ogt", r, most), most, r);
  }

  /** The bits without the sign. */
  String size(Chunk c, String a) {
    return bits(c, "and", a, splat(~sign()));
  }

  /** The biased exponent. */
  String exponent(Chunk c, String a) {
    return bits(c, "lshr", bits(c, "and", a, splat(infinity())), splat(mantissa));
  }

  private String isNan(Chunk c, String a) {
    return bits(c, "icmp ugt", size(c, a), splat(infinity()));
  }

  /** A NaN made quiet; other values as they are. */
  String quiet(Chunk c, String a) {
    return select(c, isNan(c, a), bits(c, "or", a, splat(quietBit())), a);
  }

  /** The minimum or maximum with IEEE set: a signaling NaN wins, a quiet one loses to a number. */
  String least(Chunk c, String intrinsic, String a, String b) {
    String quietA = quiet(c, a);
    String quietB = quiet(c, b);
    String signalsA = bits(c, "icmp ne", a, quietA);
    String signalsB = bits(c, "icmp ne", b, quietB);
    String r = call(c, intrinsic, a, b);
    r = select(c, c.either(isNan(c, a), signalsB), quietB, r);
    r = select(c, c.both(isNan(c, b), c.not(signalsB)), quietA, r);
    return select(c, signalsA, quietA, r);
  }

  /** The value in the middle; the least number if there is a NaN. */
  String median(Chunk c, String a, String b, String d) {
    String low = least(c, "minimum", a, b);
    String high = least(c, "maximum", a, b);
    String middle = least(c, "maximum", low, least(c, "minimum", high, d));
    String nan = c.either(c.either(isNan(c, a), isNan(c, b)), isNan(c, d));
    return select(c, nan, least(c, "minimum", low, d), middle);
  }

  /** Whether a value is of one of the classes whose bits are set in a vector of i32. */
  String isOfClass(Chunk c, String a, String classes) {
    String size = size(c, a);
    String negative = bits(c, "icmp slt", a, splat(0));
    String quiet = bits(c, "icmp ne", bits(c, "and", a, splat(quietBit())), splat(0));
    String is =
        c.select(
            bits(c, "icmp ult", size, splat(1L << mantissa)),
            c.ints,
            c.select(negative, c.ints, n(1 << 4), n(1 << 7)),
            c.select(negative, c.ints, n(1 << 3), n(1 << 8)));
    String zero = c.select(negative, c.ints, n(1 << 5), n(1 << 6));
    is = c.select(bits(c, "icmp eq", size, splat(0)), c.ints, zero, is);
    String infinite = c.select(negative, c.ints, n(1 << 2), n(1 << 9));
    is = c.select(bits(c, "icmp eq", size, splat(infinity())), c.ints, infinite, is);
    is = c.select(isNan(c, a), c.ints, c.select(quiet, c.ints, n(2), n(1)), is);
    return c.i32("icmp ne", c.i32("and", is, classes), n(0));
  }
}
