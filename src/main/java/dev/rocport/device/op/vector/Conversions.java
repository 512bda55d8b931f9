package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.BF16;
import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.F64;
import static dev.rocport.device.isa.DataType.I16;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.PK_B16;
import static dev.rocport.device.isa.DataType.PK_F16;
import static dev.rocport.device.isa.DataType.PK_I16;
import static dev.rocport.device.isa.DataType.PK_U16;
import static dev.rocport.device.isa.DataType.U16;
import static dev.rocport.device.isa.DataType.U32;

import java.math.BigDecimal;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/** Between integers and floats. Floats beyond an integer's range give its end, NaN gives 0. */
final class Conversions {
  private Conversions() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_cvt_f32_i32" ->
          Definition.of((a, b, c, bit) -> Float.floatToRawIntBits((int) a), F32, I32)
              .form(
                  VectorForm.ints(
                      (a, b, c) -> a.convert(VectorOperators.I2F, 0).reinterpretAsInts()))
              .byMode((a, b, c, rounding) -> rounded(new BigDecimal((int) a), rounding));
      case "v_cvt_f32_u32" ->
          Definition.of((a, b, c, bit) -> Float.floatToRawIntBits((float) a), F32, U32)
              .byMode((a, b, c, rounding) -> rounded(BigDecimal.valueOf(a), rounding));
      case "v_cvt_i32_f32" ->
          Definition.of((a, b, c, bit) -> (int) Float.intBitsToFloat((int) a), I32, F32)
              .byMode()
              .form(
                  VectorForm.ints(
                      (a, b, c) ->
                          a.reinterpretAsFloats()
                              .convert(VectorOperators.F2I, 0)
                              .reinterpretAsInts()));
      case "v_cvt_u32_f32" ->
          Definition.of((a, b, c, bit) -> unsigned(Float.intBitsToFloat((int) a)), U32, F32)
              .byMode();
      case "v_cvt_rpi_i32_f32" ->
          Definition.of(
                  (a, b, c, bit) -> (int) Math.floor(Float.intBitsToFloat((int) a) + 0.5), I32, F32)
              .byMode();
      case "v_cvt_flr_i32_f32" ->
          Definition.of((a, b, c, bit) -> (int) Math.floor(Float.intBitsToFloat((int) a)), I32, F32)
              .byMode();
      case "v_cvt_off_f32_i4" ->
          Definition.of(
              (a, b, c, bit) -> Float.floatToRawIntBits(((int) a << 28 >> 28) / 16f), F32, B32);
      case "v_cvt_f64_i32" ->
          Definition.of((a, b, c, bit) -> Double.doubleToRawLongBits((int) a), F64, I32);
      case "v_cvt_f64_u32" ->
          Definition.of((a, b, c, bit) -> Double.doubleToRawLongBits((double) a), F64, U32);
      case "v_cvt_i32_f64" ->
          Definition.of((a, b, c, bit) -> (int) Double.longBitsToDouble(a), I32, F64).byMode();
      case "v_cvt_u32_f64" ->
          Definition.of((a, b, c, bit) -> unsigned(Double.longBitsToDouble(a)), U32, F64).byMode();
      case "v_cvt_f32_f64" ->
          Definition.of(
                  (a, b, c, bit) -> Float.floatToRawIntBits((float) Double.longBitsToDouble(a)),
                  F32,
                  F64)
              .byMode(
                  (a, b, c, rounding) -> {
                    double value = Double.longBitsToDouble(a);
                    return !Double.isFinite(value) || value == 0
                        ? Float.floatToRawIntBits((float) value)
                        : rounded(new BigDecimal(value), rounding);
                  });
      case "v_cvt_f64_f32" ->
          Definition.of(
                  (a, b, c, bit) -> Double.doubleToRawLongBits(Float.intBitsToFloat((int) a)),
                  F64,
                  F32)
              .byMode(
                  (a, b, c, rounding) -> Double.doubleToRawLongBits(Float.intBitsToFloat((int) a)));
      case "v_cvt_f32_ubyte0" -> ofByte(0);
      case "v_cvt_f32_ubyte1" -> ofByte(8);
      case "v_cvt_f32_ubyte2" -> ofByte(16);
      case "v_cvt_f32_ubyte3" -> ofByte(24);
      case "v_cvt_f16_f32" ->
          Definition.of((a, b, c, bit) -> Half.bits(Float.intBitsToFloat((int) a)), F16, F32)
              .byMode(
                  (a, b, c, rounding) ->
                      Half.bits((double) Float.intBitsToFloat((int) a), rounding));
      case "v_cvt_f32_f16" ->
          Definition.of((a, b, c, bit) -> Float.floatToRawIntBits(Half.value(a)), F32, F16)
              .byMode((a, b, c, rounding) -> Float.floatToRawIntBits(Half.value(a)));
      case "v_cvt_f16_u16" ->
          Definition.of((a, b, c, bit) -> Half.bits((float) (a & 0xffff)), F16, U16)
              .byMode((a, b, c, rounding) -> Half.bits((double) (a & 0xffff), rounding));
      case "v_cvt_f16_i16" ->
          Definition.of((a, b, c, bit) -> Half.bits((float) (short) a), F16, I16)
              .byMode((a, b, c, rounding) -> Half.bits((double) (short) a, rounding));
      case "v_cvt_u16_f16" ->
          Definition.of((a, b, c, bit) -> Math.clamp((int) Half.value(a), 0, 0xffff), U16, F16)
              .byMode();
      case "v_cvt_i16_f16" ->
          Definition.of(
                  (a, b, c, bit) ->
                      Math.clamp((int) Half.value(a), Short.MIN_VALUE, Short.MAX_VALUE) & 0xffff,
                  I16,
                  F16)
              .byMode();
      case "v_cvt_f32_bf16" -> Definition.of(Lane.ints(a -> a << 16), F32, BF16);
      case "v_cvt_pk_f16_f32" ->
          Definition.of(
                  (a, b, c, bit) ->
                      Half.bits(Float.intBitsToFloat((int) a))
                          | Half.bits(Float.intBitsToFloat((int) b)) << 16,
                  PK_F16,
                  F32,
                  F32)
              .byMode(
                  (a, b, c, rounding) ->
                      Half.bits((double) Float.intBitsToFloat((int) a), rounding)
                          | Half.bits((double) Float.intBitsToFloat((int) b), rounding) << 16);
      case "v_cvt_pk_bf16_f32" ->
          Definition.of(
              Lane.ints((a, b) -> BrainFloat.of(a) | BrainFloat.of(b) << 16), PK_B16, F32, F32);
      case "v_cvt_pkrtz_f16_f32" ->
          Definition.of(
              (a, b, c, bit) ->
                  Half.bits((double) Float.intBitsToFloat((int) a), 3)
                      | Half.bits((double) Float.intBitsToFloat((int) b), 3) << 16,
              PK_F16,
              F32,
              F32);
      case "v_cvt_pk_u16_u32" ->
          Definition.of(
              Lane.longs((a, b) -> Math.min(a, 0xffff) | Math.min(b, 0xffff) << 16),
              PK_U16,
              U32,
              U32);
      case "v_cvt_pk_i16_i32" ->
          Definition.of(Lane.ints((a, b) -> signed16(a) | signed16(b) << 16), PK_I16, I32, I32);
      case "v_sat_pk_u8_i16" ->
          Definition.of(
              Lane.ints(a -> Math.clamp((short) a, 0, 255) | Math.clamp(a >> 16, 0, 255) << 8),
              B32,
              B32);
      case "v_pack_b32_f16" ->
          Definition.of(Lane.ints((a, b) -> (a & 0xffff) | b << 16), PK_F16, F16, F16);
      case "v_cvt_f32_ocpfp8" -> OcpFp8.E4M3.unpack();
      case "v_cvt_f32_ocpbf8" -> OcpFp8.E5M2.unpack();
      case "v_cvt_pk_f32_ocpfp8" -> OcpFp8.E4M3.unpackPair();
      case "v_cvt_pk_f32_ocpbf8" -> OcpFp8.E5M2.unpackPair();
      case "v_cvt_pk_ocpfp8_f32" -> OcpFp8.E4M3.packPair();
      case "v_cvt_pk_ocpbf8_f32" -> OcpFp8.E5M2.packPair();
      case "v_cvt_f32_fp8" -> Fp8.E4M3.unpack();
      case "v_cvt_f32_bf8" -> Fp8.E5M2.unpack();
      case "v_cvt_pk_f32_fp8" -> Fp8.E4M3.unpackPair();
      case "v_cvt_pk_f32_bf8" -> Fp8.E5M2.unpackPair();
      case "v_cvt_pk_fp8_f32" -> Fp8.E4M3.packPair();
      case "v_cvt_pk_bf8_f32" -> Fp8.E5M2.packPair();
      default -> null;
    };
  }

  private static long rounded(BigDecimal value, int rounding) {
    return Float.floatToRawIntBits(value.signum() == 0 ? 0f : Directed.toFloat(value, rounding));
  }

  private static int signed16(int a) {
    return Math.clamp(a, Short.MIN_VALUE, Short.MAX_VALUE) & 0xffff;
  }

  private static long unsigned(double a) {
    return Math.clamp((long) a, 0, 0xffffffffL);
  }

  private static Definition ofByte(int shift) {
    return Definition.of(
        (a, b, c, bit) -> Float.floatToRawIntBits((float) (a >>> shift & 0xff)), F32, U32);
  }
}
