package dev.rocport.device.check.order;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.check.WaitCounts;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Operations that wait, count what can be waited for, or tell caches what to do. */
final class Ops {
  private Ops() {}

  /** A vector access of memory, which the counter of LDS counts too where it may go there. */
  static final class Counted extends AroundOp {
    private final boolean flat;
    private final boolean store;
    private final Result result;

    Counted(Op plain) {
      super(plain);
      this.flat = plain.instruction().opcode().encoding() == Encoding.FLAT;
      this.result = Result.of(plain.instruction());
      boolean returns =
          plain.instruction().name().contains("_atomic_")
              && plain.instruction().modifiers() instanceof Modifiers.Memory m
              && m.sc0();
      this.store = result.count == 0 && !returns;
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.count(store);
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

  /** A sample of RDNA 4, which is complete when it ends. */
  static final class Uncounted extends AroundOp {
    private final Result result;

    Uncounted(Op plain) {
      super(plain);
      this.result = Result.of(plain.instruction());
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending && result.count > 0) {
        pending.completeFor(result.file(wave), result.first, result.first + result.count);
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
      LateRegisters late =
          LateRegisters.of(
              pending.launch.registers, registers, result.first, result.count, !result.isScalar());
      plain.execute(wave);
      late.hide();
      pending.addLocal(late);
    }
  }

  /** s_waitcnt, and what RDNA has in its place. */
  static final class Wait extends Op {
    private final WaitCounts most;

    Wait(Instruction instruction) {
      super(instruction);
      this.most = WaitCounts.of(instruction);
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        Pending.Until until = pending.until(most.vector(), most.stores());
        if (!pending.stays(wave, instruction(), until)) {
          pending.await(until);
          pending.completeLocals(most);
        }
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
      if (!(wave.order instanceof Pending pending)
          || !pending.stays(wave, instruction(), pending.until(0, 0))) {
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
        pending.completeAll();
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
      if (wave.order instanceof Pending pending
          && !pending.stays(wave, instruction(), pending.until(0, 0))) {
        pending.count(true);
        if (scopes.sc1()) {
          pending.completeAll();
          pending.unit.writeBack();
        }
      }
    }
  }

  /**
   * buffer_gl0_inv and buffer_gl1_inv of RDNA 3, global_inv of RDNA 4. The two levels of caches of
   * RDNA before the L2 are one here.
   */
  static final class InvalidateOfRdna extends Op {
    private final Scopes scopes;

    InvalidateOfRdna(Instruction instruction) {
      super(instruction);
      this.scopes = Scopes.of(instruction);
    }

    @Override
    public void execute(Wave wave) {
      if (!(wave.order instanceof Pending pending)) {
        return;
      }
      boolean counted = instruction().opcode().generation() == Generation.RDNA4;
      if (counted) {
        pending.count(false);
        if (scopes.isPlain()) {
          return;
        }
      }
      pending.acquires();
      pending.unit.invalidateL1();
      pending.unit.acquiresInGroup(pending.launch.clock());
      long now = pending.launch.clock();
      // other GPUs have no scope of their own on RDNA 3
      boolean ofOthers =
          counted ? scopes.sc0() && scopes.sc1() : instruction().name().equals("buffer_gl1_inv");
      if (ofOthers) {
        pending.unit.acquiresOfOthers(now);
      } else if (counted && scopes.sc1()) {
        pending.unit.acquires(now);
      }
    }
  }

  /** global_wb of RDNA 4, which the counter of stores counts. */
  static final class Counter extends AroundOp {
    Counter(Op plain) {
      super(plain);
    }

    @Override
    public void execute(Wave wave) {
      if (wave.order instanceof Pending pending) {
        pending.count(true);
      }
      plain.execute(wave);
    }
  }
}
