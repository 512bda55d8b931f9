package dev.rocport.device.check.order;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Operations that wait, count what can be waited for, or tell caches what to do. */
final class Ops {
  private Ops() {}

  /** An access that vmcnt counts, and lgkmcnt too where it may go to LDS. */
  static final class Counted extends AroundOp {
    private final boolean flat;
    private final Result result;

    Counted(Op plain) {
      super(plain);
      this.flat = plain.instruction().opcode().encoding() == Encoding.FLAT;
      this.result = Result.of(plain.instruction());
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.count();
        if (flat) {
          pending.addLocal(LateRegisters.NONE);
        }
        if (result.count > 0) {
          pending.completeFor(result.file(wave), result.first, result.first + result.count);
        }
      }
      plain.execute(wave);
    }
  }

  /**
   * Where an instruction puts its result.
   *
   * @param first the index of the first of the places in their file of registers
   * @param count how many they are; 0 without a result
   */
  private record Result(Operand operand, int first, int count) {
    static Result of(Instruction instruction) {
      for (int i = 0; i < instruction.operands().size(); i++) {
        if (instruction.opcode().slots().get(i).destination()) {
          return of(instruction.operands().get(i));
        }
      }
      return of(new Operand.Off());
    }

    private static Result of(Operand operand) {
      return switch (operand) {
        case Operand.Scalar(int code, int dwords) -> new Result(operand, code, dwords);
        case Operand.Vector(int register, int dwords) ->
            new Result(operand, register * Wave.LANES, dwords * Wave.LANES);
        case Operand.Accumulator(int register, int dwords) ->
            new Result(operand, register * Wave.LANES, dwords * Wave.LANES);
        default -> new Result(operand, 0, 0);
      };
    }

    boolean isScalar() {
      return operand instanceof Operand.Scalar;
    }

    int[] file(Wave wave) {
      return isScalar() ? wave.s : operand instanceof Operand.Accumulator ? wave.a : wave.v;
    }
  }

  /** An access of LDS or through the scalar cache, which lgkmcnt counts. */
  static final class Local extends AroundOp {
    private final Result result;

    Local(Op plain) {
      super(plain);
      this.result = Result.of(plain.instruction());
    }

    @Override
    public void execute(Wave wave) {
      if (!(wave.order instanceof Pending pending) || result.count == 0) {
        plain.execute(wave);
        if (wave.order instanceof Pending pending) {
          pending.addLocal(LateRegisters.NONE);
        }
        return;
      }
      if (!pending.launch.mayDelay(wave, () -> "result of " + instruction().name())) {
        pending.completeLocals(0);
        plain.execute(wave);
        pending.addLocal(LateRegisters.NONE);
        return;
      }
      int[] registers = result.file(wave);
      int[] before = pending.launch.before;
      System.arraycopy(registers, result.first, before, 0, result.count);
      plain.execute(wave);
      pending.addLocal(
          LateRegisters.of(
              pending.launch.registers,
              registers,
              result.first,
              result.count,
              before,
              !result.isScalar()));
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
  static final class End extends AroundOp {
    End(Op plain) {
      super(plain);
    }

    @Override
    public void execute(Wave wave) {
      if (!(wave.order instanceof Pending pending) || !pending.stays(wave, instruction(), 0)) {
        plain.execute(wave);
      }
    }
  }

  /** Something others may look at once it is done: a message to the host. */
  static final class Flush extends AroundOp {
    Flush(Op plain) {
      super(plain);
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.complete(0);
        pending.addLocal(LateRegisters.NONE);
      }
      plain.execute(wave);
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
        boolean all = !wave.group.environment().target().has(Feature.SCOPE_BITS);
        if (all || !scopes.isPlain()) {
          pending.acquires();
          pending.unit.invalidateL1();
          pending.unit.acquired = pending.launch.clock();
        }
        if (scopes.sc1()) {
          pending.unit.invalidateL2();
        }
        if (scopes.sc0() && scopes.sc1()) {
          pending.unit.metOthers = pending.launch.clock();
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
        pending.unit.metOthers = pending.launch.clock();
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
