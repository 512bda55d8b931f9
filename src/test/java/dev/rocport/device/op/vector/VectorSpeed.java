package dev.rocport.device.op.vector;

import static dev.rocport.device.op.vector.Machine.op;
import static dev.rocport.device.op.vector.Machine.pair;
import static dev.rocport.device.op.vector.Machine.s;
import static dev.rocport.device.op.vector.Machine.v;

import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Prints nanoseconds an instruction: cold, by the loop over lanes when hot, and at its best. */
final class VectorSpeed {
  private static final int RUNS = 20_000;

  private VectorSpeed() {}

  public static void main(String[] args) throws InterruptedException {
    Map<String, Op> ops = new LinkedHashMap<>();
    ops.put("v_mov_b32", op("v_mov_b32", v(6), v(2)));
    ops.put("v_mov_b32 s", op("v_mov_b32", v(6), s(2)));
    ops.put("v_cndmask_b32", op("v_cndmask_b32", v(6), v(2), v(4), pair(106)));
    for (String name :
        new String[] {
          "v_and_b32", "v_or_b32", "v_xor_b32", "v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32",
          "v_add_u32", "v_sub_u32", "v_mul_lo_u32", "v_mul_hi_u32", "v_mul_u32_u24", "v_add_f32",
          "v_sub_f32", "v_mul_f32", "v_max_f32", "v_add_f64", "v_mul_f64", "v_lshlrev_b64",
          "v_lshrrev_b64"
        }) {
      if (VectorTranslator.definition(name).isPresent()) {
        ops.put(name, op(name, v(6), v(2), v(4)));
      }
    }
    for (String name :
        new String[] {
          "v_fma_f32",
          "v_or3_b32",
          "v_add3_u32",
          "v_lshl_add_u32",
          "v_lshl_add_u64",
          "v_bfe_u32",
          "v_fma_f64",
          "v_div_fixup_f32",
          "v_perm_b32"
        }) {
      if (VectorTranslator.definition(name).isPresent()) {
        ops.put(name, op(name, v(6), v(0), v(2), v(4)));
      }
    }
    for (String name :
        new String[] {
          "v_cvt_f32_i32", "v_cvt_i32_f32", "v_cvt_f64_f32", "v_rcp_f32", "v_exp_f32"
        }) {
      if (VectorTranslator.definition(name).isPresent()) {
        ops.put(name, op(name, v(6), v(2)));
      }
    }
    ops.put("v_mul_f32 s", op("v_mul_f32", v(6), s(2), v(4)));
    ops.put("v_mul_f32 1.0", op("v_mul_f32", v(6), new Operand.Inline(242), v(4)));
    ops.put(
        "v_fma_f32 -b",
        op("v_fma_f32", new Modifiers.Vop3(0, 2, 0, false, 0), 1, v(6), v(0), v(2), v(4)));
    Modifiers none = new Modifiers.None();
    ops.put("v_add_co_u32", op("v_add_co_u32", none, 2, v(6), pair(106), v(2), v(4)));
    ops.put("v_addc_co_u32", op("v_addc_co_u32", none, 2, v(6), pair(106), v(2), v(4), pair(106)));
    ops.put("v_mad_u64_u32", op("v_mad_u64_u32", none, 2, v(6), pair(8), v(0), v(1), v(2)));
    for (String name : new String[] {"v_cmp_gt_i32", "v_cmp_lt_f32", "v_cmp_eq_u64"}) {
      ops.put(name, op(name, pair(106), v(2), v(4)));
    }
    ops.put("v_mbcnt_lo", op("v_mbcnt_lo_u32_b32", v(6), s(2), v(4)));
    ops.put("v_readlane", op("v_readlane_b32", s(2), v(2), new Operand.Inline(131)));
    ops.put(
        "v_or_b32 sdwa",
        op("v_or_b32", new Modifiers.Sdwa(6, 0, 0, 6, 0, 0, 0, 0, false), 1, v(6), v(2), v(4)));
    ops.put(
        "v_add_f32 dpp",
        op("v_add_f32", new Modifiers.Dpp(0x111, 15, 15, false, 0, 0), 1, v(6), v(2), v(4)));

    Machine machine = new Machine();
    Random random = new Random(1);
    for (int i = 0; i < machine.wave.v.length; i++) {
      machine.wave.v[i] = Float.floatToRawIntBits(random.nextFloat());
    }
    System.out.printf("%-18s %8s %8s %8s %8s%n", "", "first", "lanes", "best", "masked");
    for (var entry : ops.entrySet()) {
      Op op = entry.getValue();
      machine.wave.s64(126, -1);
      double first = nanos(machine, op, 100);
      double lanes = nanos(machine, op, 2000);
      double best = lanes;
      for (int i = 0; i < 40; i++) {
        Thread.sleep(25);
        best = Math.min(best, nanos(machine, op, RUNS));
      }
      machine.wave.s64(126, 0x0ff0_1234_5678_9abcL);
      double masked = Double.MAX_VALUE;
      for (int i = 0; i < 10; i++) {
        masked = Math.min(masked, nanos(machine, op, RUNS));
      }
      System.out.printf(
          "%-18s %8.0f %8.0f %8.1f %8.1f%n", entry.getKey(), first, lanes, best, masked);
    }
  }

  private static double nanos(Machine machine, Op op, int runs) {
    long start = System.nanoTime();
    for (int i = 0; i < runs; i++) {
      op.execute(machine.wave);
    }
    return (double) (System.nanoTime() - start) / runs;
  }
}
