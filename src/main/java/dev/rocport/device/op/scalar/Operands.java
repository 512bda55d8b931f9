package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;

/** Picks the operands of an instruction by their place. */
final class Operands {
  private Operands() {}

  static Source source(Instruction i, int index) {
    return Source.of(i.operands().get(index), i.opcode().slots().get(index).type());
  }

  /** The code of the scalar register in a slot. */
  static int register(Instruction i, int index) {
    if (i.operands().get(index) instanceof Operand.Scalar(int code, _)) {
      return code;
    }
    throw new IllegalArgumentException("not a scalar register: " + i.operands().get(index));
  }

  static int immediate(Instruction i, int index) {
    if (i.operands().get(index) instanceof Operand.Immediate(int value)) {
      return value;
    }
    throw new IllegalArgumentException("not an immediate: " + i.operands().get(index));
  }
}
