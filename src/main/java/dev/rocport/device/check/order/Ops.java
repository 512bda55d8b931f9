package dev.rocport.device.check.order;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Operations that wait, count what can be waited for, or tell caches what to do. */
final class Ops {
  private Ops() {}

  /** An access that vmcnt counts, and lgkmcnt too where it may go to LDS. */
  static final class Counted extends Op {
    private final Op work;
    private final boolean flat;
    private final boolean accumulators;
    private final int first;
    private final int count;

    Counted(Op work) {
      super(work.instruction());
      this.work = work;
      this.flat = work.instruction().opcode().encoding() == Encoding.FLAT;
      Operand result = result(work.instruction());
      this.accumulators = result instanceof Operand.Accumulator;
      switch (result) {
        case Operand.Vector(int register, int dwords) -> {
          first = register * Wave.LANES;
          count = dwords * Wave.LANES;
        }
        case Operand.Accumulator(int register, int dwords) -> {
          first = register * Wave.LANES;
          count = dwords * Wave.LANES;
        }
        default -> {
          first = 0;
          count = 0;
        }
      }
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.count();
        if (flat) {
          pending.addLocal(LateRegisters.NONE);
        }
        if (count > 0) {
          pending.completeFor(accumulators ? wave.a : wave.v, first, first + count);
        }
      }
      work.execute(wave);
    }
  }

  /** Where an instruction puts its result. */
  private static Operand result(Instruction instruction) {
    for (int i = 0; i < instruction.operands().size(); i++) {
      if (instruction.opcode().slots().get(i).destination()) {
        return instruction.operands().get(i);
      }
    }
    return new Operand.Off();
  }

  /** An access of LDS or through the scalar cache, which lgkmcnt counts. */
  static final class Local extends Op {
    private final Op work;
    private final boolean accumulators;
    private final boolean scalars;
    private final int first;
    private final int count;

    Local(Op work) {
      super(work.instruction());
      this.work = work;
      Operand result = result(work.instruction());
      this.accumulators = result instanceof Operand.Accumulator;
      this.scalars = result instanceof Operand.Scalar;
      switch (result) {
        case Operand.Scalar(int code, int dwords) -> {
          first = code;
          count = dwords;
        }
        case Operand.Vector(int register, int dwords) -> {
          first = register * Wave.LANES;
          count = dwords * Wave.LANES;
        }
        case Operand.Accumulator(int register, int dwords) -> {
          first = register * Wave.LANES;
          count = dwords * Wave.LANES;
        }
        default -> {
          first = 0;
          count = 0;
        }
      }
    }

    @Override
    public void execute(Wave wave) {
      if (!(wave.order instanceof Pending pending) || count == 0) {
        work.execute(wave);
        if (wave.order instanceof Pending pending) {
          pending.addLocal(LateRegisters.NONE);
        }
        return;
      }
      int[] registers = scalars ? wave.s : accumulators ? wave.a : wave.v;
      int[] before = pending.launch.before;
      System.arraycopy(registers, first, before, 0, count);
      work.execute(wave);
      pending.addLocal(
          LateRegisters.of(pending.launch.registers, registers, first, count, before, !scalars));
    }
  }

  /** s_waitcnt. */
  static final class Wait extends Op {
    private final int vectors;
    private final int locals;

    Wait(Instruction instruction) {
      super(instruction);
      int bits =
          instruction.operands().getFirst() instanceof Operand.Immediate(int value) ? value : 0;
      this.vectors = (bits & 15) | ((bits >>> 10) & 48);
      this.locals = bits >>> 8 & 15;
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending && !pending.stays(wave, instruction(), vectors)) {
        pending.await(vectors);
        pending.completeLocals(locals);
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
        pending.addLocal(LateRegisters.NONE);
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
          pending.acquires();
          pending.unit.invalidateL1();
          pending.unit.acquired = pending.launch.moment();
        }
        if (scopes.sc1()) {
          pending.unit.invalidateL2();
        }
        if (scopes.sc0() && scopes.sc1()) {
          pending.unit.metOthers = pending.launch.moment();
        }
      }
    }
  }

  /** buffer_invl2: the part of an acquire at system scope that other GPUs need. */
  static final class MeetOthers extends Op {
    MeetOthers(Instruction instruction) {
      super(instruction);
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.unit.metOthers = pending.launch.moment();
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
      if (wave.order instanceof Pending pending && !pending.stays(wave, instruction(), 0)) {
        pending.count();
        if (scopes.sc1()) {
          pending.complete(0);
          pending.unit.writeBack();
        }
      }
    }
  }
}
