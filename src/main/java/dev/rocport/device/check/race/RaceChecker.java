package dev.rocport.device.check.race;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Coverage;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.VectorClock;
import dev.rocport.device.check.WaitCounts;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds accesses to the same bytes, at least one of them a store, that are not ordered by a
 * barrier, a scoped fence with an atomic, the order of kernels or a stream.
 *
 * <p>A wave is one actor: its lanes run in lockstep, and its instructions in order.
 */
public final class RaceChecker implements Checker {
  private final Races session;
  private final Program program;

  /**
   * Of one program.
   *
   * @param session that of its device
   */
  public RaceChecker(Findings findings, Races session) {
    this.session = session;
    this.program = new Program(findings);
  }

  @Override
  public void loaded(CodeObject object, byte[] image) {
    program.loaded(object, image);
  }

  @Override
  public Coverage coverage() {
    return Coverage.ofPairs(program.pairs());
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return session.begin(program, launch);
  }

  @Override
  public long meets(@Nullable Map<Long, Long> known) {
    return session.meets(program, known);
  }

  @Override
  public void freed(Allocation allocation) {
    session.shadow().forget(allocation.base(), allocation.size());
  }

  @Override
  public void ended() {
    session.leaves(program);
  }

  @Override
  public void allocated(Allocation allocation, int gpu) {
    session.shadow().forget(allocation.base(), allocation.size());
  }

  @Override
  public void touches(long to, long from, long size, @Nullable VectorClock clock) {
    session.touches(program, to, from, size, clock);
  }

  @Override
  public Op around(Op plain) {
    Instruction instruction = plain.instruction();
    return switch (instruction.name()) {
      case "s_waitcnt", "s_waitcnt_vmcnt", "s_waitcnt_vscnt", "s_waitcnt_lgkmcnt" ->
          new Wait(plain);
      case "s_wait_loadcnt",
          "s_wait_storecnt",
          "s_wait_dscnt",
          "s_wait_loadcnt_dscnt",
          "s_wait_storecnt_dscnt" ->
          new Wait(plain);
      // What a workgroup shares is not in the cache that a narrower one leaves alone.
      case "global_inv" ->
          SyncScope.ofBits(instruction) == SyncScope.GPU ? new Invalidate(plain) : plain;
      case "buffer_wbl2" -> new WriteBack(plain);
      case "buffer_inv", "buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_gl1_inv" ->
          new Invalidate(plain);
      default -> plain;
    };
  }

  /** An operation with something before or after it. */
  private abstract static class Around extends AroundOp {
    Around(Op plain) {
      super(plain);
    }

    @Override
    public final void execute(Wave wave) {
      int next = wave.pc;
      plain.execute(wave);
      // A wait that continues executes again.
      if (wave.pc == next && wave.race instanceof WaveClock clock) {
        after(clock);
      }
    }

    @Override
    public final @Nullable List<Action> actions() {
      Action without = plainly();
      return without == null ? null : List.of(new Then(without, this));
    }

    abstract void after(WaveClock clock);
  }

  private record Then(Action without, Around around) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      without.run(wave, exec);
      if (wave.race instanceof WaveClock clock) {
        around.after(clock);
      }
    }
  }

  private static final class Wait extends Around {
    private final WaitCounts most;

    Wait(Op plain) {
      super(plain);
      this.most = WaitCounts.of(plain.instruction());
    }

    @Override
    void after(WaveClock clock) {
      clock.waited(most);
    }
  }

  private static final class WriteBack extends Around {
    private final boolean toSystem;

    WriteBack(Op plain) {
      super(plain);
      // gfx90a has no narrower one than that to the system
      this.toSystem =
          !(plain.instruction().modifiers() instanceof Modifiers.Memory m) || m.sc0() || !m.sc1();
    }

    @Override
    void after(WaveClock clock) {
      clock.writesBack(toSystem);
    }
  }

  private static final class Invalidate extends Around {
    Invalidate(Op plain) {
      super(plain);
    }

    @Override
    void after(WaveClock clock) {
      clock.invalidated();
    }
  }
}
