package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B16;
import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.I16;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.U16;
import static dev.rocport.device.isa.DataType.U32;

import dev.rocport.device.isa.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of 16 bits. Opcodes that VOP1 and VOP2 have too clear the high half of their destination;
 * those of VOP3 alone, and the mac family, leave the other half as it was. Source: LLVM's
 * zeroesHigh16BitsOfDest.
 */
final class Halves {
  private static final float BELOW_ONE = Half.value(0x3bff);

  private Halves() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_add_f16" ->
          two((a, b) -> a + b).byMode(Directed.halves((a, b, c) -> a + b, (a, b, c) -> a.add(b)));
      case "v_sub_f16" ->
          two((a, b) -> a - b)
              .byMode(Directed.halves((a, b, c) -> a - b, (a, b, c) -> a.subtract(b)));
      case "v_subrev_f16" ->
          two((a, b) -> b - a)
              .byMode(Directed.halves((a, b, c) -> b - a, (a, b, c) -> b.subtract(a)));
      case "v_mul_f16" ->
          two((a, b) -> a * b)
              .byMode(Directed.halves((a, b, c) -> a * b, (a, b, c) -> a.multiply(b)));
      case "v_min_f16" -> of(MIN, F16, F16, F16).byMode();
      case "v_max_f16" -> of(MAX, F16, F16, F16).byMode();
      case "v_min3_f16" -> three((a, b, c, bit) -> min(min(a, b), c)).byMode();
      case "v_max3_f16" -> three((a, b, c, bit) -> max(max(a, b), c)).byMode();
      case "v_med3_f16" -> three((a, b, c, bit) -> median(a, b, c)).byMode();
      case "v_fma_f16" -> three(FMA).byMode(FMA_ROUNDED);
      case "v_fma_legacy_f16" -> of(FMA, F16, F16, F16, F16).byMode(FMA_ROUNDED);
      case "v_mad_f16", "v_mac_f16", "v_madmk_f16", "v_madak_f16" ->
          three(Halves::multiplyThenAdd).onlyToNearest();
      case "v_mad_legacy_f16" -> of(Halves::multiplyThenAdd, F16, F16, F16, F16).onlyToNearest();
      case "v_div_fixup_f16" -> Divisions.FIXUP_F16.keepingHalf();
      case "v_div_fixup_legacy_f16" -> Divisions.FIXUP_F16;
      case "v_trunc_f16" -> one(a -> a < 0 ? (float) Math.ceil(a) : (float) Math.floor(a)).byMode();
      case "v_ceil_f16" -> one(a -> (float) Math.ceil(a)).byMode();
      case "v_floor_f16" -> one(a -> (float) Math.floor(a)).byMode();
      case "v_rndne_f16" -> one(Floats::even).byMode();
      case "v_fract_f16" -> one(a -> Math.min(a - (float) Math.floor(a), BELOW_ONE)).byMode();
      case "v_ldexp_f16" ->
          Definition.of(
                  (a, b, c, bit) -> Half.bits(Math.scalb((double) Half.value(a), (short) b)),
                  F16,
                  F16,
                  I16)
              .onlyToNearest();
      case "v_frexp_exp_i16_f16" -> of((a, b, c, bit) -> exponent(a) & 0xffff, I16, F16).byMode();
      case "v_frexp_mant_f16" ->
          one(a -> a == 0 || !Float.isFinite(a) ? a : Math.scalb(a, -Math.getExponent(a) - 1))
              .byMode();
      case "v_add_u16" ->
          unsigned(Lane.ints((a, b) -> low(a + b)))
              .clamped(Lane.ints((a, b) -> Math.min(low(a) + low(b), 0xffff)));
      case "v_sub_u16" ->
          unsigned(Lane.ints((a, b) -> low(a - b)))
              .clamped(Lane.ints((a, b) -> Math.max(low(a) - low(b), 0)));
      case "v_subrev_u16" ->
          unsigned(Lane.ints((a, b) -> low(b - a)))
              .clamped(Lane.ints((a, b) -> Math.max(low(b) - low(a), 0)));
      case "v_mul_lo_u16" -> unsigned(Lane.ints((a, b) -> low(a * b)));
      case "v_lshlrev_b16" -> of(Lane.ints((a, b) -> low(b << (a & 15))), B16, B16, B16);
      case "v_lshrrev_b16" -> of(Lane.ints((a, b) -> low(b) >> (a & 15)), B16, B16, B16);
      case "v_ashrrev_i16" -> of(Lane.ints((a, b) -> low((short) b >> (a & 15))), I16, B16, I16);
      case "v_max_u16" -> unsigned(Lane.ints((a, b) -> Math.max(low(a), low(b))));
      case "v_min_u16" -> unsigned(Lane.ints((a, b) -> Math.min(low(a), low(b))));
      case "v_max_i16" -> signed(Lane.ints((a, b) -> low(Math.max((short) a, (short) b))));
      case "v_min_i16" -> signed(Lane.ints((a, b) -> low(Math.min((short) a, (short) b))));
      case "v_add_i16" ->
          signed(Lane.ints((a, b) -> low(a + b)))
              .clamped(Lane.ints((a, b) -> saturate((short) a + (short) b)))
              .keepingHalf();
      case "v_sub_i16" ->
          signed(Lane.ints((a, b) -> low(a - b)))
              .clamped(Lane.ints((a, b) -> saturate((short) a - (short) b)))
              .keepingHalf();
      case "v_mad_u16" -> MAD_U16.keepingHalf();
      case "v_mad_legacy_u16" -> MAD_U16;
      case "v_mad_i16" -> MAD_I16.keepingHalf();
      case "v_mad_legacy_i16" -> MAD_I16;
      case "v_mad_u32_u16" ->
          of(Lane.longs((a, b, c) -> (a & 0xffff) * (b & 0xffff) + c), U32, U16, U16, U32)
              .clamped(
                  Lane.longs((a, b, c) -> Math.min((a & 0xffff) * (b & 0xffff) + c, 0xffffffffL)));
      case "v_mad_i32_i16" ->
          of(Lane.ints((a, b, c) -> (short) a * (short) b + c), I32, I16, I16, I32)
              .clamped(Lane.ints((a, b, c) -> Integers.saturate((long) (short) a * (short) b + c)));
      case "v_min3_i16" ->
          triple(I16, (a, b, c) -> Math.min(Math.min((short) a, (short) b), (short) c));
      case "v_max3_i16" ->
          triple(I16, (a, b, c) -> Math.max(Math.max((short) a, (short) b), (short) c));
      case "v_med3_i16" -> triple(I16, (a, b, c) -> middle((short) a, (short) b, (short) c));
      case "v_min3_u16" -> triple(U16, (a, b, c) -> Math.min(Math.min(low(a), low(b)), low(c)));
      case "v_max3_u16" -> triple(U16, (a, b, c) -> Math.max(Math.max(low(a), low(b)), low(c)));
      case "v_med3_u16" -> triple(U16, (a, b, c) -> middle(low(a), low(b), low(c)));
      default -> null;
    };
  }

  static final Lane FMA = (a, b, c, bit) -> Half.fma(Half.value(a), Half.value(b), Half.value(c));

  static final Definition.Rounded FMA_ROUNDED =
      Directed.halves((a, b, c) -> a * b + c, (a, b, c) -> a.multiply(b).add(c));

  static final Lane MIN = (a, b, c, bit) -> min(a, b);
  static final Lane MAX = (a, b, c, bit) -> max(a, b);

  static final Definition MAD_U16 =
      of(Lane.ints((a, b, c) -> low(a * b + c)), U16, U16, U16, U16)
          .clamped(
              Lane.longs(
                  (a, b, c) -> Math.min((a & 0xffff) * (b & 0xffff) + (c & 0xffff), 0xffff)));

  static final Definition MAD_I16 =
      of(Lane.ints((a, b, c) -> low(a * b + c)), I16, I16, I16, I16)
          .clamped(Lane.ints((a, b, c) -> saturate((long) (short) a * (short) b + (short) c)));

  private static Definition of(Lane lane, DataType result, DataType... sources) {
    return Definition.of(lane, result, sources);
  }

  private static Definition one(Lane.Float1 f) {
    return Definition.of(Lane.halves(f), F16, F16);
  }

  private static Definition two(Lane.Float2 f) {
    return Definition.of(Lane.halves(f), F16, F16, F16);
  }

  private static Definition three(Lane lane) {
    return Definition.of(lane, F16, F16, F16, F16).keepingHalf();
  }

  private static Definition triple(DataType type, Lane.Int3 f) {
    return Definition.of(
            (a, b, c, bit) -> low(f.apply((int) a, (int) b, (int) c)), type, type, type, type)
        .keepingHalf();
  }

  private static Definition unsigned(Lane lane) {
    return Definition.of(lane, U16, U16, U16);
  }

  private static Definition signed(Lane lane) {
    return Definition.of(lane, I16, I16, I16);
  }

  static int low(int a) {
    return a & 0xffff;
  }

  static int saturate(long a) {
    return low(Math.clamp(a, Short.MIN_VALUE, Short.MAX_VALUE));
  }

  private static int middle(int a, int b, int c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /** With IEEE set: a signaling NaN wins, a quiet one loses against a number. */
  static long min(long a, long b) {
    return Half.isNan(a) || Half.isNan(b)
        ? withNan(a & 0xffff, b & 0xffff)
        : Half.bits(Math.min(Half.value(a), Half.value(b)));
  }

  static long max(long a, long b) {
    return Half.isNan(a) || Half.isNan(b)
        ? withNan(a & 0xffff, b & 0xffff)
        : Half.bits(Math.max(Half.value(a), Half.value(b)));
  }

  private static long withNan(long a, long b) {
    boolean first = signals(a) || (!signals(b) && Half.isNan(b));
    long chosen = first ? a : b;
    return Half.isNan(chosen) ? chosen | 0x200 : chosen;
  }

  private static boolean signals(long a) {
    return Half.isNan(a) && (a & 0x200) == 0;
  }

  private static long median(long a, long b, long c) {
    return Half.isNan(a) || Half.isNan(b) || Half.isNan(c)
        ? min(min(a, b), c)
        : max(min(a, b), min(max(a, b), c));
  }

  /** Two roundings, and no denormals whatever MODE says. */
  private static long multiplyThenAdd(long a, long b, long c, boolean bit) {
    float product = Half.value(flush(Half.bits(flushed(a) * flushed(b))));
    return flush(Half.bits(product + flushed(c)));
  }

  private static float flushed(long bits) {
    return Half.value(flush(bits));
  }

  private static long flush(long bits) {
    return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits & 0xffff;
  }

  private static long exponent(long bits) {
    float value = Half.value(bits);
    return value == 0 || !Float.isFinite(value) ? 0 : Math.getExponent(value) + 1;
  }
}
