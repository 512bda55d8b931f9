package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.ActionOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/** Comparisons: SCC tells whether they hold. */
final class Sopc {
  private Sopc() {}

  private interface Test {
    boolean holds(Wave wave, Source a, Source b);
  }

  private record Compare(Source a, Source b, Test test) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      wave.scc = test.holds(wave, a, b) ? 1 : 0;
    }
  }

  private static int unsigned(Wave w, Source a, Source b) {
    return Integer.compareUnsigned(a.word(w), b.word(w));
  }

  /** From now on vector registers are moved. */
  private static final class IndexOn extends Op {
    private final Source source;
    private final int mode;

    IndexOn(Instruction i) {
      super(i);
      this.source = Operands.source(i, 0);
      this.mode = Operands.immediate(i, 1) & 15;
    }

    @Override
    public void execute(Wave wave) {
      wave.s[Wave.M0] = (wave.s[Wave.M0] & ~0xf0ff) | mode << 12 | (source.word(wave) & 0xff);
      wave.indexed = true;
    }
  }

  static Optional<Op> translate(Instruction i) {
    if (i.name().equals("s_set_gpr_idx_on")) {
      return Optional.of(new IndexOn(i));
    }
    Test test =
        switch (i.name()) {
          case "s_cmp_eq_i32", "s_cmp_eq_u32" -> (w, a, b) -> a.word(w) == b.word(w);
          case "s_cmp_lg_i32", "s_cmp_lg_u32" -> (w, a, b) -> a.word(w) != b.word(w);
          case "s_cmp_gt_i32" -> (w, a, b) -> a.word(w) > b.word(w);
          case "s_cmp_ge_i32" -> (w, a, b) -> a.word(w) >= b.word(w);
          case "s_cmp_lt_i32" -> (w, a, b) -> a.word(w) < b.word(w);
          case "s_cmp_le_i32" -> (w, a, b) -> a.word(w) <= b.word(w);
          case "s_cmp_gt_u32" -> (w, a, b) -> unsigned(w, a, b) > 0;
          case "s_cmp_ge_u32" -> (w, a, b) -> unsigned(w, a, b) >= 0;
          case "s_cmp_lt_u32" -> (w, a, b) -> unsigned(w, a, b) < 0;
          case "s_cmp_le_u32" -> (w, a, b) -> unsigned(w, a, b) <= 0;
          case "s_cmp_eq_u64" -> (w, a, b) -> a.pair(w) == b.pair(w);
          case "s_cmp_lg_u64" -> (w, a, b) -> a.pair(w) != b.pair(w);
          case "s_bitcmp0_b32" -> (w, a, b) -> (a.word(w) >>> b.word(w) & 1) == 0;
          case "s_bitcmp1_b32" -> (w, a, b) -> (a.word(w) >>> b.word(w) & 1) != 0;
          case "s_bitcmp0_b64" -> (w, a, b) -> (a.pair(w) >>> b.word(w) & 1) == 0;
          case "s_bitcmp1_b64" -> (w, a, b) -> (a.pair(w) >>> b.word(w) & 1) != 0;
          default -> null;
        };
    return test == null
        ? Optional.empty()
        : Optional.of(
            new ActionOp(i, new Compare(Operands.source(i, 0), Operands.source(i, 1), test)));
  }
}
