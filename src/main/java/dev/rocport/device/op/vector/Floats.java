package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.I32;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/** Floats of 32 bits. */
final class Floats {
  private Floats() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_add_f32" ->
          two(Arithmetic::sum, (a, b, c) -> Arithmetic.sum(a, b))
              .byMode(Directed.floats((a, b, c) -> a + b, (a, b, c) -> a.add(b)));
      case "v_sub_f32" ->
          two(Arithmetic::difference, (a, b, c) -> Arithmetic.difference(a, b))
              .byMode(Directed.floats((a, b, c) -> a - b, (a, b, c) -> a.subtract(b)));
      case "v_subrev_f32" ->
          two((a, b) -> Arithmetic.difference(b, a), (a, b, c) -> Arithmetic.difference(b, a))
              .byMode(Directed.floats((a, b, c) -> b - a, (a, b, c) -> b.subtract(a)));
      case "v_mul_f32" ->
          two(Arithmetic::product, (a, b, c) -> Arithmetic.product(a, b))
              .byMode(Directed.floats((a, b, c) -> a * b, (a, b, c) -> a.multiply(b)));
      case "v_mul_legacy_f32" -> two(Floats::legacyProduct).onlyToNearest();
      case "v_min_f32" -> two(Floats::min, Floats::min).byMode();
      case "v_max_f32" -> two(Floats::max, Floats::max).byMode();
      case "v_minimum3_f32" -> three((a, b, c) -> minimum(minimum(a, b), c)).byMode();
      case "v_maximum3_f32" -> three((a, b, c) -> maximum(maximum(a, b), c)).byMode();
      case "v_min3_f32" -> three((a, b, c) -> min(min(a, b), c)).byMode();
      case "v_max3_f32" -> three((a, b, c) -> max(max(a, b), c)).byMode();
      case "v_med3_f32" -> three(Floats::median).byMode();
      // The sum of the mixed instructions, whose sources are floats of 32 bits by then.
      case "v_fma_mix_f32" ->
          three(Arithmetic::fma)
              .byMode(Directed.floats((a, b, c) -> a * b + c, (a, b, c) -> a.multiply(b).add(c)));
      case "v_fma_f32", "v_fmac_f32", "v_fmamk_f32", "v_fmaak_f32" ->
          three(Arithmetic::fma)
              .form(VectorForm.floats(Arithmetic::fma))
              .byMode(Directed.floats((a, b, c) -> a * b + c, (a, b, c) -> a.multiply(b).add(c)));
      case "v_fma_dx9_zero_f32", "v_fmac_dx9_zero_f32" -> three(Floats::legacyFma).onlyToNearest();
      // These never keep denormals, whatever MODE says.
      case "v_mad_f32", "v_mac_f32", "v_madmk_f32", "v_madak_f32" ->
          three(
                  (a, b, c) ->
                      flush(
                          Arithmetic.sum(flush(Arithmetic.product(flush(a), flush(b))), flush(c))))
              .onlyToNearest();
      case "v_mad_legacy_f32" ->
          three(
                  (a, b, c) ->
                      flush(Arithmetic.sum(flush(legacyProduct(flush(a), flush(b))), flush(c))))
              .onlyToNearest();
      case "v_trunc_f32" -> one(a -> a < 0 ? (float) Math.ceil(a) : (float) Math.floor(a)).byMode();
      case "v_ceil_f32" -> one(a -> (float) Math.ceil(a)).byMode();
      case "v_floor_f32" -> one(a -> (float) Math.floor(a)).byMode();
      case "v_rndne_f32" -> one(Floats::even).byMode();
      case "v_fract_f32" ->
          one(a -> Math.min(a - (float) Math.floor(a), Float.intBitsToFloat(0x3f7fffff))).byMode();
      case "v_ldexp_f32" ->
          Definition.of(
                  (a, b, c, bit) ->
                      Float.floatToRawIntBits(Math.scalb(Float.intBitsToFloat((int) a), (int) b)),
                  F32,
                  F32,
                  I32)
              .onlyToNearest();
      case "v_frexp_exp_i32_f32" ->
          Definition.of(Lane.ints(a -> exponent(Float.intBitsToFloat(a))), I32, F32).byMode();
      case "v_frexp_mant_f32" ->
          one(a -> a == 0 || !Float.isFinite(a) ? quiet(a) : Math.scalb(a, -exponent(a))).byMode();
      case "v_cubeid_f32" -> three(CubeFaces::face).byMode();
      case "v_cubesc_f32" -> three(CubeFaces::column).byMode();
      case "v_cubetc_f32" -> three(CubeFaces::row).byMode();
      case "v_cubema_f32" -> three(CubeFaces::twiceMajor).byMode();
      case "v_div_scale_f32" -> Divisions.SCALE_F32;
      case "v_div_fmas_f32" -> Divisions.FMAS_F32;
      case "v_div_fixup_f32" -> Divisions.FIXUP_F32;
      default -> null;
    };
  }

  private static Definition one(Lane.Float1 f) {
    return Definition.of(Lane.floats(f), F32, F32);
  }

  private static Definition two(Lane.Float2 f) {
    return Definition.of(Lane.floats(f), F32, F32, F32);
  }

  private static Definition two(Lane.Float2 f, VectorForm.Real form) {
    return two(f).form(VectorForm.floats(form));
  }

  private static Definition three(Lane.Float3 f) {
    return Definition.of(Lane.floats(f), F32, F32, F32, F32);
  }

  static float flush(float a) {
    return Math.abs(a) < Float.MIN_NORMAL ? Math.copySign(0f, a) : a;
  }

  /** To the nearest integer, ties to even. {@link Math#rint} may lose the sign of a NaN. */
  static float even(float a) {
    return Float.isNaN(a) ? quiet(a) : (float) Math.rint(a);
  }

  static float quiet(float a) {
    return Float.isNaN(a) ? Float.intBitsToFloat(Float.floatToRawIntBits(a) | 0x400000) : a;
  }

  private static boolean signals(float a) {
    return Float.isNaN(a) && (Float.floatToRawIntBits(a) & 0x400000) == 0;
  }

  /** 0 times anything is 0. */
  private static float legacyProduct(float a, float b) {
    return a == 0 || b == 0 ? 0 : Arithmetic.product(a, b);
  }

  /** Likewise; that 0 is added too (LLVM, {@code llvm.amdgcn.fma.legacy}). */
  private static float legacyFma(float a, float b, float c) {
    return a == 0 || b == 0 ? Arithmetic.sum(0, c) : Arithmetic.fma(a, b, c);
  }

  /** The smaller one, or a NaN: minimum of IEEE 754-2019. */
  private static float minimum(float a, float b) {
    return Arithmetic.first(Math.min(a, b), a, b, b);
  }

  private static float maximum(float a, float b) {
    return Arithmetic.first(Math.max(a, b), a, b, b);
  }

  /** With IEEE set: a signaling NaN wins, a quiet one loses against a number. */
  static float min(float a, float b) {
    if (Float.isNaN(a) || Float.isNaN(b)) {
      return withNan(a, b);
    }
    return Math.min(a, b);
  }

  static float max(float a, float b) {
    if (Float.isNaN(a) || Float.isNaN(b)) {
      return withNan(a, b);
    }
    return Math.max(a, b);
  }

  private static float withNan(float a, float b) {
    if (signals(a) || (!signals(b) && Float.isNaN(b))) {
      return quiet(a);
    }
    return quiet(b);
  }

  private static FloatVector min(FloatVector a, FloatVector b, FloatVector c) {
    return withNan(a.min(b), a, b);
  }

  private static FloatVector max(FloatVector a, FloatVector b, FloatVector c) {
    return withNan(a.max(b), a, b);
  }

  private static FloatVector withNan(FloatVector r, FloatVector a, FloatVector b) {
    VectorMask<Float> nanA = a.test(VectorOperators.IS_NAN);
    VectorMask<Float> nanB = b.test(VectorOperators.IS_NAN);
    if (!nanA.or(nanB).anyTrue()) {
      return r;
    }
    FloatVector quietA = a.blend(Arithmetic.quiet(a), nanA);
    FloatVector quietB = b.blend(Arithmetic.quiet(b), nanB);
    VectorMask<Float> signalsA = differ(a, quietA);
    VectorMask<Float> signalsB = differ(b, quietB);
    return r.blend(quietB, nanA.or(signalsB))
        .blend(quietA, nanB.andNot(signalsB))
        .blend(quietA, signalsA);
  }

  private static VectorMask<Float> differ(FloatVector a, FloatVector b) {
    return a.reinterpretAsInts()
        .compare(VectorOperators.NE, b.reinterpretAsInts())
        .cast(a.species());
  }

  /** With a NaN: the least of the three. Else the one in the middle. */
  private static float median(float a, float b, float c) {
    if (Float.isNaN(a) || Float.isNaN(b) || Float.isNaN(c)) {
      return min(min(a, b), c);
    }
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /** Of a mantissa in [0.5, 1); 0 for zero, infinity and NaN. */
  private static int exponent(float a) {
    if (a == 0 || !Float.isFinite(a)) {
      return 0;
    }
    return Math.getExponent((double) a) + 1;
  }
}
