package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.ActionOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Two sources, one result. */
final class Sop2 {
  private Sop2() {}

  /** Works on words; sets SCC itself. */
  private interface Words {
    int apply(Wave wave, int a, int b);
  }

  /** Works on pairs; sets SCC itself. */
  private interface Pairs {
    long apply(Wave wave, long a, long b);
  }

  private record Word(Source a, Source b, int to, Words work) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      wave.s[to] = work.apply(wave, a.word(wave), b.word(wave));
    }
  }

  private static Op word(Instruction i, Words work) {
    return new ActionOp(
        i, new Word(Operands.source(i, 1), Operands.source(i, 2), Operands.register(i, 0), work));
  }

  private record Pair(Source a, Source b, int to, Pairs work) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      wave.s64(to, work.apply(wave, a.pair(wave), b.pair(wave)));
    }
  }

  private static Op pair(Instruction i, Pairs work) {
    return new ActionOp(
        i, new Pair(Operands.source(i, 1), Operands.source(i, 2), Operands.register(i, 0), work));
  }

  /** SCC tells whether the result is not zero. */
  private static Op logic(Instruction i, IntBinaryOperator f) {
    return word(
        i,
        (w, a, b) -> {
          int r = f.applyAsInt(a, b);
          w.scc = r != 0 ? 1 : 0;
          return r;
        });
  }

  private static Op logic64(Instruction i, LongBinaryOperator f) {
    return pair(
        i,
        (w, a, b) -> {
          long r = f.applyAsLong(a, b);
          w.scc = r != 0 ? 1 : 0;
          return r;
        });
  }

  private static Op plain(Instruction i, IntBinaryOperator f) {
    return word(i, (_, a, b) -> f.applyAsInt(a, b));
  }

  static Optional<Op> translate(Instruction i) {
    return Optional.ofNullable(
        switch (i.name()) {
          case "s_add_nc_u64" -> pair(i, (_, a, b) -> a + b);
          case "s_sub_nc_u64" -> pair(i, (_, a, b) -> a - b);
          case "s_mul_u64" -> pair(i, (_, a, b) -> a * b);
          case "s_add_u32" -> word(i, Sop2::addUnsigned);
          case "s_sub_u32" ->
              word(
                  i,
                  (w, a, b) -> {
                    w.scc = Integer.compareUnsigned(a, b) < 0 ? 1 : 0;
                    return a - b;
                  });
          case "s_add_i32" ->
              word(
                  i,
                  (w, a, b) -> {
                    int r = a + b;
                    w.scc = ((a ^ r) & (b ^ r)) >>> 31;
                    return r;
                  });
          case "s_sub_i32" ->
              word(
                  i,
                  (w, a, b) -> {
                    int r = a - b;
                    w.scc = ((a ^ b) & (a ^ r)) >>> 31;
                    return r;
                  });
          case "s_addc_u32" ->
              word(
                  i,
                  (w, a, b) -> {
                    long r = (a & 0xffffffffL) + (b & 0xffffffffL) + w.scc;
                    w.scc = (int) (r >>> 32);
                    return (int) r;
                  });
          case "s_subb_u32" ->
              word(
                  i,
                  (w, a, b) -> {
                    long r = (a & 0xffffffffL) - (b & 0xffffffffL) - w.scc;
                    w.scc = r < 0 ? 1 : 0;
                    return (int) r;
                  });
          case "s_min_i32" -> choose(i, (a, b) -> a < b);
          case "s_max_i32" -> choose(i, (a, b) -> a >= b);
          case "s_min_u32" -> choose(i, (a, b) -> Integer.compareUnsigned(a, b) < 0);
          case "s_max_u32" -> choose(i, (a, b) -> Integer.compareUnsigned(a, b) >= 0);
          case "s_cselect_b32" -> word(i, (w, a, b) -> w.scc != 0 ? a : b);
          case "s_cselect_b64" -> pair(i, (w, a, b) -> w.scc != 0 ? a : b);
          case "s_and_b32" -> logic(i, (a, b) -> a & b);
          case "s_and_b64" -> logic64(i, (a, b) -> a & b);
          case "s_or_b32" -> logic(i, (a, b) -> a | b);
          case "s_or_b64" -> logic64(i, (a, b) -> a | b);
          case "s_xor_b32" -> logic(i, (a, b) -> a ^ b);
          case "s_xor_b64" -> logic64(i, (a, b) -> a ^ b);
          case "s_andn2_b32" -> logic(i, (a, b) -> a & ~b);
          case "s_andn2_b64" -> logic64(i, (a, b) -> a & ~b);
          case "s_orn2_b32" -> logic(i, (a, b) -> a | ~b);
          case "s_orn2_b64" -> logic64(i, (a, b) -> a | ~b);
          case "s_nand_b32" -> logic(i, (a, b) -> ~(a & b));
          case "s_nand_b64" -> logic64(i, (a, b) -> ~(a & b));
          case "s_nor_b32" -> logic(i, (a, b) -> ~(a | b));
          case "s_nor_b64" -> logic64(i, (a, b) -> ~(a | b));
          case "s_xnor_b32" -> logic(i, (a, b) -> ~(a ^ b));
          case "s_xnor_b64" -> logic64(i, (a, b) -> ~(a ^ b));
          // Java takes shift counts modulo the width, as the hardware does.
          case "s_lshl_b32" -> logic(i, (a, b) -> a << b);
          case "s_lshl_b64" -> logic64(i, (a, b) -> a << b);
          case "s_lshr_b32" -> logic(i, (a, b) -> a >>> b);
          case "s_lshr_b64" -> logic64(i, (a, b) -> a >>> b);
          case "s_ashr_i32" -> logic(i, (a, b) -> a >> b);
          case "s_ashr_i64" -> logic64(i, (a, b) -> a >> b);
          case "s_bfm_b32" -> plain(i, (a, b) -> ((1 << (a & 31)) - 1) << b);
          case "s_bfm_b64" -> pair(i, (_, a, b) -> ((1L << (a & 63)) - 1) << b);
          case "s_mul_i32" -> plain(i, (a, b) -> a * b);
          case "s_mul_hi_u32" ->
              plain(i, (a, b) -> (int) (((a & 0xffffffffL) * (b & 0xffffffffL)) >>> 32));
          case "s_mul_hi_i32" -> plain(i, (a, b) -> (int) (((long) a * b) >> 32));
          case "s_bfe_u32" -> logic(i, (a, b) -> field(a, b & 31, b >>> 16 & 127));
          case "s_bfe_i32" -> logic(i, (a, b) -> signedField(a, b & 31, b >>> 16 & 127));
          case "s_bfe_u64" -> logic64(i, (a, b) -> field(a, (int) b & 63, (int) (b >>> 16) & 127));
          case "s_bfe_i64" ->
              logic64(i, (a, b) -> signedField(a, (int) b & 63, (int) (b >>> 16) & 127));
          case "s_absdiff_i32" -> logic(i, (a, b) -> Math.abs(a - b));
          case "s_lshl1_add_u32" -> shiftedAdd(i, 1);
          case "s_lshl2_add_u32" -> shiftedAdd(i, 2);
          case "s_lshl3_add_u32" -> shiftedAdd(i, 3);
          case "s_lshl4_add_u32" -> shiftedAdd(i, 4);
          case "s_pack_ll_b32_b16" -> plain(i, (a, b) -> (a & 0xffff) | b << 16);
          case "s_pack_lh_b32_b16" -> plain(i, (a, b) -> (a & 0xffff) | (b & 0xffff0000));
          case "s_pack_hl_b32_b16" -> plain(i, (a, b) -> a >>> 16 | b << 16);
          case "s_pack_hh_b32_b16" -> plain(i, (a, b) -> a >>> 16 | (b & 0xffff0000));
          default -> null;
        });
  }

  private interface Test {
    boolean holds(int a, int b);
  }

  /** SCC tells whether the first source was chosen. */
  private static Op choose(Instruction i, Test first) {
    return word(
        i,
        (w, a, b) -> {
          boolean chosen = first.holds(a, b);
          w.scc = chosen ? 1 : 0;
          return chosen ? a : b;
        });
  }

  private static int addUnsigned(Wave w, int a, int b) {
    int r = a + b;
    w.scc = Integer.compareUnsigned(r, a) < 0 ? 1 : 0;
    return r;
  }

  private static Op shiftedAdd(Instruction i, int shift) {
    return word(
        i,
        (w, a, b) -> {
          long r = ((a & 0xffffffffL) << shift) + (b & 0xffffffffL);
          w.scc = r >>> 32 != 0 ? 1 : 0;
          return (int) r;
        });
  }

  private static int field(int a, int offset, int width) {
    return width == 0 ? 0 : width >= 32 ? a >>> offset : a >>> offset & ((1 << width) - 1);
  }

  private static int signedField(int a, int offset, int width) {
    if (width == 0) {
      return 0;
    }
    return offset + width >= 32 ? a >> offset : a << (32 - offset - width) >> (32 - width);
  }

  private static long field(long a, int offset, int width) {
    return width == 0 ? 0 : width >= 64 ? a >>> offset : a >>> offset & ((1L << width) - 1);
  }

  private static long signedField(long a, int offset, int width) {
    if (width == 0) {
      return 0;
    }
    return offset + width >= 64 ? a >> offset : a << (64 - offset - width) >> (64 - width);
  }
}
