package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.ActionOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.device.wave.WaveTrap;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** One source, one result; jumps through registers; EXEC saved and changed. */
final class Sop1 {
  private Sop1() {}

  private interface Work {
    void apply(Wave wave, Source source, int to);
  }

  private record Unary(Source source, int to, Work work) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      work.apply(wave, source, to);
    }
  }

  private static Op unary(Instruction i, Work work) {
    return new ActionOp(i, new Unary(Operands.source(i, 1), Operands.register(i, 0), work));
  }

  private interface WordWork {
    int apply(int a);
  }

  private interface PairWork {
    long apply(long a);
  }

  private static Op word(Instruction i, WordWork f) {
    return unary(i, (w, s, to) -> w.s[to] = f.apply(s.word(w)));
  }

  private static Op pair(Instruction i, PairWork f) {
    return unary(i, (w, s, to) -> w.s64(to, f.apply(s.pair(w))));
  }

  private static Op logic(Instruction i, WordWork f) {
    return unary(
        i,
        (w, s, to) -> {
          int r = f.apply(s.word(w));
          w.s[to] = r;
          w.scc = r != 0 ? 1 : 0;
        });
  }

  private static Op logic64(Instruction i, PairWork f) {
    return unary(
        i,
        (w, s, to) -> {
          long r = f.apply(s.pair(w));
          w.s64(to, r);
          w.scc = r != 0 ? 1 : 0;
        });
  }

  /** A word from a pair. */
  private static Op narrow(Instruction i, PairWork f) {
    return unary(i, (w, s, to) -> w.s[to] = (int) f.apply(s.pair(w)));
  }

  private static Op count(Instruction i, PairWork f) {
    return unary(
        i,
        (w, s, to) -> {
          int r = (int) f.apply(s.pair(w));
          w.s[to] = r;
          w.scc = r != 0 ? 1 : 0;
        });
  }

  /** The old EXEC is kept, EXEC becomes f(source, EXEC). */
  private static Op saveExec(Instruction i, LongBinaryOperator f) {
    return changeExec(i, f, false);
  }

  /** The new EXEC goes to the destination too. */
  private static Op writeExec(Instruction i, LongBinaryOperator f) {
    return changeExec(i, f, true);
  }

  /** Waves of 32 lanes have the 32-bit forms: the other half of EXEC stays 0. */
  private static Op changeExec(Instruction i, LongBinaryOperator f, boolean newToo) {
    if (i.name().endsWith("_b32")) {
      return unary(
          i,
          (w, s, to) -> {
            int exec = w.s[Wave.EXEC];
            int now = (int) f.applyAsLong(s.word(w), exec);
            w.s[Wave.EXEC] = now;
            w.s[to] = newToo ? now : exec;
            w.scc = now != 0 ? 1 : 0;
          });
    }
    return unary(
        i,
        (w, s, to) -> {
          long exec = w.exec();
          long now = f.applyAsLong(s.pair(w), exec);
          w.s64(Wave.EXEC, now);
          w.s64(to, newToo ? now : exec);
          w.scc = now != 0 ? 1 : 0;
        });
  }

  /**
   * At the barrier of the workgroup; null for others.
   *
   * @param tells whether SCC gets whether the wave is the first one
   */
  private static @Nullable Op signal(Instruction i, boolean tells) {
    boolean own =
        i.operands().getFirst() instanceof Operand.Inline inline
            && (int) DataType.I32.constant(inline) == Sopp.WORKGROUP;
    if (!own) {
      return null;
    }
    return new ActionOp(
        i,
        (w, _) -> {
          boolean first = w.group.barrier().signal(w);
          if (tells) {
            w.scc = first ? 1 : 0;
          }
        });
  }

  static Optional<Op> translate(Instruction i) {
    return Optional.ofNullable(
        switch (i.name()) {
          case "s_barrier_signal" -> signal(i, false);
          case "s_barrier_signal_isfirst" -> signal(i, true);
          case "s_sleep_var" -> new ActionOp(i, (w, _) -> w.state = WaveState.YIELDED);
          case "s_mov_b32" -> word(i, a -> a);
          case "s_mov_b64" -> pair(i, a -> a);
          case "s_cmov_b32" ->
              unary(
                  i,
                  (w, s, to) -> {
                    if (w.scc != 0) {
                      w.s[to] = s.word(w);
                    }
                  });
          case "s_cmov_b64" ->
              unary(
                  i,
                  (w, s, to) -> {
                    if (w.scc != 0) {
                      w.s64(to, s.pair(w));
                    }
                  });
          case "s_not_b32" -> logic(i, a -> ~a);
          case "s_not_b64" -> logic64(i, a -> ~a);
          case "s_wqm_b32" -> logic(i, a -> (int) wholeQuads(a & 0xffffffffL));
          case "s_wqm_b64" -> logic64(i, Sop1::wholeQuads);
          case "s_brev_b32" -> word(i, Integer::reverse);
          case "s_brev_b64" -> pair(i, Long::reverse);
          case "s_bcnt0_i32_b32" -> logic(i, a -> 32 - Integer.bitCount(a));
          case "s_bcnt0_i32_b64" -> count(i, a -> 64 - Long.bitCount(a));
          case "s_bcnt1_i32_b32" -> logic(i, Integer::bitCount);
          case "s_bcnt1_i32_b64" -> count(i, Long::bitCount);
          case "s_ff0_i32_b32" -> word(i, a -> a == -1 ? -1 : Integer.numberOfTrailingZeros(~a));
          case "s_ff0_i32_b64" -> narrow(i, a -> a == -1 ? -1 : Long.numberOfTrailingZeros(~a));
          case "s_ff1_i32_b32" -> word(i, a -> a == 0 ? -1 : Integer.numberOfTrailingZeros(a));
          case "s_ff1_i32_b64" -> narrow(i, a -> a == 0 ? -1 : Long.numberOfTrailingZeros(a));
          case "s_flbit_i32_b32" -> word(i, a -> a == 0 ? -1 : Integer.numberOfLeadingZeros(a));
          case "s_flbit_i32_b64" -> narrow(i, a -> a == 0 ? -1 : Long.numberOfLeadingZeros(a));
          case "s_flbit_i32" ->
              word(i, a -> a == 0 || a == -1 ? -1 : Integer.numberOfLeadingZeros(a < 0 ? ~a : a));
          case "s_flbit_i32_i64" ->
              narrow(i, a -> a == 0 || a == -1 ? -1 : Long.numberOfLeadingZeros(a < 0 ? ~a : a));
          case "s_sext_i32_i8" -> word(i, a -> (byte) a);
          case "s_sext_i32_i16" -> word(i, a -> (short) a);
          case "s_bitset0_b32" -> unary(i, (w, s, to) -> w.s[to] &= ~(1 << s.word(w)));
          case "s_bitset1_b32" -> unary(i, (w, s, to) -> w.s[to] |= 1 << s.word(w));
          case "s_bitset0_b64" -> unary(i, (w, s, to) -> w.s64(to, w.s64(to) & ~(1L << s.word(w))));
          case "s_bitset1_b64" -> unary(i, (w, s, to) -> w.s64(to, w.s64(to) | 1L << s.word(w)));
          case "s_getpc_b64" -> new GetPc(i);
          case "s_setpc_b64" -> new Jump(i);
          case "s_swappc_b64" ->
              unary(
                  i,
                  (w, s, to) -> {
                    long target = s.pair(w);
                    w.s64(to, w.code.address(w.pc));
                    w.pc = w.code.index(target);
                  });
          case "s_and_saveexec_b64", "s_and_saveexec_b32" -> saveExec(i, (s, e) -> s & e);
          case "s_or_saveexec_b64", "s_or_saveexec_b32" -> saveExec(i, (s, e) -> s | e);
          case "s_xor_saveexec_b64", "s_xor_saveexec_b32" -> saveExec(i, (s, e) -> s ^ e);
          case "s_andn2_saveexec_b64", "s_andn2_saveexec_b32" -> saveExec(i, (s, e) -> s & ~e);
          case "s_orn2_saveexec_b64", "s_orn2_saveexec_b32" -> saveExec(i, (s, e) -> s | ~e);
          case "s_nand_saveexec_b64", "s_nand_saveexec_b32" -> saveExec(i, (s, e) -> ~(s & e));
          case "s_nor_saveexec_b64", "s_nor_saveexec_b32" -> saveExec(i, (s, e) -> ~(s | e));
          case "s_xnor_saveexec_b64", "s_xnor_saveexec_b32" -> saveExec(i, (s, e) -> ~(s ^ e));
          case "s_andn1_saveexec_b64", "s_andn1_saveexec_b32" -> saveExec(i, (s, e) -> ~s & e);
          case "s_orn1_saveexec_b64", "s_orn1_saveexec_b32" -> saveExec(i, (s, e) -> ~s | e);
          case "s_andn1_wrexec_b64", "s_andn1_wrexec_b32" -> writeExec(i, (s, e) -> ~s & e);
          case "s_andn2_wrexec_b64", "s_andn2_wrexec_b32" -> writeExec(i, (s, e) -> s & ~e);
          case "s_quadmask_b32" -> logic(i, a -> (int) quadMask(a & 0xffffffffL));
          case "s_quadmask_b64" -> logic64(i, Sop1::quadMask);
          case "s_movrels_b32" -> new MovRelSource(i, (w, from, to) -> w.s[to] = w.s[from], 1);
          case "s_movrels_b64" -> new MovRelSource(i, (w, from, to) -> w.s64(to, w.s64(from)), 2);
          case "s_movreld_b32" -> unary(i, (w, s, to) -> w.s[relative(w, to, 1)] = s.word(w));
          case "s_movreld_b64" -> unary(i, (w, s, to) -> w.s64(relative(w, to, 2), s.pair(w)));
          case "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64" -> Ask.of(i);
          case "s_set_gpr_idx_idx" -> new SetIndex(i);
          case "s_abs_i32" -> logic(i, Math::abs);
          case "s_bitreplicate_b64_b32" -> unary(i, (w, s, to) -> w.s64(to, spread(s.word(w)) * 3));
          default -> null;
        });
  }

  private static long wholeQuads(long a) {
    return quadBits(a) * 15;
  }

  /** Bit 4q is set where a bit of quad q is. */
  private static long quadBits(long a) {
    return (a | a >>> 1 | a >>> 2 | a >>> 3) & 0x1111111111111111L;
  }

  private static long quadMask(long a) {
    return Long.compress(quadBits(a), 0x1111111111111111L);
  }

  /** Bit i goes to bit 2i. */
  private static long spread(int a) {
    return Long.expand(a & 0xffffffffL, 0x5555555555555555L);
  }

  private static final class GetPc extends Op {
    private final int to;

    GetPc(Instruction i) {
      super(i);
      this.to = Operands.register(i, 0);
    }

    @Override
    public void execute(Wave wave) {
      wave.s64(to, wave.code.address(wave.pc));
    }
  }

  private static final class Jump extends Op {
    private final Source target;

    Jump(Instruction i) {
      super(i);
      this.target = Operands.source(i, 0);
    }

    @Override
    public void execute(Wave wave) {
      wave.pc = wave.code.index(target.pair(wave));
    }
  }

  /**
   * Returns a register selected by M0.
   *
   * @param words 1, or 2 for a pair
   * @throws WaveTrap if it does not exist
   */
  private static int relative(Wave wave, int code, int words) {
    int at = code + wave.s[Wave.M0];
    if (at < 0 || at > Wave.VCC + 2 - words || at % words != 0) {
      throw new WaveTrap("M0 selects scalar register %d, which does not exist".formatted(at));
    }
    return at;
  }

  private interface Move {
    void apply(Wave wave, int from, int to);
  }

  /** Reads a register chosen by M0. */
  private static final class MovRelSource extends Op {
    private final int to;
    private final int from;
    private final Move move;
    private final int words;

    MovRelSource(Instruction i, Move move, int words) {
      super(i);
      this.to = Operands.register(i, 0);
      this.from = Operands.register(i, 1);
      this.move = move;
      this.words = words;
    }

    @Override
    public void execute(Wave wave) {
      move.apply(wave, relative(wave, from, words), to);
    }
  }

  /** Changes by how many registers are moved. */
  private static final class SetIndex extends Op {
    private final Source source;

    SetIndex(Instruction i) {
      super(i);
      this.source = Operands.source(i, 0);
    }

    @Override
    public void execute(Wave wave) {
      wave.s[Wave.M0] = (wave.s[Wave.M0] & ~0xff) | (source.word(wave) & 0xff);
    }
  }
}
