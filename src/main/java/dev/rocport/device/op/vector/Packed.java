package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.PK_B16;
import static dev.rocport.device.isa.DataType.PK_B4;
import static dev.rocport.device.isa.DataType.PK_B8;
import static dev.rocport.device.isa.DataType.PK_BF16;
import static dev.rocport.device.isa.DataType.PK_F16;
import static dev.rocport.device.isa.DataType.PK_I16;
import static dev.rocport.device.isa.DataType.PK_U16;
import static dev.rocport.device.isa.DataType.U32;

import dev.rocport.device.isa.DataType;
import org.jspecify.annotations.Nullable;

/** Two halves at once, and products summed up. */
final class Packed {
  /** After the name of a dot product whose first source has signs, and whose second has them. */
  private static final String FIRST = ":first";

  private static final String SECOND = ":second";

  private Packed() {}

  /** Whether the bits of neg_lo say which sources of an opcode are signed. */
  static boolean takesSigns(String name) {
    return name.endsWith("_iu8") || name.endsWith("_iu4");
  }

  /** The name of a dot product with the sources that are signed. */
  static String withSigns(String name, int signs) {
    return name + ((signs & 1) != 0 ? FIRST : "") + ((signs & 2) != 0 ? SECOND : "");
  }

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_pk_add_f16" -> real(2, Lane.halves((a, b) -> a + b), "v_add_f16");
      case "v_pk_mul_f16" -> real(2, Lane.halves((a, b) -> a * b), "v_mul_f16");
      case "v_pk_min_f16" -> real(2, Halves.MIN, "v_min_f16");
      case "v_pk_max_f16" -> real(2, Halves.MAX, "v_max_f16");
      case "v_pk_minimum_f16" -> extremes("v_minimum_f16");
      case "v_pk_maximum_f16" -> extremes("v_maximum_f16");
      case "v_pk_minimum3_f16" -> extremesOfThree("v_minimum3_f16");
      case "v_pk_maximum3_f16" -> extremesOfThree("v_maximum3_f16");
      case "v_pk_fma_f16", "v_pk_fmac_f16" -> real(3, Halves.FMA, "v_fma_f16");
      case "v_pk_add_u16" -> integer(PK_U16, "v_add_u16");
      case "v_pk_sub_u16" -> integer(PK_U16, "v_sub_u16");
      case "v_pk_add_i16" -> integer(PK_I16, "v_add_i16");
      case "v_pk_sub_i16" -> integer(PK_I16, "v_sub_i16");
      case "v_pk_mul_lo_u16" -> integer(PK_U16, "v_mul_lo_u16");
      case "v_pk_min_u16" -> integer(PK_U16, "v_min_u16");
      case "v_pk_max_u16" -> integer(PK_U16, "v_max_u16");
      case "v_pk_min_i16" -> integer(PK_I16, "v_min_i16");
      case "v_pk_max_i16" -> integer(PK_I16, "v_max_i16");
      case "v_pk_lshlrev_b16" -> integer(PK_B16, "v_lshlrev_b16");
      case "v_pk_lshrrev_b16" -> integer(PK_B16, "v_lshrrev_b16");
      case "v_pk_ashrrev_i16" -> integer(PK_I16, "v_ashrrev_i16");
      case "v_pk_mad_u16" -> integer(PK_U16, "v_mad_u16");
      case "v_pk_mad_i16" -> integer(PK_I16, "v_mad_i16");
      case "v_dot2_f32_f16", "v_dot2c_f32_f16" ->
          Definition.of(Packed::dotHalves, F32, PK_F16, PK_F16, F32);
      case "v_dot2_i32_i16", "v_dot2c_i32_i16" -> dot(I32, PK_I16, 16, true);
      case "v_dot2_u32_u16" -> dot(U32, PK_U16, 16, false);
      case "v_dot4_i32_i8", "v_dot4c_i32_i8" -> dot(I32, PK_B8, 8, true);
      case "v_dot4_u32_u8" -> dot(U32, PK_B8, 8, false);
      case "v_dot8_i32_i4", "v_dot8c_i32_i4" -> dot(I32, PK_B4, 4, true);
      case "v_dot8_u32_u4" -> dot(U32, PK_B4, 4, false);
      case "v_dot2_f32_bf16", "v_dot2c_f32_bf16" ->
          Definition.of(Packed::dotBrainFloats, F32, PK_BF16, PK_BF16, F32);
      case "v_dot4_f32_fp8_fp8" -> dot(OcpFp8.E4M3, OcpFp8.E4M3);
      case "v_dot4_f32_fp8_bf8" -> dot(OcpFp8.E4M3, OcpFp8.E5M2);
      case "v_dot4_f32_bf8_fp8" -> dot(OcpFp8.E5M2, OcpFp8.E4M3);
      case "v_dot4_f32_bf8_bf8" -> dot(OcpFp8.E5M2, OcpFp8.E5M2);
      default ->
          name.startsWith("v_dot4_i32_iu8")
              ? mixedDot(name, PK_B8, 8)
              : name.startsWith("v_dot8_i32_iu4") ? mixedDot(name, PK_B4, 4) : null;
    };
  }

  private static Definition mixedDot(String name, DataType parts, int bits) {
    boolean first = name.contains(FIRST);
    boolean second = name.endsWith(SECOND);
    return Definition.of(
            (a, b, c, bit) -> sum(a, b, c, bits, first, second), I32, parts, parts, I32)
        .clamped(
            (a, b, c, bit) -> Integers.saturate(sum(a, b, signExtend(c), bits, first, second)));
  }

  private static Definition extremes(String single) {
    Lane half = Definition.known(Definition.known(RdnaOps.named(single)).lane());
    return Definition.of(both(half), PK_F16, PK_F16, PK_F16).byMode();
  }

  private static Definition extremesOfThree(String single) {
    Lane half = Definition.known(Definition.known(RdnaOps.named(single)).lane());
    return Definition.of(both(half), PK_F16, PK_F16, PK_F16, PK_F16).byMode();
  }

  /** A lane function on low halves, done to both halves. */
  private static Lane both(Lane half) {
    return (a, b, c, bit) ->
        (half.apply(a, b, c, false) & 0xffff)
            | (half.apply(a >>> 16, b >>> 16, c >>> 16, false) & 0xffff) << 16;
  }

  private static Definition real(int sources, Lane half, String single) {
    Definition.Rounded rounded = Definition.known(Halves.named(single)).rounded();
    Definition definition =
        sources == 2
            ? Definition.of(both(half), PK_F16, PK_F16, PK_F16)
            : Definition.of(both(half), PK_F16, PK_F16, PK_F16, PK_F16);
    return rounded == null
        ? definition.onlyToNearest()
        : definition.byMode(
            (a, b, c, rounding) ->
                both((x, y, z, bit) -> rounded.apply(x, y, z, rounding)).apply(a, b, c, false));
  }

  private static Definition integer(DataType type, String single) {
    Definition half = Definition.known(Halves.named(single));
    Lane lane = Definition.known(half.lane());
    Lane clamped = half.clamped();
    Definition definition =
        half.sources().size() == 2
            ? Definition.of(both(lane), type, type, type)
            : Definition.of(both(lane), type, type, type, type);
    return clamped == null ? definition : definition.clamped(both(clamped));
  }

  /** The first product, then the second, each sum rounded. */
  private static long dotHalves(long a, long b, long c, boolean bit) {
    float sum = Float.intBitsToFloat((int) c);
    sum = Arithmetic.fma(Half.value(a), Half.value(b), sum);
    sum = Arithmetic.fma(Half.value(a >>> 16), Half.value(b >>> 16), sum);
    return Float.floatToRawIntBits(sum);
  }

  private static long dotBrainFloats(long a, long b, long c, boolean bit) {
    float sum = Float.intBitsToFloat((int) c);
    sum = Arithmetic.fma(BrainFloat.value((int) a), BrainFloat.value((int) b), sum);
    sum =
        Arithmetic.fma(BrainFloat.value((int) (a >>> 16)), BrainFloat.value((int) (b >>> 16)), sum);
    return Float.floatToRawIntBits(sum);
  }

  /** From the lowest product to the highest, each sum rounded. */
  private static Definition dot(SmallFloat first, SmallFloat second) {
    return Definition.of(
        (a, b, c, bit) -> {
          float sum = Float.intBitsToFloat((int) c);
          for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            sum =
                Arithmetic.fma(
                    first.value((int) a >> shift & 0xff),
                    second.value((int) b >> shift & 0xff),
                    sum);
          }
          return Float.floatToRawIntBits(sum);
        },
        F32,
        PK_B8,
        PK_B8,
        F32);
  }

  private static Definition dot(DataType type, DataType parts, int bits, boolean signed) {
    return Definition.of((a, b, c, bit) -> sum(a, b, c, bits, signed), type, parts, parts, type)
        .clamped(
            (a, b, c, bit) ->
                signed
                    ? Integers.saturate(sum(a, b, signExtend(c), bits, true))
                    : Math.min(sum(a, b, c, bits, false), 0xffffffffL));
  }

  private static long sum(long a, long b, long c, int bits, boolean signed) {
    return sum(a, b, c, bits, signed, signed);
  }

  private static long sum(
      long a, long b, long c, int bits, boolean firstSigned, boolean secondSigned) {
    long sum = c;
    for (int i = 0; i < 32; i += bits) {
      sum += part(a, i, bits, firstSigned) * part(b, i, bits, secondSigned);
    }
    return sum;
  }

  private static long signExtend(long a) {
    return (int) a;
  }

  private static long part(long a, int at, int bits, boolean signed) {
    long top = a << (Long.SIZE - bits - at);
    return signed ? top >> (Long.SIZE - bits) : top >>> (Long.SIZE - bits);
  }
}
