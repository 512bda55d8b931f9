package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast kernel of an opcode does what its loop over lanes does. */
final class RoutineTest {
  private static final long[] MASKS = {-1L, 1L, 1L << 63, 0x0ff0_1234_5678_9abcL, 0xffff_0000L, 0};

  /** Where arithmetic has its corners. */
  private static final int[] CORNERS = {
    0,
    1,
    -1,
    2,
    31,
    32,
    63,
    64,
    0x7fffffff,
    0x80000000,
    0x7f800000,
    0xff800000,
    0x7fc00000,
    0x7f800001,
    0xffc12345,
    0x00000fff,
    0x807fffff,
    0x00800000,
    0x3f800000,
    0xbf800000,
    0x7f7fffff,
    0xffff,
    0x8000,
    0x7c00,
    0xfc00,
    0x7e00,
    0x3c00,
    0x7ff00000,
    0xfff00000,
    0x3ff00000
  };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v_mov_b32",
        "v_mov_b64",
        "v_cndmask_b32",
        "v_not_b32",
        "v_bfrev_b32",
        "v_ffbh_u32",
        "v_and_b32",
        "v_or_b32",
        "v_xor_b32",
        "v_xnor_b32",
        "v_lshlrev_b32",
        "v_lshrrev_b32",
        "v_ashrrev_i32",
        "v_add_u32",
        "v_sub_u32",
        "v_subrev_u32",
        "v_add_i32",
        "v_sub_i32",
        "v_add_co_u32",
        "v_sub_co_u32",
        "v_subrev_co_u32",
        "v_addc_co_u32",
        "v_subb_co_u32",
        "v_subbrev_co_u32",
        "v_min_i32",
        "v_max_i32",
        "v_min_u32",
        "v_max_u32",
        "v_mul_lo_u32",
        "v_mul_hi_u32",
        "v_mul_hi_i32",
        "v_mul_u32_u24",
        "v_mul_i32_i24",
        "v_mad_u32_u24",
        "v_mad_i32_i24",
        "v_mad_u64_u32",
        "v_mad_i64_i32",
        "v_lshl_add_u64",
        "v_lshlrev_b64",
        "v_lshrrev_b64",
        "v_ashrrev_i64",
        "v_lshl_add_u32",
        "v_add_lshl_u32",
        "v_add3_u32",
        "v_lshl_or_b32",
        "v_and_or_b32",
        "v_or3_b32",
        "v_xad_u32",
        "v_bfe_u32",
        "v_bfi_b32",
        "v_alignbit_b32",
        "v_bcnt_u32_b32",
        "v_mbcnt_lo_u32_b32",
        "v_mbcnt_hi_u32_b32",
        "v_add_f32",
        "v_sub_f32",
        "v_subrev_f32",
        "v_mul_f32",
        "v_min_f32",
        "v_max_f32",
        "v_fma_f32",
        "v_cmp_lt_i32",
        "v_cmp_le_u32",
        "v_cmp_ne_u32",
        "v_cmp_ge_u64",
        "v_cmp_gt_i64",
        "v_cmp_lt_f32",
        "v_cmp_nge_f32",
        "v_cmp_neq_f32",
        "v_cmp_eq_f64",
        "v_cmp_nlt_f64",
        "v_add_f64",
        "v_mul_f64",
        "v_fma_f64",
        "v_cvt_f32_i32",
        "v_cvt_i32_f32"
      })
  void fastKernelsAgreeWithTheLoopOverLanes(String name) {
    Definition definition = VectorTranslator.definition(name).orElseThrow();
    Kernel slow = new LaneLoop(definition);
    Kernel fast = Promoter.make(definition);
    Random random = new Random(name.hashCode());
    for (long exec : MASKS) {
      int[] rows = new int[8 * Wave.LANES];
      for (int i = 0; i < rows.length; i++) {
        rows[i] =
            random.nextInt(3) == 0 ? random.nextInt() : CORNERS[random.nextInt(CORNERS.length)];
      }
      int[] third = definition.implied() == null ? rows : definition.implied();
      int thirdAt = definition.implied() == null ? 4 * Wave.LANES : 0;
      int[] expected = rows.clone();
      int[] actual = rows.clone();
      int at = 6 * Wave.LANES;
      long mask = random.nextLong();
      long bits = slow.run(expected, at, rows, 0, rows, 2 * Wave.LANES, third, thirdAt, mask, exec);
      long fastBits =
          fast.run(actual, at, rows, 0, rows, 2 * Wave.LANES, third, thirdAt, mask, exec);
      int first = Arrays.mismatch(actual, expected);
      if (first >= 0) {
        int lane = first % Wave.LANES;
        fail(
            "%s of %x, %x, %x (high words %x, %x, %x) under %x: %x, not %x",
            name,
            rows[lane],
            rows[2 * Wave.LANES + lane],
            third[thirdAt + lane],
            rows[Wave.LANES + lane],
            rows[3 * Wave.LANES + lane],
            rows[5 * Wave.LANES + lane],
            exec,
            actual[first],
            expected[first]);
      }
      assertThat(fastBits).as("%s under %x", name, exec).isEqualTo(bits);
    }
  }
}
