package dev.rocport.device.op.matrix;

import dev.rocport.device.op.vector.OcpFp8;
import dev.rocport.device.op.vector.SmallFloat;

/**
 * The floats of 8, 6 and 4 bits that {@code f8f6f4} instructions multiply, in the order of the
 * codes that choose them. Those of 6 and 4 bits have neither infinities nor NaN. Source: OCP
 * Microscaling Formats specification 1.0.
 */
enum MicroFloat {
  FP8(8, OcpFp8.E4M3),
  BF8(8, OcpFp8.E5M2),
  /** E2M3. */
  FP6(6, 3, 1),
  /** E3M2. */
  BF6(6, 2, 3),
  /** E2M1. */
  FP4(4, 1, 1);

  private final int bits;

  @SuppressWarnings("ImmutableEnumChecker") // never written after construction
  private final double[] values;

  MicroFloat(int bits, SmallFloat format) {
    this.bits = bits;
    this.values = new double[1 << bits];
    for (int code = 0; code < values.length; code++) {
      values[code] = format.value(code);
    }
  }

  MicroFloat(int bits, int mantissa, int bias) {
    this.bits = bits;
    this.values = new double[1 << bits];
    int half = values.length / 2;
    for (int code = 0; code < half; code++) {
      int exponent = code >> mantissa;
      int fraction = code & (1 << mantissa) - 1;
      int whole = exponent == 0 ? fraction : fraction + (1 << mantissa);
      values[code] = Math.scalb((double) whole, Math.max(exponent, 1) - bias - mantissa);
      values[half + code] = -values[code];
    }
  }

  /** The format that an instruction chooses by a code from 0 to 4. */
  static MicroFloat of(int code) {
    return switch (code) {
      case 0 -> FP8;
      case 1 -> BF8;
      case 2 -> FP6;
      case 3 -> BF6;
      case 4 -> FP4;
      default -> throw new IllegalArgumentException("no format has the code " + code);
    };
  }

  int bits() {
    return bits;
  }

  double value(int code) {
    return values[code];
  }
}
