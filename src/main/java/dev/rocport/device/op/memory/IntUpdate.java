package dev.rocport.device.op.memory;

import java.util.Optional;

/** The new value of a 32-bit atomic. CDNA3 ISA, chapters "FLAT, Scratch and Global" and "LDS". */
@FunctionalInterface
interface IntUpdate {
  /**
   * The new value.
   *
   * @param memory the old one
   * @param data the first data operand
   * @param second the second one, where there is one
   */
  int apply(int memory, int data, int second);

  /** The update of a mnemonic without prefix and {@code rtn}: {@code smin}, of LDS min_i32. */
  static Optional<IntUpdate> of(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "swap", "wrxchg_b32" -> (m, d, s) -> d;
          case "cmpswap" -> (m, d, s) -> m == s ? d : m;
          case "cmpst_b32" -> (m, d, s) -> m == d ? s : m;
          case "cmpst_f32" ->
              (m, d, s) -> Float.intBitsToFloat(m) == Float.intBitsToFloat(d) ? s : m;
          case "add", "add_u32" -> (m, d, s) -> m + d;
          case "sub", "sub_u32" -> (m, d, s) -> m - d;
          case "rsub_u32" -> (m, d, s) -> d - m;
          case "smin", "min_i32" -> (m, d, s) -> Math.min(m, d);
          case "smax", "max_i32" -> (m, d, s) -> Math.max(m, d);
          case "umin", "min_u32" -> (m, d, s) -> Integer.compareUnsigned(m, d) < 0 ? m : d;
          case "umax", "max_u32" -> (m, d, s) -> Integer.compareUnsigned(m, d) > 0 ? m : d;
          case "and", "and_b32" -> (m, d, s) -> m & d;
          case "or", "or_b32" -> (m, d, s) -> m | d;
          case "xor", "xor_b32" -> (m, d, s) -> m ^ d;
          case "mskor_b32" -> (m, d, s) -> (m & ~d) | s;
          case "inc", "inc_u32" -> (m, d, s) -> Integer.compareUnsigned(m, d) >= 0 ? 0 : m + 1;
          case "dec", "dec_u32" ->
              (m, d, s) -> m == 0 || Integer.compareUnsigned(m, d) > 0 ? d : m - 1;
          case "cond_sub", "cond_sub_u32" ->
              (m, d, s) -> Integer.compareUnsigned(m, d) >= 0 ? m - d : m;
          case "sub_clamp", "sub_clamp_u32" ->
              (m, d, s) -> Integer.compareUnsigned(m, d) >= 0 ? m - d : 0;
          case "wrap_b32" -> (m, d, s) -> Integer.compareUnsigned(m, d) >= 0 ? m - d : m + s;
          case "add_f32" ->
              (m, d, s) ->
                  Float.floatToRawIntBits(Float.intBitsToFloat(m) + Float.intBitsToFloat(d));
          case "min_f32" -> (m, d, s) -> FloatUpdates.min(m, d);
          case "max_f32" -> (m, d, s) -> FloatUpdates.max(m, d);
          case "pk_add_f16" ->
              (m, d, s) ->
                  FloatUpdates.addHalf(m, d) | FloatUpdates.addHalf(m >> 16, d >> 16) << 16;
          case "pk_add_bf16" ->
              (m, d, s) ->
                  FloatUpdates.addBrain(m, d) | FloatUpdates.addBrain(m >> 16, d >> 16) << 16;
          default -> null;
        });
  }
}
