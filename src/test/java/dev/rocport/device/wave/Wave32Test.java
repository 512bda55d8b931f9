package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waves of 32 lanes: what RDNA does otherwise than CDNA. Encodings are those of LLVM 19. */
final class Wave32Test {
  private static final int LANES = Wave.LANES;
  private static final int REGISTERS = 64;
  private static final int OTHER = 0x5555_0000;

  private record Host(Target target, int lanes) implements Environment {
    @Override
    public AddressSpace memory() {
      throw new AssertionError();
    }

    @Override
    public void message(Wave wave, int message) {
      throw new AssertionError();
    }

    @Override
    public long realTime() {
      return 0x1_0000_0002L;
    }

    @Override
    public int workgroups() {
      return 1;
    }
  }

  private static Wave wave(int... words) {
    return wave(Target.GFX1100, words);
  }

  /** A wave at the start of some code; register r of lane l is 100 r + l, the first one only l. */
  static Wave wave(Target target, int... words) {
    return waveOf(32, target, words);
  }

  /** Likewise, of a wave of so many lanes. */
  static Wave waveOf(int lanes, Target target, int... words) {
    Decoder decoder = Decoder.of(target, lanes);
    int[] text = Arrays.copyOf(words, words.length + 3);
    Code code =
        new Code(
            0x1000,
            4L * words.length,
            offset -> {
              int at = (int) (offset >> 2);
              return decoder.decode(text[at], text[at + 1], text[at + 2]);
            },
            instruction -> LoadedCode.translate(instruction, lanes));
    Group group = new Group(new Host(target, lanes), 0, 0, 0, 0, 0);
    Wave wave = new Wave(code, group, 0, REGISTERS, 0, 0, 0, new Temporaries());
    wave.mode = 0x3f0;
    Arrays.fill(wave.s, OTHER);
    Arrays.fill(wave.v, OTHER);
    wave.s64(Wave.EXEC, lanes == LANES ? -1 : 0xffffffffL);
    for (int lane = 0; lane < lanes; lane++) {
      for (int r = 0; r < 16; r++) {
        wave.v[r * LANES + lane] = r == 0 ? lane : 100 * r + lane;
      }
    }
    return wave;
  }

  private static Wave ran(Wave wave) {
    wave.run(1);
    return wave;
  }

  private static int[] row(Wave wave, int register) {
    return Arrays.copyOfRange(wave.v, register * LANES, register * LANES + 32);
  }

  @Test
  void comparisonsWriteOneRegister() {
    Wave named = ran(wave(0xd44c0006, 0x00010700)); // v_cmp_gt_u32_e64 s6, v0, 3
    assertThat(named.s[6]).isEqualTo(-1 << 4);
    assertThat(named.s[7]).isEqualTo(OTHER);
    Wave vcc = ran(wave(0x7c980085)); // v_cmp_gt_u32_e32 vcc_lo, 5, v0
    assertThat(vcc.s[Wave.VCC]).isEqualTo(31);
    assertThat(vcc.s[Wave.VCC + 1]).isEqualTo(OTHER);
    assertThat(vcc.vcc()).isEqualTo(31);
  }

  @Test
  void comparisonsToExecWriteNothingElse() {
    Wave wave = ran(wave(0x7d980084)); // v_cmpx_gt_u32_e32 4, v0
    assertThat(wave.exec()).isEqualTo(15);
    assertThat(wave.s[Wave.VCC]).isEqualTo(OTHER);
  }

  @Test
  void saveexecKeepsTheHighWordZero() {
    Wave wave = wave(0xbe84206a); // s_and_saveexec_b32 s4, vcc_lo
    wave.s[Wave.VCC] = 0xf0;
    ran(wave);
    assertThat(wave.s[4]).isEqualTo(-1);
    assertThat(wave.s[5]).isEqualTo(OTHER);
    assertThat(wave.exec()).isEqualTo(0xf0);
    assertThat(wave.scc).isEqualTo(1);
  }

  @Test
  void mixedPrecisionReadsOtherLanes() {
    // v_fma_mix_f32_e64_dpp v1, v2, v3, v4 row_ror:1 row_mask:0xf bank_mask:0xf
    Wave wave = wave(0xcc200001, 0x041206fa, 0xff012102);
    for (int lane = 0; lane < 32; lane++) {
      wave.v[2 * LANES + lane] = Float.floatToIntBits(lane);
      wave.v[3 * LANES + lane] = Float.floatToIntBits(10);
      wave.v[4 * LANES + lane] = Float.floatToIntBits(0.5f);
    }
    ran(wave);
    for (int lane = 0; lane < 32; lane++) {
      int other = (lane & 16) + (lane - 1 & 15);
      assertThat(Float.intBitsToFloat(row(wave, 1)[lane])).isEqualTo(other * 10 + 0.5f);
    }
  }

  @Test
  void execOfLanesThatAreNotThereIsRefused() {
    Wave wave = wave(0xbefe01c1); // s_mov_b64 exec, -1
    assertThatThrownBy(() -> ran(wave))
        .isInstanceOf(WaveTrap.class)
        .hasMessage("this device does not support s_mov_b64");
  }

  /** Encodings are those of LLVM 21: registers above v127 are upper halves in the 32-bit form. */
  @Test
  void narrowFormsNameHalvesOfRegisters() {
    Wave moved = halves(0x7f043903); // v_mov_b16_e32 v2.h, v3.l
    assertThat(row(moved, 2)[1]).isEqualTo(0x2222_1111);
    Wave back = halves(0x7e043983); // v_mov_b16_e32 v2.l, v3.h
    assertThat(row(back, 2)[1]).isEqualTo(0x3c00_4200);
    Wave other = halves(0x7f0438fa, 0xff00b183); // v_mov_b16_dpp v2.h, v3.h quad_perm:[1,0,3,2]
    assertThat(row(other, 2)[1]).isEqualTo(0x4200_1111);
    assertThat(row(other, 2)[2]).isEqualTo(0x4200_1111);
    Wave sum = halves(0x65040983); // v_add_f16_e32 v2.h, v3.h, v4.l: 3 + 0.5
    assertThat(row(sum, 2)[1]).isEqualTo(0x4300_1111);
    Wave compared = halves(0x7c620984); // v_cmp_lt_i16_e32 vcc_lo, v4.h, v4.l
    assertThat(compared.s[Wave.VCC]).isZero();
  }

  @Test
  void accumulatorsAreTheHalfThatIsWritten() {
    Wave narrow = halves(0x6d050983); // v_fmac_f16_e32 v2.h, v3.h, v4.h: 1 + 3 * 2
    assertThat(row(narrow, 2)[1]).isEqualTo(0x4700_1111);
    Wave wide = halves(0xd5364802, 0x00020903); // v_fmac_f16_e64 v2.h, v3.h, v4.l: 1 + 3 * 0.5
    assertThat(row(wide, 2)[1]).isEqualTo(0x4100_1111);
  }

  /** After some code, with halves in v2 (1, and bits), v3 (3, and bits) and v4 (2 and 0.5). */
  private static Wave halves(int... words) {
    Wave wave = wave(words);
    for (int lane = 0; lane < 32; lane++) {
      wave.v[2 * LANES + lane] = 0x3c00_1111;
      wave.v[3 * LANES + lane] = 0x4200_2222;
      wave.v[4 * LANES + lane] = 0x4000_3800;
    }
    return ran(wave);
  }

  @Test
  void halvesOfDualInstructionsReadBeforeEitherWrites() {
    // v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2
    Wave swapped = wave(0xca100103, 0x02020102);
    int[] two = row(swapped, 2);
    int[] three = row(swapped, 3);
    ran(swapped);
    assertThat(row(swapped, 2)).isEqualTo(three);
    assertThat(row(swapped, 3)).isEqualTo(two);
    // v_dual_add_f32 v4, v5, v6 :: v_dual_mul_f32 v7, v4, v1
    Wave sums = wave(0xc9060d05, 0x04060304);
    for (int r : new int[] {1, 4, 5, 6}) {
      Arrays.fill(sums.v, r * LANES, r * LANES + 32, Float.floatToRawIntBits(r));
    }
    ran(sums);
    assertThat(Float.intBitsToFloat(sums.v[4 * LANES])).isEqualTo(11);
    assertThat(Float.intBitsToFloat(sums.v[7 * LANES + 31])).isEqualTo(4);
    assertThat(sums.v[7 * LANES + 32]).isEqualTo(OTHER);
  }

  @Test
  void carriesAreOneRegister() {
    // v_add_co_u32 v4, s8, v5, v6; v_add_co_ci_u32_e64 v4, null, v5, v6, s8
    Wave wave = wave(0xd7000804, 0x00020d05, 0xd5207c04, 0x00220d05);
    wave.v[5 * LANES + 3] = -1;
    ran(wave);
    assertThat(wave.s[8]).isEqualTo(8);
    assertThat(wave.s[9]).isEqualTo(OTHER);
    ran(wave);
    assertThat(wave.v[4 * LANES + 3]).isEqualTo(603);
    assertThat(wave.v[4 * LANES + 4]).isEqualTo(504 + 604);
    assertThat(wave.exec()).isEqualTo(0xffffffffL);
  }

  @Test
  void resultsOf16BitsLeaveTheOtherHalfAlone() {
    Wave wave = wave(0x64080d05); // v_add_f16_e32 v4, v5, v6
    wave.v[4 * LANES] = 0xabcd_1234;
    wave.v[5 * LANES] = 0x7777_3c00;
    wave.v[6 * LANES] = 0x7777_4000;
    assertThat(ran(wave).v[4 * LANES]).isEqualTo(0xabcd_4200);
  }

  @Test
  void rowsOf16LanesExchange() {
    Wave wave = wave(0xd65c0004, 0x000c0505); // v_permlanex16_b32 v4, v5, s2, s3
    wave.s[2] = 0x01234567;
    wave.s[3] = 0x89abcdef;
    ran(wave);
    assertThat(wave.v[4 * LANES]).isEqualTo(500 + 16 + 7);
    assertThat(wave.v[4 * LANES + 16 + 15]).isEqualTo(500 + 8);
  }

  @Test
  void primitivesOfEightLanesAndOfMasks() {
    // v_mov_b32_dpp v4, v5 dpp8:[7,6,5,4,3,2,1,0]
    Wave reversed = ran(wave(0x7e0802e9, 0x05397705));
    assertThat(reversed.v[4 * LANES + 8]).isEqualTo(500 + 15);
    // v_mov_b32_dpp v4, v5 row_xmask:1 row_mask:0xf bank_mask:0xf fi:1
    Wave masked = wave(0x7e0802fa, 0xff056105);
    masked.s64(Wave.EXEC, 1);
    ran(masked);
    assertThat(masked.v[4 * LANES]).isEqualTo(501);
    assertThat(masked.v[4 * LANES + 1]).isEqualTo(401);
  }

  @Test
  void lanesAreCountedModulo32() {
    Wave wave = ran(wave(0xd7600005, 0x00014701)); // v_readlane_b32 s5, v1, 35
    assertThat(wave.s[5]).isEqualTo(103);
  }

  @Test
  void nullReadsAsZeroAndTakesAnything() {
    Wave wave = wave(0xbefc0087, 0xbe84017c); // s_mov_b32 null, 7; s_mov_b64 s[4:5], null
    ran(ran(wave));
    assertThat(wave.s64(4)).isZero();
    assertThat(wave.s[Wave.M0]).isEqualTo(OTHER);
    assertThat(wave.exec()).isEqualTo(0xffffffffL);
  }

  @Test
  void vcczLooksAtTheLowWord() {
    Wave wave = wave(0xbfa30001, 0xbf800000, 0xbf800000); // s_cbranch_vccz 1
    wave.s[Wave.VCC] = 0;
    assertThat(ran(wave).pc).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1201"})
  void halvesOfRegistersSwap(Target target) {
    // v_swap_b16 v1.l, v2.h; v_swap_b16 v1.l, v1.h
    Wave wave = wave(target, 0x7e02cd82, 0x7e02cd81);
    wave.v[LANES] = 0x11112222;
    wave.v[2 * LANES] = 0x33334444;
    wave.v[LANES + 1] = 0x55556666;
    wave.s[Wave.EXEC] = 1;
    ran(wave);
    assertThat(wave.v[LANES]).isEqualTo(0x11113333);
    assertThat(wave.v[2 * LANES]).isEqualTo(0x22224444);
    assertThat(wave.v[LANES + 1]).isEqualTo(0x55556666);
    ran(wave);
    assertThat(wave.v[LANES]).isEqualTo(0x33331111);
  }
}
