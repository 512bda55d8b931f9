package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.F64;
import static dev.rocport.device.isa.DataType.PK_F16;
import static java.util.Objects.requireNonNull;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.XOR;

/** What modifiers do, as routines. */
final class Bits {
  /** (a & b) ^ c: absolute values and negations. */
  static final Routine AND_XOR =
      new Routine(
          Definition.of(Lane.ints((a, b, c) -> (a & b) ^ c), B32, B32, B32, B32)
              .form(VectorForm.ints((a, b, c) -> a.and(b).lanewise(XOR, c))));

  /** a << b >>> c: a field, moved. */
  static final Routine FIELD =
      new Routine(
          Definition.of(Lane.ints((a, b, c) -> a << b >>> c), B32, B32, B32, B32)
              .form(VectorForm.ints((a, b, c) -> a.lanewise(LSHL, b).lanewise(LSHR, c))));

  /** a << b >> c: a field with its sign, moved. */
  static final Routine SIGNED_FIELD =
      new Routine(
          Definition.of(Lane.ints((a, b, c) -> a << b >> c), B32, B32, B32, B32)
              .form(VectorForm.ints((a, b, c) -> a.lanewise(LSHL, b).lanewise(ASHR, c))));

  /** The halves of a that begin at bits b and c. */
  static final Routine HALVES =
      new Routine(
          Definition.of(
                  Lane.ints((a, b, c) -> (a >>> b & 0xffff) | a >>> c << 16), B32, B32, B32, B32)
              .form(
                  VectorForm.ints(
                      (a, b, c) ->
                          a.lanewise(LSHR, b)
                              .and(0xffff)
                              .or(a.lanewise(LSHR, c).lanewise(LSHL, 16)))));

  /** b where a has ones, else c. */
  static final Routine INSERT = named(Integers.named("v_bfi_b32"));

  static final Routine MOVE = new Routine(Integers.MOVE);

  /** The float clamp, with DX10_CLAMP: NaN becomes 0. */
  static final Routine CLAMP_F32 =
      new Routine(Definition.of(Lane.floats(a -> a > 0 ? Math.min(a, 1) : 0), F32, F32));

  static final Routine CLAMP_F64 =
      new Routine(Definition.of(Lane.doubles(a -> a > 0 ? Math.min(a, 1) : 0), F64, F64));
  static final Routine CLAMP_F16 = new Routine(Definition.of(Lane.ints(Bits::clampHalf), F16, F16));
  static final Routine CLAMP_PK_F16 =
      new Routine(
          Definition.of(Lane.ints(a -> clampHalf(a) | clampHalf(a >>> 16) << 16), PK_F16, PK_F16));

  private Bits() {}

  private static Routine named(@org.jspecify.annotations.Nullable Definition definition) {
    return new Routine(requireNonNull(definition));
  }

  private static int clampHalf(int bits) {
    float value = Half.value(bits);
    return value > 0 ? Half.bits(Math.min(value, 1)) : 0;
  }
}
