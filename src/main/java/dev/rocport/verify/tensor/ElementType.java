package dev.rocport.verify.tensor;

import java.util.Optional;

/**
 * The type of a tensor's elements, by its name in safetensors. An element is a bit pattern in the
 * low bits of a {@code long}.
 */
public enum ElementType {
  BOOL(1, Kind.UNSIGNED, 0, 0),
  U8(1, Kind.UNSIGNED, 0, 0),
  I8(1, Kind.SIGNED, 0, 0),
  /** OCP's E4M3: no infinities, the greatest pattern is NaN. */
  F8_E4M3(1, Kind.FINITE, 4, 3),
  F8_E5M2(1, Kind.FLOATING, 5, 2),
  U16(2, Kind.UNSIGNED, 0, 0),
  I16(2, Kind.SIGNED, 0, 0),
  F16(2, Kind.FLOATING, 5, 10),
  BF16(2, Kind.FLOATING, 8, 7),
  U32(4, Kind.UNSIGNED, 0, 0),
  I32(4, Kind.SIGNED, 0, 0),
  F32(4, Kind.FLOATING, 8, 23),
  U64(8, Kind.UNSIGNED, 0, 0),
  I64(8, Kind.SIGNED, 0, 0),
  F64(8, Kind.FLOATING, 11, 52);

  private enum Kind {
    UNSIGNED,
    SIGNED,
    FLOATING,
    FINITE
  }

  private final int bytes;
  private final Kind kind;
  private final int exponentBits;
  private final int mantissaBits;

  ElementType(int bytes, Kind kind, int exponentBits, int mantissaBits) {
    this.bytes = bytes;
    this.kind = kind;
    this.exponentBits = exponentBits;
    this.mantissaBits = mantissaBits;
  }

  /** The type of that name in safetensors. */
  public static Optional<ElementType> named(String name) {
    for (ElementType type : values()) {
      if (type.name().equals(name)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** Bytes of an element. */
  public int bytes() {
    return bytes;
  }

  public boolean isFloating() {
    return kind == Kind.FLOATING || kind == Kind.FINITE;
  }

  /** The distance from 1 to the next greater value; 0 for integers. */
  public double epsilon() {
    return isFloating() ? Math.scalb(1.0, -mantissaBits) : 0;
  }

  /** The value of an element; 64-bit integers are rounded. */
  public double value(long bits) {
    return switch (this) {
      case F64 -> Double.longBitsToDouble(bits);
      case F32 -> Float.intBitsToFloat((int) bits);
      case U64 ->
          bits >= 0
              ? (double) bits
              : (double) ((bits >>> 1) | (bits & 1)) * 2; // round to odd first
      default -> isFloating() ? small(bits) : (double) integer(bits);
    };
  }

  /** Sign-extended or not, as the type is; the two's complement pattern of a U64. */
  private long integer(long bits) {
    int unused = 64 - 8 * bytes;
    return kind == Kind.SIGNED ? bits << unused >> unused : bits << unused >>> unused;
  }

  private double small(long bits) {
    long top = (1L << exponentBits) - 1;
    int bias = (int) (top >> 1);
    long mantissa = bits & ((1L << mantissaBits) - 1);
    long exponent = bits >>> mantissaBits & top;
    double sign = (bits >>> (mantissaBits + exponentBits) & 1) == 0 ? 1 : -1;
    if (exponent == top) {
      boolean allOnes = mantissa == (1L << mantissaBits) - 1;
      if (kind == Kind.FLOATING || allOnes) {
        return kind == Kind.FLOATING && mantissa == 0
            ? sign * Double.POSITIVE_INFINITY
            : Double.NaN;
      }
    }
    double fraction = Math.scalb((double) mantissa, -mantissaBits);
    return exponent == 0
        ? sign * Math.scalb(fraction, 1 - bias)
        : sign * Math.scalb(1 + fraction, (int) exponent - bias);
  }

  /**
   * Steps between two elements: for floating-point types over the values in order, both zeros being
   * one; for integers the difference. Neither may be NaN.
   *
   * @return at most {@link Long#MAX_VALUE}
   */
  public long distance(long a, long b) {
    if (kind == Kind.UNSIGNED) {
      long x = integer(a);
      long y = integer(b);
      return capped(Long.compareUnsigned(x, y) > 0 ? x - y : y - x);
    }
    long x = kind == Kind.SIGNED ? integer(a) : ordered(a);
    long y = kind == Kind.SIGNED ? integer(b) : ordered(b);
    return capped(x > y ? x - y : y - x);
  }

  /** The difference as an unsigned number, which may not fit. */
  private static long capped(long unsigned) {
    return unsigned < 0 ? Long.MAX_VALUE : unsigned;
  }

  /** Neighbouring values differ by one; both zeros are 0. */
  private long ordered(long bits) {
    long sign = 1L << (8 * bytes - 1);
    long size = bits & (sign - 1);
    return (bits & sign) == 0 ? size : -size;
  }
}
