package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Target;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Waves of 64 lanes on RDNA. The words are those of {@link Wave32Test}, and the masks are pairs.
 */
final class Wave64Test {
  private static final int LANES = Wave.LANES;

  private static Wave ran(Target target, int... words) {
    return ran(wave(target, words));
  }

  private static Wave wave(Target target, int... words) {
    return Wave32Test.waveOf(LANES, target, words);
  }

  private static Wave ran(Wave wave) {
    wave.run(1);
    return wave;
  }

  private static int[] row(Wave wave, int register) {
    return Arrays.copyOfRange(wave.v, register * LANES, (register + 1) * LANES);
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void comparisonsWriteTwoRegisters(Target target) {
    Wave named = ran(target, 0xd44c0006, 0x00010700); // v_cmp_gt_u32_e64 s[6:7], v0, 3
    assertThat(named.s64(6)).isEqualTo(-1L << 4);
    Wave vcc = ran(target, 0x7c9800a8); // v_cmp_gt_u32_e32 vcc, 40, v0
    assertThat(vcc.vcc()).isEqualTo((1L << 40) - 1);
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void comparisonsToExecWriteItAll(Target target) {
    Wave wave = wave(target, 0x7d9800a8); // v_cmpx_gt_u32_e32 40, v0
    wave.s64(Wave.EXEC, -2);
    assertThat(ran(wave).exec()).isEqualTo((1L << 40) - 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void choicesReadTwoRegisters(Target target) {
    Wave wave = wave(target, 0xd5010005, 0x00120300); // v_cndmask_b32_e64 v5, v0, v1, s[4:5]
    wave.s64(4, 0xffff_0000_0000_0001L);
    int[] chosen = row(ran(wave), 5);
    for (int lane = 0; lane < LANES; lane++) {
      boolean second = lane == 0 || lane >= 48;
      assertThat(chosen[lane]).as("lane %d", lane).isEqualTo(second ? 100 + lane : lane);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void execHasAllLanes(Target target) {
    Wave wave = wave(target, 0xbe84216a); // s_and_saveexec_b64 s[4:5], vcc
    wave.s64(Wave.VCC, 0xf0_0000_0000L);
    ran(wave);
    assertThat(wave.s64(4)).isEqualTo(-1);
    assertThat(wave.exec()).isEqualTo(0xf0_0000_0000L);
    assertThat(wave.scc).isEqualTo(1);
  }

  @Test
  void dualInstructionsAreRefused() {
    Wave dual = wave(Target.GFX1100, 0xca100080, 0x01000081); // v_dual_mov_b32 twice
    assertThatThrownBy(() -> ran(dual)).hasMessageContaining("undefined instruction of gfx1100");
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void halvesOfTheWaveExchangeValues(Target target) {
    int word = 0x7e02cf02; // v_permlane64_b32 v1, v2
    Wave wave = wave(target, word);
    wave.s64(Wave.EXEC, 1L << 3 | 1L << 40);
    int[] values = row(ran(wave), 1);
    for (int lane = 0; lane < LANES; lane++) {
      int expected = lane == 3 || lane == 40 ? 200 + (lane ^ 32) : 100 + lane;
      assertThat(values[lane]).as("lane %d", lane).isEqualTo(expected);
    }
    assertThat(row(ran(Wave32Test.wave(target, word)), 1)[3]).isEqualTo(103);
  }

  /** RDNA 3 exchanges within 32 lanes, RDNA 4 among all: supportsWaveWideBPermute of LLVM. */
  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void lanesAreNamedAmong32OrAll(Target target) {
    Wave wave = wave(target, 0xdacc0000, 0x05000201); // ds_bpermute_b32 v5, v1, v2
    for (int lane = 0; lane < LANES; lane++) {
      wave.v[LANES + lane] = 4 * (lane ^ 33);
    }
    int[] values = row(ran(wave), 5);
    for (int lane = 0; lane < LANES; lane++) {
      int from = target == Target.GFX1100 ? lane ^ 1 : lane ^ 33;
      assertThat(values[lane]).as("lane %d", lane).isEqualTo(200 + from);
    }
  }
}
