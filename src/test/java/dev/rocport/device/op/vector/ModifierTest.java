package dev.rocport.device.op.vector;

import static dev.rocport.device.op.vector.Machine.op;
import static dev.rocport.device.op.vector.Machine.pair;
import static dev.rocport.device.op.vector.Machine.s;
import static dev.rocport.device.op.vector.Machine.v;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The context of an operation: kinds of operands, EXEC, and each kind of modifier. */
final class ModifierTest {
  private static final long SOME = 0x8ff0_1234_5678_9abcL;

  private final Machine machine = new Machine();
  private final Wave wave = machine.wave;
  private final Random random = new Random(7);

  private void fill(int register, int value) {
    for (int i = 0; i < 64; i++) {
      wave.v[register * 64 + i] = value;
    }
  }

  private void fillFloat(int register, double value) {
    fill(register, Float.floatToRawIntBits((float) value));
  }

  private float real(int register) {
    return Float.intBitsToFloat(wave.v[register * 64]);
  }

  private void randomise() {
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] = random.nextInt();
    }
  }

  private static Modifiers.Vop3 vop3(int abs, int neg, boolean clamp, int opSel) {
    return new Modifiers.Vop3(abs, neg, 0, clamp, opSel);
  }

  @Test
  void inactiveLanesKeepTheirValues() {
    randomise();
    int[] before = wave.v.clone();
    wave.s64(Wave.EXEC, SOME);
    op("v_add_u32", v(1), v(2), v(3)).execute(wave);
    for (int i = 0; i < 64; i++) {
      int expected =
          (SOME >>> i & 1) != 0 ? before[2 * 64 + i] + before[3 * 64 + i] : before[64 + i];
      assertThat(wave.v[64 + i]).as("lane %d", i).isEqualTo(expected);
    }
    wave.s64(Wave.EXEC, 0);
    int[] none = wave.v.clone();
    op("v_add_u32", v(1), v(2), v(3)).execute(wave);
    assertThat(wave.v).isEqualTo(none);
  }

  @Test
  void everyKindOfSourceCanBeRead() {
    wave.s64(10, 0x1122_3344_5566_7788L);
    op("v_mov_b32", v(1), s(10)).execute(wave);
    assertThat(wave.v[64 + 63]).isEqualTo(0x5566_7788);
    op("v_mov_b64", v(2), pair(10)).execute(wave);
    assertThat(wave.v[2 * 64]).isEqualTo(0x5566_7788);
    assertThat(wave.v[3 * 64 + 63]).isEqualTo(0x1122_3344);
    op("v_add_u32", v(1), new Operand.Inline(193), new Operand.Literal(0x1000)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(0xfff);
    op("v_add_f64", v(2), new Operand.Inline(242), new Operand.Literal(0x4000_0000)).execute(wave);
    assertThat(wave.v[2 * 64]).isZero();
    assertThat(wave.v[3 * 64 + 5]).isEqualTo(0x4008_0000);
    op("v_mov_b64", v(2), new Operand.Special(235)).execute(wave);
    assertThat(wave.v[2 * 64 + 9]).isZero();
    assertThat(wave.v[3 * 64 + 9]).isEqualTo(Wave.SHARED_APERTURE);
    wave.scc = 1;
    op("v_mov_b32", v(1), new Operand.Special(253)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(1);
    wave.a[5 * 64 + 7] = 77;
    op("v_accvgpr_read_b32", v(1), new Operand.Accumulator(5, 1)).execute(wave);
    assertThat(wave.v[64 + 7]).isEqualTo(77);
    op("v_accvgpr_write_b32", new Operand.Accumulator(6, 1), v(1)).execute(wave);
    assertThat(wave.a[6 * 64 + 7]).isEqualTo(77);
  }

  @Test
  void carriesAreZeroInInactiveLanes() {
    fill(2, -1);
    fill(3, 1);
    wave.s64(Wave.EXEC, SOME);
    wave.s64(Wave.VCC, -1);
    Op add = op("v_add_co_u32", new Modifiers.None(), 2, v(1), pair(20), v(2), v(3));
    add.execute(wave);
    assertThat(wave.s64(20)).isEqualTo(SOME);
    op("v_addc_co_u32", new Modifiers.None(), 2, v(4), pair(20), v(1), v(1), pair(20))
        .execute(wave);
    assertThat(wave.v[4 * 64 + 63]).isEqualTo(1);
    assertThat(wave.s64(20)).isZero();
    wave.s64(Wave.EXEC, 0);
    wave.s64(20, -1);
    add.execute(wave);
    assertThat(wave.s64(20)).isZero();
  }

  @Test
  void comparisonsWriteMasksAndWithXExecToo() {
    fill(2, 5);
    wave.v[2 * 64 + 3] = 9;
    wave.v[2 * 64 + 4] = 9;
    fill(3, 7);
    wave.s64(Wave.EXEC, 0x18 | 0x3);
    op("v_cmp_gt_u32", pair(20), v(2), v(3)).execute(wave);
    assertThat(wave.s64(20)).isEqualTo(0x18);
    assertThat(wave.exec()).isEqualTo(0x1b);
    op("v_cmpx_gt_u32", pair(Wave.VCC), v(3), v(2)).execute(wave);
    assertThat(wave.vcc()).isEqualTo(3);
    assertThat(wave.exec()).isEqualTo(3);
  }

  @Test
  void lanesAreReadAndWrittenWhateverExecIs() {
    randomise();
    wave.s64(Wave.EXEC, 0x30);
    op("v_readfirstlane_b32", s(4), v(2)).execute(wave);
    assertThat(wave.s[4]).isEqualTo(wave.v[2 * 64 + 4]);
    wave.s[5] = 64 + 7;
    op("v_readlane_b32", s(4), v(2), s(5)).execute(wave);
    assertThat(wave.s[4]).isEqualTo(wave.v[2 * 64 + 7]);
    op("v_writelane_b32", v(3), new Operand.Inline(137), new Operand.Inline(191)).execute(wave);
    assertThat(wave.v[3 * 64 + 63]).isEqualTo(9);
    wave.s64(Wave.EXEC, 0);
    op("v_readfirstlane_b32", s(4), v(2)).execute(wave);
    assertThat(wave.s[4]).isEqualTo(wave.v[2 * 64]);
  }

  @Test
  void bitsBelowALaneAreCounted() {
    wave.s64(20, SOME);
    fill(2, 0);
    op("v_mbcnt_lo_u32_b32", v(1), s(20), v(2)).execute(wave);
    op("v_mbcnt_hi_u32_b32", v(1), s(21), v(1)).execute(wave);
    for (int i = 0; i < 64; i++) {
      assertThat(wave.v[64 + i]).isEqualTo(Long.bitCount(SOME & (1L << i) - 1));
    }
  }

  @Test
  void floatsAreMadeAbsoluteThenNegatedAndClamped() {
    fillFloat(2, -3);
    fillFloat(3, 2);
    op("v_mul_f32", vop3(1, 1, false, 0), 1, v(1), v(2), v(3)).execute(wave);
    assertThat(real(1)).isEqualTo(-6);
    op("v_mul_f32", vop3(1, 0, true, 0), 1, v(1), v(2), v(3)).execute(wave);
    assertThat(real(1)).isEqualTo(1);
    fillFloat(2, Double.NaN);
    op("v_mul_f32", vop3(0, 0, true, 0), 1, v(1), v(2), v(3)).execute(wave);
    assertThat(wave.v[64]).isZero();
    // Of a double, only the high word has a sign.
    fill(4, 0x80000000);
    fill(5, 0x3ff00000);
    op("v_add_f64", vop3(0, 1, false, 0), 1, v(6), v(4), new Operand.Inline(128)).execute(wave);
    assertThat(wave.v[6 * 64]).isEqualTo(0x80000000);
    assertThat(wave.v[7 * 64]).isEqualTo(0xbff00000);
    fillFloat(2, 1);
    op("v_cndmask_b32", vop3(0, 2, false, 0), 1, v(1), v(2), v(2), pair(20)).execute(wave);
    wave.s64(20, -1);
    op("v_cndmask_b32", vop3(0, 2, false, 0), 1, v(1), v(2), v(2), pair(20)).execute(wave);
    assertThat(real(1)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "v_add_u32, ffffffff, 2, ffffffff",
    "v_sub_u32, 1, 2, 0",
    "v_add_i32, 7fffffff, 2, 7fffffff",
    "v_sub_i32, 80000000, 2, 80000000",
    "v_add_u16, fff0, 20, ffff",
    "v_pk_add_i16, 7ff08000, 00208000, 7fff8000",
    "v_pk_sub_u16, 00010005, 00020003, 00000002"
  })
  void integersSaturate(String name, String a, String b, String expected) {
    fill(2, Integer.parseUnsignedInt(a, 16));
    fill(3, Integer.parseUnsignedInt(b, 16));
    Modifiers modifiers =
        name.startsWith("v_pk") ? new Modifiers.Packed(0, 7, 0, 0, true) : vop3(0, 0, true, 0);
    op(name, modifiers, 1, v(1), v(2), v(3)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(Integer.parseUnsignedInt(expected, 16));
  }

  @Test
  void opSelPicksHalvesAndKeepsTheOther() {
    fill(2, 0x4000_3c00); // 2, 1
    fill(3, 0x4200_4400); // 3, 4
    fill(4, 0);
    fill(1, 0x1111_2222);
    op("v_fma_f16", vop3(0, 0, false, 0b1001), 1, v(1), v(2), v(3), v(4)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(0x4800_2222); // 2 * 4
    op("v_fma_f16", vop3(0, 1, false, 0b0010), 1, v(1), v(2), v(3), v(4)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(0x4800_c200); // -1 * 3
    op("v_add_f16", v(1), v(2), v(3)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(0x4500); // 1 + 4, and the high half is cleared
  }

  @Test
  void packedHalvesAreSelectedAndNegated() {
    fill(2, 0x4000_3c00);
    fill(3, 0x4200_4400);
    op("v_pk_mul_f16", new Modifiers.Packed(0b01, 0b10, 0b10, 0b01, false), 1, v(1), v(2), v(3))
        .execute(wave);
    // low: high of S0 (2) * -low of S1 (4); high: -low of S0 (1) * high of S1 (3)
    assertThat(wave.v[64]).isEqualTo(0xc200_c800);
  }

  @Test
  void packedFloatsTakeEitherWordOfAPairAndMayOverlap() {
    fillFloat(2, 2);
    fillFloat(3, 3);
    fillFloat(4, 5);
    fillFloat(5, 7);
    // Both results from the low word of S0, which the first result overwrites.
    op("v_pk_mul_f32", new Modifiers.Packed(0, 0b10, 0, 0b10, false), 1, v(2), v(2), v(4))
        .execute(wave);
    assertThat(real(2)).isEqualTo(10);
    assertThat(real(3)).isEqualTo(-14);
    wave.s64(20, (long) Float.floatToRawIntBits(9) << 32 | Float.floatToRawIntBits(8));
    op("v_pk_add_f32", new Modifiers.Packed(1, 0, 0, 0, false), 1, v(2), v(4), pair(20))
        .execute(wave);
    assertThat(real(2)).isEqualTo(15);
    assertThat(real(3)).isEqualTo(13);
    op("v_pk_mov_b32", new Modifiers.Packed(0b01, 0, 0, 0, false), 1, v(4), v(4), v(4))
        .execute(wave);
    assertThat(real(4)).isEqualTo(7);
    assertThat(real(5)).isEqualTo(5);
  }

  @Test
  void mixedPrecisionReadsFloatsAndHalves() {
    fill(2, 0x4000_3c00); // 2, 1
    fillFloat(3, 1.5);
    fillFloat(4, 0.25);
    Modifiers mix = new Modifiers.Packed(0b001, 0b001, 0b010, 0, false);
    op("v_fma_mix_f32", mix, 1, v(1), v(2), v(3), v(4)).execute(wave);
    assertThat(real(1)).isEqualTo(-2.75f);
    fill(1, 0x1111_2222);
    op("v_fma_mixhi_f16", mix, 1, v(1), v(2), v(3), v(4)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(0xc180_2222);
    op("v_fma_mixlo_f16", new Modifiers.Packed(0, 0, 0, 0b010, false), 1, v(1), v(3), v(3), v(4))
        .execute(wave);
    assertThat(wave.v[64]).isEqualTo(0xc180_4100);
  }

  @Test
  void registersSwap() {
    fill(2, 4);
    fill(3, 5);
    wave.s64(Wave.EXEC, 1);
    op("v_swap_b32", v(2), v(3)).execute(wave);
    assertThat(wave.v[2 * 64]).isEqualTo(5);
    assertThat(wave.v[3 * 64]).isEqualTo(4);
    assertThat(wave.v[2 * 64 + 1]).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    // dst_sel, unused, src0_sel, src1_sel, sext, v2 | v3 over 11223344
    "6, 0, 0, 6, 0, 000000f4",
    "6, 0, 1, 6, 1, ffffffc3",
    "6, 0, 3, 6, 1, ffffff81",
    "6, 0, 4, 6, 0, 0000c3f4",
    "6, 0, 5, 6, 1, ffff81a2",
    "6, 0, 0, 5, 0, 0000ffff",
    "0, 0, 6, 6, 0, 000000f4",
    "1, 0, 0, 6, 0, 0000f400",
    "1, 1, 0, 6, 0, fffff400",
    "1, 2, 0, 6, 0, 1122f444",
    "3, 2, 0, 6, 0, f4223344",
    "5, 0, 4, 6, 0, c3f40000",
    "4, 1, 4, 6, 0, ffffc3f4",
    "5, 2, 4, 6, 0, c3f43344"
  })
  void partsOfRegistersAreReadAndWritten(
      int dst, int unused, int src0, int src1, int sext, String expected) {
    fill(2, 0x81a2c3f4);
    fill(3, src1 == 5 ? 0xffff_0000 : 0);
    fill(1, 0x11223344);
    op(
            "v_or_b32",
            new Modifiers.Sdwa(dst, unused, src0, src1, sext, 0, 0, 0, false),
            1,
            v(1),
            v(2),
            v(3))
        .execute(wave);
    assertThat(wave.v[64]).isEqualTo(Integer.parseUnsignedInt(expected, 16));
  }

  private static Arguments shuffle(String name, int control, IntUnaryOperator source) {
    return Arguments.of(name, control, source);
  }

  /** Lanes that each lane reads, in the words of the manual; -1 for none. */
  static Stream<Arguments> shuffles() {
    return Stream.of(
        shuffle(
            "quad_perm:[3,0,0,1]", 0b01_00_00_11, i -> i / 4 * 4 + new int[] {3, 0, 0, 1}[i % 4]),
        shuffle("row_shl:1", 0x101, i -> i % 16 == 15 ? -1 : i + 1),
        shuffle("row_shl:15", 0x10f, i -> i % 16 == 0 ? i + 15 : -1),
        shuffle("row_shr:3", 0x113, i -> i % 16 < 3 ? -1 : i - 3),
        shuffle("row_ror:5", 0x125, i -> i / 16 * 16 + (i % 16 + 11) % 16),
        shuffle("wave_shl:1", 0x130, i -> i == 63 ? -1 : i + 1),
        shuffle("wave_rol:1", 0x134, i -> (i + 1) % 64),
        shuffle("wave_shr:1", 0x138, i -> i == 0 ? -1 : i - 1),
        shuffle("wave_ror:1", 0x13c, i -> (i + 63) % 64),
        shuffle("row_mirror", 0x140, i -> i / 16 * 16 + 15 - i % 16),
        shuffle("row_half_mirror", 0x141, i -> i / 8 * 8 + 7 - i % 8),
        shuffle("row_bcast:15", 0x142, i -> i < 16 ? -1 : i / 16 * 16 - 1),
        shuffle("row_bcast:31", 0x143, i -> i < 32 ? -1 : 31),
        shuffle("row_newbcast:6", 0x156, i -> i / 16 * 16 + 6));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shuffles")
  void lanesReadOtherLanes(String name, int control, IntUnaryOperator source) {
    for (boolean bound : new boolean[] {false, true}) {
      for (long exec : new long[] {-1L, SOME}) {
        for (int masks : new int[] {0xff, 0xf5, 0xaf}) {
          randomise();
          int[] before = wave.v.clone();
          wave.s64(Wave.EXEC, exec);
          op(
                  "v_add_u32",
                  new Modifiers.Dpp(control, masks >> 4, masks & 15, bound, 0, 0),
                  1,
                  v(1),
                  v(2),
                  v(3))
              .execute(wave);
          for (int i = 0; i < 64; i++) {
            int from = source.applyAsInt(i);
            boolean valid = from >= 0 && (exec >>> from & 1) != 0;
            boolean written =
                (exec >>> i & 1) != 0
                    && (masks >> 4 >> i / 16 & 1) != 0
                    && (masks >> i % 16 / 4 & 1) != 0
                    && (valid || bound);
            int read = valid ? before[2 * 64 + from] : 0;
            assertThat(wave.v[64 + i])
                .as("%s lane %d exec %x masks %x bound %s", name, i, exec, masks, bound)
                .isEqualTo(written ? read + before[3 * 64 + i] : before[64 + i]);
          }
        }
      }
    }
  }

  @Test
  void modeFlushesDenormalsAndTurnsRounding() {
    fill(2, 1);
    fill(3, 0);
    wave.mode = 0x3c0;
    op("v_add_f32", v(1), v(2), v(3)).execute(wave);
    assertThat(wave.v[64]).isZero();
    fillFloat(2, 1);
    fillFloat(3, 0x1p-60);
    float[] expected = {1, Math.nextUp(1f), 1, 1};
    for (int rounding = 0; rounding < 4; rounding++) {
      wave.mode = 0x3f0 | rounding;
      op("v_add_f32", v(1), v(2), v(3)).execute(wave);
      assertThat(real(1)).as("rounding %d", rounding).isEqualTo(expected[rounding]);
      op("v_sub_f32", v(1), v(2), v(3)).execute(wave);
      assertThat(real(1))
          .as("rounding %d", rounding)
          .isEqualTo(rounding >= 2 ? Math.nextDown(1f) : 1);
    }
    wave.mode = 0x3f2;
    op("v_sub_f32", v(1), v(2), v(2)).execute(wave);
    assertThat(wave.v[64]).isEqualTo(0x80000000);
    assertThatThrownBy(() -> op("v_ldexp_f32", v(1), v(2), v(3)).execute(wave))
        .isInstanceOf(WaveTrap.class);
  }

  @Test
  void whatIsNotKnownIsLeftToOthers() {
    assertThat(
            new VectorTranslator()
                .translate(
                    Machine.instruction(
                        "v_cvt_pk_u8_f32",
                        Encoding.VOP3,
                        new Modifiers.None(),
                        1,
                        v(0),
                        v(1),
                        v(2),
                        v(3))))
        .isEmpty();
    assertThat(
            new VectorTranslator()
                .translate(
                    Machine.instruction(
                        "s_add_u32", Encoding.SOP2, new Modifiers.None(), 1, s(0), s(1), s(2))))
        .isEmpty();
    assertThat(
            new VectorTranslator()
                .translate(
                    Machine.instruction(
                        "v_add_f32",
                        Encoding.VOP3,
                        new Modifiers.Vop3(0, 0, 1, false, 0),
                        1,
                        v(0),
                        v(1),
                        v(2))))
        .isEmpty();
    // An integer operation that saturates in a way that is not known.
    assertThat(
            new VectorTranslator()
                .translate(
                    Machine.instruction(
                        "v_mul_lo_u16", Encoding.VOP3, vop3(0, 0, true, 0), 1, v(0), v(1), v(2))))
        .isEmpty();
  }
}
