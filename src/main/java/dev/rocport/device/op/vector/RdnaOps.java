package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B16;
import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.F64;
import static dev.rocport.device.isa.DataType.I16;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.U16;
import static dev.rocport.device.isa.DataType.U32;

import dev.rocport.device.isa.DataType;
import org.jspecify.annotations.Nullable;

/** Opcodes that RDNA has and CDNA has not. Not checked against AMD's RDNA3 ISA manual. */
final class RdnaOps {
  /** The bit of a half that makes a NaN quiet. */
  private static final int QUIET = 0x200;

  private RdnaOps() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_xor3_b32" -> three(Lane.ints((a, b, c) -> a ^ b ^ c), B32);
      case "v_maxmin_f32" ->
          three(Lane.floats((a, b, c) -> Floats.min(Floats.max(a, b), c)), F32).byMode();
      case "v_minmax_f32" ->
          three(Lane.floats((a, b, c) -> Floats.max(Floats.min(a, b), c)), F32).byMode();
      case "v_maxmin_f16" -> three((a, b, c, bit) -> Halves.min(Halves.max(a, b), c), F16).byMode();
      case "v_minmax_f16" -> three((a, b, c, bit) -> Halves.max(Halves.min(a, b), c), F16).byMode();
      case "v_maxmin_i32" -> three(Lane.ints((a, b, c) -> Math.min(Math.max(a, b), c)), I32);
      case "v_minmax_i32" -> three(Lane.ints((a, b, c) -> Math.max(Math.min(a, b), c)), I32);
      case "v_maxmin_u32" -> three(Lane.longs((a, b, c) -> Math.min(Math.max(a, b), c)), U32);
      case "v_minmax_u32" -> three(Lane.longs((a, b, c) -> Math.max(Math.min(a, b), c)), U32);
      case "v_fmac_f16", "v_fmamk_f16", "v_fmaak_f16" ->
          three(Halves.FMA, F16).byMode(Halves.FMA_ROUNDED);
      case "v_cvt_i32_i16" -> Definition.of(Lane.ints(a -> (short) a), I32, I16);
      case "v_cvt_u32_u16" -> Definition.of(Lane.ints(a -> a & 0xffff), U32, U16);
      case "v_mov_b16" -> Definition.of(Lane.ints(a -> a & 0xffff), B16, B16);
      case "v_not_b16" -> Definition.of(Lane.ints(a -> ~a & 0xffff), B16, B16);
      case "v_and_b16" -> Definition.of(Lane.ints((a, b) -> a & b & 0xffff), B16, B16, B16);
      case "v_or_b16" -> Definition.of(Lane.ints((a, b) -> (a | b) & 0xffff), B16, B16, B16);
      case "v_xor_b16" -> Definition.of(Lane.ints((a, b) -> (a ^ b) & 0xffff), B16, B16, B16);
      case "v_cndmask_b16" ->
          Definition.of((a, b, c, bit) -> (bit ? b : a) & 0xffff, B16, B16, B16).takingMask();
      default -> extreme(name);
    };
  }

  /** RDNA 4: those of IEEE 754-2019, where a NaN wins and -0 is less than 0. */
  private static @Nullable Definition extreme(String name) {
    Lane least = Lane.floats(RdnaOps::minimum);
    Lane most = Lane.floats(RdnaOps::maximum);
    return switch (name) {
      case "v_minimum_f32" -> Definition.of(least, F32, F32, F32).byMode();
      case "v_maximum_f32" -> Definition.of(most, F32, F32, F32).byMode();
      case "v_minimum3_f32" ->
          three(Lane.floats((a, b, c) -> minimum(minimum(a, b), c)), F32).byMode();
      case "v_maximum3_f32" ->
          three(Lane.floats((a, b, c) -> maximum(maximum(a, b), c)), F32).byMode();
      case "v_minimummaximum_f32" ->
          three(Lane.floats((a, b, c) -> maximum(minimum(a, b), c)), F32).byMode();
      case "v_maximumminimum_f32" ->
          three(Lane.floats((a, b, c) -> minimum(maximum(a, b), c)), F32).byMode();
      case "v_minimum_f16" -> Definition.of(halves(false), F16, F16, F16).byMode();
      case "v_maximum_f16" -> Definition.of(halves(true), F16, F16, F16).byMode();
      case "v_minimum3_f16" -> ofHalves(false, false);
      case "v_maximum3_f16" -> ofHalves(true, true);
      case "v_minimummaximum_f16" -> ofHalves(false, true);
      case "v_maximumminimum_f16" -> ofHalves(true, false);
      case "v_minimum_f64" -> Definition.of(Lane.doubles(RdnaOps::minimum), F64, F64, F64).byMode();
      case "v_maximum_f64" -> Definition.of(Lane.doubles(RdnaOps::maximum), F64, F64, F64).byMode();
      default -> null;
    };
  }

  private static float minimum(float a, float b) {
    return Float.isNaN(a) || Float.isNaN(b) ? a + b : Math.min(a, b);
  }

  private static float maximum(float a, float b) {
    return Float.isNaN(a) || Float.isNaN(b) ? a + b : Math.max(a, b);
  }

  private static double minimum(double a, double b) {
    return Double.isNaN(a) || Double.isNaN(b) ? a + b : Math.min(a, b);
  }

  private static double maximum(double a, double b) {
    return Double.isNaN(a) || Double.isNaN(b) ? a + b : Math.max(a, b);
  }

  private static Lane halves(boolean most) {
    return (a, b, c, bit) -> half(a, b, most);
  }

  private static long half(long a, long b, boolean most) {
    if (Half.isNan(a)) {
      return (a & 0xffff) | QUIET;
    }
    if (Half.isNan(b)) {
      return (b & 0xffff) | QUIET;
    }
    float x = Half.value(a);
    float y = Half.value(b);
    return Half.bits(most ? Math.max(x, y) : Math.min(x, y));
  }

  private static Definition ofHalves(boolean first, boolean second) {
    return three((a, b, c, bit) -> half(half(a, b, first), c, second), F16).byMode();
  }

  private static Definition three(Lane lane, DataType type) {
    return Definition.of(lane, type, type, type, type);
  }
}
