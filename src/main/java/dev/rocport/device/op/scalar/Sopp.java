package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.ActionOp;
import dev.rocport.device.wave.Branch;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.device.wave.WaveTrap;
import java.util.Optional;
import java.util.Set;

/** SOPP instructions: branches, barriers, messages and the end of a wave. */
public final class Sopp {
  /** What does nothing here: priorities, counters and the caches of instructions do not exist. */
  public static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "s_nop",
          "s_setprio",
          "s_icache_inv",
          "s_clause",
          "s_delay_alu",
          "s_set_inst_prefetch_distance",
          "s_wait_idle",
          "s_waitcnt_depctr",
          "s_incperflevel",
          "s_decperflevel",
          "s_ttracedata",
          "s_singleuse_vdst",
          "s_wait_alu",
          "s_wait_loadcnt",
          "s_wait_storecnt",
          "s_wait_samplecnt",
          "s_wait_bvhcnt",
          "s_wait_expcnt",
          "s_wait_dscnt",
          "s_wait_kmcnt",
          "s_wait_loadcnt_dscnt",
          "s_wait_storecnt_dscnt",
          "s_wakeup");

  /** RDNA: the wave needs its vector registers no more. */
  private static final int RELEASE_REGISTERS = 3;

  /** RDNA 4: the barrier of the workgroup; others have names. */
  public static final int WORKGROUP = -1;

  private Sopp() {}

  private interface Work {
    void apply(Wave wave);
  }

  private static final class Plain extends Op {
    private final Work work;

    Plain(Instruction i, Work work) {
      super(i);
      this.work = work;
    }

    @Override
    public void execute(Wave wave) {
      work.apply(wave);
    }
  }

  private static Op branch(Instruction i, Branch.Test test) {
    return new Branch(i, (short) Operands.immediate(i, 0), test);
  }

  private static Op nothing(Instruction i) {
    return new ActionOp(i, (_, _) -> {});
  }

  static Optional<Op> translate(Instruction i) {
    return Optional.ofNullable(
        switch (i.name()) {
          case "s_endpgm" -> new Plain(i, w -> w.state = WaveState.ENDED);
          case "s_branch" -> branch(i, _ -> true);
          case "s_cbranch_scc0" -> branch(i, w -> w.scc == 0);
          case "s_cbranch_scc1" -> branch(i, w -> w.scc != 0);
          case "s_cbranch_vccz" -> branch(i, w -> w.vcc() == 0);
          case "s_cbranch_vccnz" -> branch(i, w -> w.vcc() != 0);
          case "s_cbranch_execz" -> branch(i, w -> (w.s[Wave.EXEC] | w.s[Wave.EXEC + 1]) == 0);
          case "s_cbranch_execnz" -> branch(i, w -> (w.s[Wave.EXEC] | w.s[Wave.EXEC + 1]) != 0);
          // No debugger is attached.
          case "s_cbranch_cdbgsys",
              "s_cbranch_cdbguser",
              "s_cbranch_cdbgsys_or_user",
              "s_cbranch_cdbgsys_and_user" ->
              nothing(i);
          case "s_barrier" -> new Plain(i, w -> w.state = WaveState.BARRIER);
          case "s_barrier_wait" ->
              (short) Operands.immediate(i, 0) == WORKGROUP
                  ? new Plain(
                      i,
                      w -> {
                        w.barrierWaits++;
                        w.state = WaveState.BARRIER;
                      })
                  : null;
          case "s_sleep" -> new Plain(i, w -> w.state = WaveState.YIELDED);
          case "s_set_gpr_idx_off" -> new Plain(i, w -> w.indexed = false);
          case "s_set_gpr_idx_mode" -> {
            int mode = Operands.immediate(i, 0) & 15;
            yield new Plain(i, w -> w.s[Wave.M0] = (w.s[Wave.M0] & ~0xf000) | mode << 12);
          }
          case "s_round_mode" -> mode(i, 0);
          case "s_denorm_mode" -> mode(i, 4);
          case "s_sendmsg" -> {
            int message = Operands.immediate(i, 0);
            if (i.opcode().generation() != Generation.CDNA && message == RELEASE_REGISTERS) {
              yield nothing(i);
            }
            yield new Plain(i, w -> w.group.environment().message(w, message));
          }
          case "s_trap" -> {
            int number = Operands.immediate(i, 0);
            yield new Plain(i, w -> trap(number));
          }
          // Loads are complete when they have been executed, stores are visible at once.
          case "s_waitcnt" -> nothing(i);
          default -> WITHOUT_EFFECT.contains(i.name()) ? nothing(i) : null;
        });
  }

  /** Sets four bits of MODE. */
  private static Op mode(Instruction i, int low) {
    int bits = (Operands.immediate(i, 0) & 15) << low;
    return new Plain(i, w -> w.mode = (w.mode & ~(15 << low)) | bits);
  }

  /** Trap 3 is a breakpoint, which has no effect where no debugger is. */
  private static void trap(int number) {
    if (number != 3) {
      throw new WaveTrap(
          number == 2
              ? "the kernel trapped (__builtin_trap, a failed assert or abort)"
              : "the kernel trapped with number " + number);
    }
  }
}
