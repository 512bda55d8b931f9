package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B16;
import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.I16;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.U16;
import static dev.rocport.device.isa.DataType.U32;

import dev.rocport.device.isa.DataType;
import org.jspecify.annotations.Nullable;

/** Opcodes that RDNA has and CDNA has not. Source: AMD's RDNA3 ISA manual. */
final class RdnaOps {
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
      case "v_not_b16" -> Definition.of(Lane.ints(a -> ~a & 0xffff), B16, B16);
      case "v_and_b16" -> Definition.of(Lane.ints((a, b) -> a & b & 0xffff), B16, B16, B16);
      case "v_or_b16" -> Definition.of(Lane.ints((a, b) -> (a | b) & 0xffff), B16, B16, B16);
      case "v_xor_b16" -> Definition.of(Lane.ints((a, b) -> (a ^ b) & 0xffff), B16, B16, B16);
      case "v_cndmask_b16" ->
          Definition.of((a, b, c, bit) -> (bit ? b : a) & 0xffff, B16, B16, B16).takingMask();
      default -> null;
    };
  }

  private static Definition three(Lane lane, DataType type) {
    return Definition.of(lane, type, type, type, type);
  }
}
