package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;
import static dev.rocport.device.nativecode.LaneWork.one;
import static dev.rocport.device.nativecode.LaneWork.three;
import static dev.rocport.device.nativecode.LaneWork.two;

import org.jspecify.annotations.Nullable;

/** What opcodes of the vector ALU compute from floats. */
final class FloatWork {
  private static final FloatFormat F32 = FloatFormat.F32;

  private FloatWork() {}

  private static LaneWork f32(String op) {
    return two((c, a, b) -> c.f32(op, a, b));
  }

  static @Nullable LaneWork of(String name) {
    return switch (name) {
      case "v_add_f32" -> f32("fadd");
      case "v_sub_f32" -> f32("fsub");
      case "v_subrev_f32" -> two((c, a, b) -> c.f32("fsub", b, a));
      case "v_mul_f32" -> f32("fmul");
      case "v_min_f32" -> two((c, a, b) -> F32.least(c, "minimum", a, b));
      case "v_max_f32" -> two((c, a, b) -> F32.least(c, "maximum", a, b));
      case "v_min3_f32" ->
          three((c, a, b, d) -> F32.least(c, "minimum", F32.least(c, "minimum", a, b), d));
      case "v_max3_f32" ->
          three((c, a, b, d) -> F32.least(c, "maximum", F32.least(c, "maximum", a, b), d));
      case "v_med3_f32" -> three(F32::median);
      case "v_maxmin_f32" ->
          three((c, a, b, d) -> F32.least(c, "minimum", F32.least(c, "maximum", a, b), d));
      case "v_minmax_f32" ->
          three((c, a, b, d) -> F32.least(c, "maximum", F32.least(c, "minimum", a, b), d));
      // The order of factors and summand of v_fmamk and v_fmaak is that of the assembler.
      case "v_fma_f32", "v_fmac_f32", "v_fmamk_f32", "v_fmaak_f32" ->
          three((c, a, b, d) -> c.fma32(a, b, d));
      case "v_trunc_f32" -> one((c, a) -> F32.call(c, "trunc", a));
      case "v_ceil_f32" -> one((c, a) -> F32.call(c, "ceil", a));
      case "v_floor_f32" -> one((c, a) -> F32.call(c, "floor", a));
      case "v_rndne_f32" -> one((c, a) -> F32.call(c, "roundeven", a));
      case "v_ldexp_f32" -> two(FloatWork::scaled);
      case "v_fract_f32" -> one((c, a) -> F32.fraction(c, a, BELOW_ONE));
      // All floats are normal numbers in 64 bits.
      case "v_frexp_exp_i32_f32" -> one((c, a) -> DoubleWork.exponent(c, doubled(c, a)));
      case "v_frexp_mant_f32" -> one((c, a) -> single(c, DoubleWork.mantissa(c, doubled(c, a))));
      case "v_mad_f32", "v_mac_f32", "v_madmk_f32", "v_madak_f32" ->
          three(
              (c, a, b, d) -> {
                String product = flushed(c, c.f32("fmul", flushed(c, a), flushed(c, b)));
                return flushed(c, c.f32("fadd", product, flushed(c, d)));
              });
      case "v_rcp_f32", "v_rcp_iflag_f32" -> wider(SeriesWork::reciprocal);
      case "v_rsq_f32" -> wider(SeriesWork::reciprocalRoot);
      case "v_sqrt_f32" -> wider(SeriesWork::root);
      case "v_exp_f32" -> wider(SeriesWork::exp2);
      case "v_log_f32", "v_log_legacy_f32" -> wider(SeriesWork::log2);
      case "v_sin_f32" -> wider(SeriesWork::sine);
      case "v_cos_f32" -> wider(SeriesWork::cosine);
      case "v_cvt_f32_i32" -> one((c, a) -> c.toInts(c.convert("sitofp", c.ints, a, c.floats)));
      case "v_cvt_f32_u32" -> one((c, a) -> c.toInts(c.convert("uitofp", c.ints, a, c.floats)));
      case "v_cvt_i32_f32" -> one((c, a) -> saturated(c, "fptosi", c.floats, "f32", c.toFloats(a)));
      case "v_cvt_u32_f32" -> one((c, a) -> saturated(c, "fptoui", c.floats, "f32", c.toFloats(a)));
      case "v_cvt_f64_i32" -> one((c, a) -> c.toLongs(c.convert("sitofp", c.ints, a, c.doubles)));
      case "v_cvt_f64_u32" -> one((c, a) -> c.toLongs(c.convert("uitofp", c.ints, a, c.doubles)));
      case "v_cvt_i32_f64" ->
          one((c, a) -> saturated(c, "fptosi", c.doubles, "f64", c.toDoubles(a)));
      case "v_cvt_u32_f64" ->
          one((c, a) -> saturated(c, "fptoui", c.doubles, "f64", c.toDoubles(a)));
      case "v_cvt_f32_f64" -> one(FloatWork::single);
      case "v_cvt_f64_f32" -> one(FloatWork::doubled);
      case "v_cvt_f32_ubyte0" -> octet(0);
      case "v_cvt_f32_ubyte1" -> octet(8);
      case "v_cvt_f32_ubyte2" -> octet(16);
      case "v_cvt_f32_ubyte3" -> octet(24);
      case "v_div_fixup_f32" -> three(Division.F32::fixup);
      case "v_div_fmas_f32" -> new LaneWork(3, true, Division.F32::fmas, null);
      case "v_div_scale_f32" -> new LaneWork(3, false, Division.F32::scale, Division.F32::scaled);
      default -> null;
    };
  }

  /** The greatest float below 1. */
  private static final String BELOW_ONE = n(Float.floatToRawIntBits(Math.nextDown(1f)));

  private static String single(Chunk c, String a) {
    return c.toInts(c.convert("fptrunc", c.doubles, c.toDoubles(a), c.floats));
  }

  private static String doubled(Chunk c, String a) {
    return c.toLongs(c.convert("fpext", c.floats, c.toFloats(a), c.doubles));
  }

  private static String scaled(Chunk c, String a, String b) {
    String product = SeriesWork.scaled(c, c.toDoubles(doubled(c, a)), b, 300);
    return single(c, c.toLongs(product));
  }

  private static LaneWork octet(int shift) {
    return one(
        (c, a) ->
            c.toInts(
                c.convert(
                    "uitofp", c.ints, c.i32("and", c.i32("lshr", a, n(shift)), n(255)), c.floats)));
  }

  static String saturated(Chunk c, String how, String from, String suffix, String a) {
    return c.ir.value(
        "call %s @llvm.%s.sat.v%di32.v%d%s(%s %s)", c.ints, how, c.width, c.width, suffix, from, a);
  }

  /** The float clamp, with DX10_CLAMP: NaN becomes 0. */
  static String clamped(Chunk c, String a) {
    String x = c.toFloats(a);
    String positive = c.ir.value("fcmp ogt %s %s, zeroinitializer", c.floats, x);
    String above = c.ir.value("fcmp ogt %s %s, splat (float 1.0)", c.floats, x);
    String most = c.select(above, c.ints, n(0x3f800000), a);
    return c.select(positive, c.ints, most, n(0));
  }

  /**
   * A float by a function of doubles, rounded once. Denormals are zeros, before and after; what has
   * no result is the NaN of AMD's manual.
   */
  private static LaneWork wider(SeriesWork.Function f) {
    return one(
        (c, a) -> {
          String in = c.toFloats(flushed(c, a));
          String y = f.of(c, c.convert("fpext", c.floats, in, c.doubles));
          String r = c.convert("fptrunc", c.doubles, y, c.floats);
          String raw = c.toFloats(a);
          String nanIn = c.ir.value("fcmp uno %s %s, %s", c.floats, raw, raw);
          String nanOut = c.ir.value("fcmp uno %s %s, %s", c.floats, r, r);
          String result = flushed(c, c.toInts(r));
          result = c.select(nanOut, c.ints, n(0xffc00000), result);
          return c.select(nanIn, c.ints, c.i32("or", a, n(0x400000)), result);
        });
  }

  private static String flushed(Chunk c, String a) {
    String small = c.i32("icmp eq", c.i32("and", a, n(0x7f800000)), n(0));
    return c.select(small, c.ints, c.i32("and", a, n(0x80000000)), a);
  }

  /**
   * A comparison.
   *
   * @param bits of the floats: 16, 32 or 64
   */
  static @Nullable LaneWork compare(String how, int bits) {
    String test =
        switch (how) {
          case "f" -> "false";
          case "lt", "eq", "le", "gt", "ge" -> "o" + how;
          case "lg" -> "one";
          case "o" -> "ord";
          case "u" -> "uno";
          case "nge" -> "ult";
          case "nlg" -> "ueq";
          case "ngt" -> "ule";
          case "nle" -> "ugt";
          case "neq" -> "une";
          case "nlt" -> "uge";
          case "tru" -> "true";
          default -> null;
        };
    if (test == null) {
      return null;
    }
    if (bits == 16) {
      return HalfWork.compare(test);
    }
    FloatFormat format = bits == 64 ? FloatFormat.F64 : F32;
    return new LaneWork(2, false, null, v -> format.test(v.c(), test, v.a(), v.second()));
  }
}
