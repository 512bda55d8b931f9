package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What RDNA 4 has, and RDNA 3.5 in part, that RDNA 3 has not. Encodings are those of LLVM 19. */
final class Rdna4Test {
  private static final int LANES = Wave.LANES;
  private static final int QUIET = 0x7fc00000;

  private static Wave wave(int... words) {
    return Wave32Test.wave(Target.GFX1201, words);
  }

  private static Wave ran(Wave wave) {
    wave.run(1);
    return wave;
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"GFX1151", "GFX1201"})
  void scalarsAreFloats(Target target) {
    // s_add_f32 s4, s5, 1.0; s_fmamk_f32 s4, s5, 0x40400000, s6
    Wave wave = Wave32Test.wave(target, 0xa004f205, 0xa3040605, 0x40400000);
    wave.s[5] = bits(2.5f);
    wave.s[6] = bits(-1);
    ran(wave);
    assertThat(wave.s[4]).isEqualTo(bits(3.5f));
    ran(wave);
    assertThat(wave.s[4]).isEqualTo(bits(2.5f * 3 - 1));
    Wave halves = Wave32Test.wave(target, 0xa684f405, 0xbe846a05);
    halves.s[5] = 0x4200_3e00; // 3 and 1.5: s_mul_f16 s4, s5, 2.0; s_cvt_hi_f32_f16 s4, s5
    ran(halves);
    assertThat(halves.s[4]).isEqualTo(0x4200);
    ran(halves);
    assertThat(halves.s[4]).isEqualTo(bits(3));
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"GFX1151", "GFX1201"})
  void scalarFloatsCompare(Target target) {
    float[][] pairs = {{1, 2}, {2, 1}, {1, 1}, {Float.NaN, 1}};
    for (float[] pair : pairs) {
      Wave wave = Wave32Test.wave(target, 0xbf4e0605); // s_cmp_nlt_f32 s5, s6
      wave.s[5] = bits(pair[0]);
      wave.s[6] = bits(pair[1]);
      assertThat(ran(wave).scc).isEqualTo(pair[0] < pair[1] ? 0 : 1);
    }
  }

  @Test
  void minimumPrefersNanAndNegativeZero() {
    Wave wave = wave(0xa7840605); // s_minimum_f32 s4, s5, s6
    wave.s[5] = bits(0f);
    wave.s[6] = bits(-0f);
    assertThat(ran(wave).s[4]).isEqualTo(bits(-0f));
    // v_minimum_f32 v4, v5, v6; v_maximum_f32 v4, v5, v6; v_min_num_f32 v4, v5, v6
    Wave vectors = wave(0xd7650004, 0x00020d05, 0xd7660004, 0x00020d05, 0x2a080d05);
    vectors.v[5 * LANES] = QUIET | 5;
    vectors.v[6 * LANES] = bits(1);
    vectors.v[5 * LANES + 1] = bits(2);
    vectors.v[6 * LANES + 1] = bits(-3);
    ran(vectors);
    assertThat(vectors.v[4 * LANES]).isEqualTo(QUIET | 5);
    assertThat(vectors.v[4 * LANES + 1]).isEqualTo(bits(-3));
    ran(vectors);
    assertThat(vectors.v[4 * LANES]).isEqualTo(QUIET | 5);
    assertThat(vectors.v[4 * LANES + 1]).isEqualTo(bits(2));
    ran(vectors);
    assertThat(vectors.v[4 * LANES]).isEqualTo(bits(1));
  }

  @Test
  void transcendentalFunctionsOfScalars() {
    Wave wave = wave(0xd6840004, 0x00000005, 0xd6880004, 0x20000005);
    wave.s[5] = bits(-4); // v_s_rcp_f32 s4, s5; v_s_sqrt_f32 s4, -s5
    assertThat(ran(wave).s[4]).isEqualTo(bits(-0.25f));
    assertThat(ran(wave).s[4]).isEqualTo(bits(2));
  }

  @Test
  void pairsOfScalarsMultiplyAndAdd() {
    Wave wave =
        wave(0xaa840806, 0xa984c106); // s_mul_u64 s[4:5], s[6:7], s[8:9]; s_add_nc_u64 ..., -1
    wave.s64(6, 0x1_0000_0003L);
    wave.s64(8, 0x2_0000_0005L);
    wave.scc = 1;
    assertThat(ran(wave).s64(4)).isEqualTo(0x1_0000_0003L * 0x2_0000_0005L);
    assertThat(ran(wave).s64(4)).isEqualTo(0x1_0000_0002L);
    assertThat(wave.scc).isEqualTo(1);
  }

  @Test
  void eachLaneNamesTheLaneThatItReads() {
    Wave wave = wave(0xd7100004, 0x00020d05); // v_permlanex16_var_b32 v4, v5, v6
    for (int lane = 0; lane < 32; lane++) {
      wave.v[6 * LANES + lane] = 15 - lane % 16;
    }
    ran(wave);
    assertThat(wave.v[4 * LANES]).isEqualTo(500 + 31);
    assertThat(wave.v[4 * LANES + 17]).isEqualTo(500 + 14);
  }

  @Test
  void barriersAreSignaledAndThenWaitedFor() {
    Wave wave = wave(0xbfc00000, 0xbe804ec1, 0xbf94ffff);
    ran(wave); // s_wait_loadcnt 0
    ran(wave); // s_barrier_signal -1
    assertThat(wave.state).isEqualTo(WaveState.READY);
    assertThat(wave.barrierSignals).isEqualTo(1);
    ran(wave); // s_barrier_wait -1
    assertThat(wave.state).isEqualTo(WaveState.BARRIER);
    assertThat(wave.barrierWaits).isEqualTo(1);
  }

  @Test
  void theFirstWaveThatSignalsIsTold() {
    int word = 0xbe804fc1; // s_barrier_signal_isfirst -1
    Wave one = wave(word, word);
    Wave other = new Wave(one.code, one.group, 1, 1, 0, 0, 0, one.temporaries);
    for (Wave first : new Wave[] {other, one}) {
      Wave second = first == one ? other : one;
      assertThat(ran(first).scc).isEqualTo(1);
      assertThat(ran(second).scc).isZero();
    }
    assertThat(one.barrierSignals).isEqualTo(2);
  }

  @Test
  void conversionsOfSmallFloatsPickBytes() {
    // v_cvt_f32_fp8_e64 v4, v6 byte_sel:0 to 3; v_cvt_pk_f32_fp8_e64 v[4:5], v6 op_sel:[1,0]
    int[] selected = {0xd5ec0004, 0xd5ec1004, 0xd5ec0804, 0xd5ec1804};
    float[] values = {1, 0.5f, -2, 448};
    for (int i = 0; i < 4; i++) {
      Wave wave = wave(selected[i], 0x106);
      wave.v[6 * LANES] = 0x7ec0_3038; // the largest number, -2, 0.5, 1 in OCP format
      assertThat(ran(wave).v[4 * LANES]).as("byte " + i).isEqualTo(bits(values[i]));
    }
    Wave pair = wave(0xd5ee0804, 0x106);
    pair.v[6 * LANES] = 0x7ec0_3038;
    ran(pair);
    assertThat(pair.v[4 * LANES]).isEqualTo(bits(-2));
    assertThat(pair.v[5 * LANES]).isEqualTo(bits(448));
  }

  @Test
  void smallFloatsMultiplyAndAdd() {
    // v_dot4_f32_fp8_bf8 v1, v2, v3, v4, then with -|v4|; bf8_fp8; fp8_fp8; bf8_bf8
    int[][] words = {
      {0xcc244001, 0x1c120702},
      {0xcc244401, 0x9c120702},
      {0xcc254001, 0x1c120702},
      {0xcc264001, 0x1c120702},
      {0xcc274001, 0x1c120702}
    };
    int fp8 = 0x7ec0_3038; // 1, 0.5, -2 and the largest number, from the lowest byte on
    int bf8 = 0x38bc_3c40; // 2, 1, -1 and 0.5
    int[][] sources = {{fp8, bf8}, {fp8, bf8}, {bf8, fp8}, {fp8, fp8}, {bf8, bf8}};
    float mixed = 1 * 2 + 0.5f * 1 + 2 * 1 + 448 * 0.5f;
    float[] sums = {
      mixed - 10, mixed - 10, mixed - 10, 1 + 0.25f + 4 + 448 * 448 - 10, 4 + 1 + 1 + 0.25f - 10
    };
    for (int i = 0; i < words.length; i++) {
      Wave wave = wave(words[i]);
      wave.v[2 * LANES] = sources[i][0];
      wave.v[3 * LANES] = sources[i][1];
      wave.v[4 * LANES] = bits(i == 1 ? 10 : -10);
      assertThat(ran(wave).v[LANES]).as("words " + i).isEqualTo(bits(sums[i]));
    }
  }

  @Test
  void namedBarriersAreRefused() {
    Wave wave = wave(0xbe804e81); // s_barrier_signal 1
    assertThatThrownBy(() -> ran(wave)).hasMessageContaining("s_barrier_signal");
  }
}
