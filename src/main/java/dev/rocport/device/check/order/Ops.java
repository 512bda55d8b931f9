package dev.rocport.device.check.order;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Operations that wait, count what can be waited for, or tell caches what to do. */
final class Ops {
  private Ops() {}

  /** An access that vmcnt counts. */
  static final class Counted extends Op {
    private final Op work;

    Counted(Op work) {
      super(work.instruction());
      this.work = work;
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.count();
      }
      work.execute(wave);
    }
  }

  /** s_waitcnt. */
  static final class Wait extends Op {
    private final int vectors;

    Wait(Instruction instruction) {
      super(instruction);
      int bits =
          instruction.operands().getFirst() instanceof Operand.Immediate(int value) ? value : 0;
      this.vectors = bits & 15 | bits >>> 10 & 48;
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending && !pending.stays(wave, instruction(), vectors)) {
        pending.complete(vectors);
      }
    }
  }

  /** s_endpgm. */
  static final class End extends Op {
    private final Op work;

    End(Op work) {
      super(work.instruction());
      this.work = work;
    }

    @Override
    public void execute(Wave wave) {
      if (!(wave.order instanceof Pending pending) || !pending.stays(wave, instruction(), 0)) {
        work.execute(wave);
      }
    }
  }

  /** Something others may look at once it is done: a message to the host. */
  static final class Flush extends Op {
    private final Op work;

    Flush(Op work) {
      super(work.instruction());
      this.work = work;
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.complete(0);
      }
      work.execute(wave);
    }
  }

  /** buffer_wbinvl1, buffer_wbinvl1_vol and buffer_inv. */
  static final class Invalidate extends Op {
    private final Scopes scopes;

    Invalidate(Instruction instruction) {
      super(instruction);
      this.scopes = Scopes.of(instruction);
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        boolean all = wave.group.environment().target() == Target.GFX90A;
        if (all || !scopes.isPlain()) {
          pending.unit.invalidateL1();
        }
        if (scopes.sc1()) {
          pending.unit.invalidateL2();
        }
      }
    }
  }

  /** buffer_wbl2, which vmcnt counts; what the wave has stored before goes with it. */
  static final class WriteBack extends Op {
    private final Scopes scopes;

    WriteBack(Instruction instruction) {
      super(instruction);
      this.scopes = Scopes.of(instruction);
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.count();
        if (scopes.sc1()) {
          pending.complete(0);
          pending.unit.writeBack();
        }
      }
    }
  }
}
