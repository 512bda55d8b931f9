package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sequences that LLVM makes of a division give the correctly rounded quotient. */
final class DivisionTest {
  private static final int CASES = 200_000;

  private final Random random = new Random(5);

  private static long lane(String name, long a, long b, long c, boolean bit) {
    return Definition.known(VectorTranslator.definition(name).orElseThrow().lane())
        .apply(a, b, c, bit);
  }

  private static final Lane SCALE_F32 = laneOf("v_div_scale_f32");
  private static final Lane FMAS_F32 = laneOf("v_div_fmas_f32");
  private static final Lane FIXUP_F32 = laneOf("v_div_fixup_f32");
  private static final Lane SCALE_F64 = laneOf("v_div_scale_f64");
  private static final Lane FMAS_F64 = laneOf("v_div_fmas_f64");
  private static final Lane FIXUP_F64 = laneOf("v_div_fixup_f64");
  private static final Lane RCP_F32 = laneOf("v_rcp_f32");

  private static Lane laneOf(String name) {
    return Definition.known(VectorTranslator.definition(name).orElseThrow().lane());
  }

  private static long bits(float x) {
    return Float.floatToRawIntBits(x) & 0xffffffffL;
  }

  private static float real(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  private static float divide(float n, float d) {
    long nb = bits(n);
    long db = bits(d);
    float den = real(SCALE_F32.apply(db, db, nb, false));
    float num = real(SCALE_F32.apply(nb, db, nb, false));
    dev.rocport.device.op.vector.Test vcc =
        Definition.known(VectorTranslator.definition("v_div_scale_f32").orElseThrow().test());
    boolean scaled = vcc.test(nb, db, nb, false);
    float rcp = real(RCP_F32.apply(bits(den), 0, 0, false));
    float e = Math.fma(-den, rcp, 1f);
    float r = Math.fma(e, rcp, rcp);
    float q = num * r;
    float e2 = Math.fma(-den, q, num);
    float q2 = Math.fma(e2, r, q);
    float e3 = Math.fma(-den, q2, num);
    float s = real(FMAS_F32.apply(bits(e3), bits(r), bits(q2), scaled));
    return real(FIXUP_F32.apply(bits(s), db, nb, false));
  }

  private static double divide(double n, double d, float worse) {
    long nb = Double.doubleToRawLongBits(n);
    long db = Double.doubleToRawLongBits(d);
    double den = Double.longBitsToDouble(SCALE_F64.apply(db, db, nb, false));
    double num = Double.longBitsToDouble(SCALE_F64.apply(nb, db, nb, false));
    dev.rocport.device.op.vector.Test vcc =
        Definition.known(VectorTranslator.definition("v_div_scale_f64").orElseThrow().test());
    boolean scaled = vcc.test(nb, db, nb, false);
    double rcp = 1 / den * (1 + worse);
    double f0 = Math.fma(-den, rcp, 1);
    double r1 = Math.fma(rcp, f0, rcp);
    double f1 = Math.fma(-den, r1, 1);
    double r2 = Math.fma(r1, f1, r1);
    double q = num * r2;
    double e = Math.fma(-den, q, num);
    long s =
        FMAS_F64.apply(
            Double.doubleToRawLongBits(e),
            Double.doubleToRawLongBits(r2),
            Double.doubleToRawLongBits(q),
            scaled);
    return Double.longBitsToDouble(FIXUP_F64.apply(s, db, nb, false));
  }

  private float anyFloat() {
    return switch (random.nextInt(8)) {
      case 0 -> Float.intBitsToFloat(random.nextInt(1 << 23) | random.nextInt() & 0x80000000);
      case 1 -> Float.intBitsToFloat(0x7f000000 | random.nextInt(1 << 23));
      case 2 -> random.nextInt(100) - 50;
      default -> Float.intBitsToFloat(random.nextInt());
    };
  }

  private double anyDouble() {
    return switch (random.nextInt(8)) {
      case 0 -> Double.longBitsToDouble(random.nextLong() & 0x800fffffffffffffL);
      case 1 -> Double.longBitsToDouble(random.nextLong() & 0x800fffffffffffffL | 0x7fdL << 52);
      case 2 -> random.nextInt(100) - 50;
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  @Test
  void floatsDivideExactly() {
    for (int i = 0; i < CASES; i++) {
      float n = anyFloat();
      float d = anyFloat();
      assertThat(Float.floatToIntBits(divide(n, d)))
          .as("%s / %s", n, d)
          .isEqualTo(Float.floatToIntBits(n / d));
    }
  }

  @Test
  void doublesDivideExactly() {
    for (int i = 0; i < CASES; i++) {
      double n = anyDouble();
      double d = anyDouble();
      assertThat(Double.doubleToLongBits(divide(n, d, i % 2 == 0 ? 0 : 0x1p-28f)))
          .as("%s / %s", n, d)
          .isEqualTo(Double.doubleToLongBits(n / d));
    }
  }

  /** Argument reduction: the segments of 2/pi sum up to it. */
  @Test
  void segmentsOfTwoOverPiSumUp() {
    double sum = 0;
    for (int i = 4; i >= 0; i--) {
      sum += Double.longBitsToDouble(lane("v_trig_preop_f64", bits64(1), i, 0, false));
    }
    assertThat(sum).isEqualTo(2 / Math.PI);
    // Of a large argument the digits that make whole turns are left out.
    double first = Double.longBitsToDouble(lane("v_trig_preop_f64", bits64(0x1p100), 0, 0, false));
    assertThat(first).isLessThan(0x1p-46).isPositive();
  }

  private static long bits64(double x) {
    return Double.doubleToRawLongBits(x);
  }
}
