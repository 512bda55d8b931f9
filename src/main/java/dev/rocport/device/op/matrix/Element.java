package dev.rocport.device.op.matrix;

import dev.rocport.device.op.vector.Fp8;
import dev.rocport.device.op.vector.OcpFp8;
import dev.rocport.device.op.vector.SmallFloat;
import java.util.Optional;

/** The numbers that matrix instructions multiply. */
public enum Element {
  F64(64),
  F32(32),
  /** A float of which 10 bits of the mantissa count. */
  XF32(32),
  F16(16),
  BF16(16),
  /** 1 sign, 4 exponent, 3 mantissa bits, bias 8, no infinity, NaN where -0 would be (FNUZ). */
  FP8(8),
  /** 1 sign, 5 exponent, 2 mantissa bits, bias 16, else as FP8. */
  BF8(8),
  /** 1 sign, 4 exponent, 3 mantissa bits, bias 7, no infinity, NaN where all bits are set (OCP). */
  OCP_FP8(8),
  /** 1 sign, 5 exponent, 2 mantissa bits, bias 15, infinities and NaN as in IEEE 754 (OCP). */
  OCP_BF8(8),
  I8(8);

  private static final float[] FP8_VALUES = values(Fp8.E4M3);
  private static final float[] BF8_VALUES = values(Fp8.E5M2);
  private static final float[] OCP_FP8_VALUES = values(OcpFp8.E4M3);
  private static final float[] OCP_BF8_VALUES = values(OcpFp8.E5M2);

  private final int bits;

  Element(int bits) {
    this.bits = bits;
  }

  public int bits() {
    return bits;
  }

  static Optional<Element> named(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "f64" -> F64;
          case "f32" -> F32;
          case "xf32" -> XF32;
          case "f16" -> F16;
          case "bf16", "bf16_1k" -> BF16;
          case "fp8" -> FP8;
          case "bf8" -> BF8;
          case "ocpfp8" -> OCP_FP8;
          case "ocpbf8" -> OCP_BF8;
          case "i8" -> I8;
          default -> null;
        });
  }

  /**
   * Takes an element of each lane out of a register.
   *
   * @param row the index of lane 0 of the register
   * @param lanes for each lane, which one to take it from
   * @param e which element, counted from the low bits of the lane's first register
   * @param at the index of lane 0 in {@code to}
   */
  void unpack(int[] registers, int row, int[] lanes, int e, float[] to, int at) {
    int shift = e * bits % 32;
    switch (this) {
      case F32 -> {
        for (int l = 0; l < lanes.length; l++) {
          to[at + l] = Float.intBitsToFloat(registers[row + lanes[l]]);
        }
      }
      case XF32 -> {
        for (int l = 0; l < lanes.length; l++) {
          to[at + l] = rounded(registers[row + lanes[l]]);
        }
      }
      case F16 -> {
        for (int l = 0; l < lanes.length; l++) {
          to[at + l] = Float.float16ToFloat((short) (registers[row + lanes[l]] >>> shift));
        }
      }
      case BF16 -> {
        for (int l = 0; l < lanes.length; l++) {
          to[at + l] = Float.intBitsToFloat((registers[row + lanes[l]] >>> shift) << 16);
        }
      }
      case FP8 -> lookUp(FP8_VALUES, registers, row, lanes, shift, to, at);
      case BF8 -> lookUp(BF8_VALUES, registers, row, lanes, shift, to, at);
      case OCP_FP8 -> lookUp(OCP_FP8_VALUES, registers, row, lanes, shift, to, at);
      case OCP_BF8 -> lookUp(OCP_BF8_VALUES, registers, row, lanes, shift, to, at);
      case I8, F64 -> throw new IllegalStateException(this + " is no float");
    }
  }

  private static void lookUp(
      float[] values, int[] registers, int row, int[] lanes, int shift, float[] to, int at) {
    for (int l = 0; l < lanes.length; l++) {
      to[at + l] = values[(registers[row + lanes[l]] >>> shift) & 0xff];
    }
  }

  /** Rounds to 10 bits of mantissa, to the nearest, ties to even. */
  private static float rounded(int bits) {
    float value = Float.intBitsToFloat(bits);
    if (!Float.isFinite(value)) {
      return value;
    }
    int dropped = 13;
    int odd = bits >>> dropped & 1;
    return Float.intBitsToFloat((bits + (1 << (dropped - 1)) - 1 + odd) & -(1 << dropped));
  }

  /** All values of a float of 8 bits. */
  private static float[] values(SmallFloat format) {
    float[] values = new float[256];
    for (int code = 0; code < values.length; code++) {
      values[code] = format.value(code);
    }
    return values;
  }
}
