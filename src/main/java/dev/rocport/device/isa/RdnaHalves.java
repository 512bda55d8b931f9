package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * The halves of registers that 16-bit operands of RDNA name: op_sel in VOP3, bit 7 of the register
 * in the 32-bit forms, which reach v0 to v127. Both become op_sel here. Source: LLVM's
 * AMDGPUInstructionSyntax, and what its assembler makes of {@code v1.l} and {@code v1.h}.
 */
final class RdnaHalves {
  private static final int UPPER = 128;
  private static final int DESTINATION = 0b1000;
  private static final int ACCUMULATOR = 0b0100;

  private RdnaHalves() {}

  /** Whether instructions of an encoding name halves. */
  static boolean areNamed(Encoding encoding) {
    return switch (encoding) {
      case VOP1, VOP2, VOPC, VOP3 -> true;
      default -> false;
    };
  }

  /** The bits of op_sel for all 16-bit operands of an opcode. */
  static int of(Opcode opcode) {
    int bits = 0;
    for (int n = 0; n < opcode.slots().size(); n++) {
      bits |= bit(opcode, n);
    }
    return bits;
  }

  /** The bit of op_sel for an operand; 0 if it has more or fewer than 16 bits. */
  private static int bit(Opcode opcode, int operand) {
    Slot slot = opcode.slots().get(operand);
    if (!slot.type().isHalf()) {
      return 0;
    }
    long sources = opcode.slots().stream().limit(operand).filter(s -> !s.destination()).count();
    return slot.destination() ? DESTINATION : 1 << sources;
  }

  /** A 32-bit form whose registers above v127 are upper halves, with these halves as op_sel. */
  static Instruction named(Instruction i) {
    List<Operand> operands = new ArrayList<>();
    int bits = 0;
    for (int n = 0; n < i.operands().size(); n++) {
      int bit = bit(i.opcode(), n);
      Operand operand = i.operands().get(n);
      if (bit != 0
          && operand instanceof Operand.Vector(int register, int dwords)
          && register >= UPPER) {
        operands.add(new Operand.Vector(register - UPPER, dwords));
        bits |= bit;
      } else {
        operands.add(operand);
      }
    }
    return bits == 0
        ? i
        : accumulated(
            new Instruction(
                i.opcode(), i.size(), List.copyOf(operands), picking(i.modifiers(), bits)));
  }

  private static Modifiers picking(Modifiers modifiers, int bits) {
    return switch (modifiers) {
      case Modifiers.None _ -> new Modifiers.Vop3(0, 0, 0, false, bits);
      case Modifiers.Vop3 m ->
          new Modifiers.Vop3(m.abs(), m.neg(), m.omod(), m.clamp(), m.opSel() | bits);
      case Modifiers.Moved m ->
          new Modifiers.Moved(
              m.eight(),
              m.control(),
              m.rowMask(),
              m.bankMask(),
              m.boundControl(),
              m.fetchInactive(),
              picking(m.with(), bits));
      default -> throw new IllegalStateException("no halves in " + modifiers);
    };
  }

  /** With the half of the destination for the accumulator, which is the same register. */
  static Instruction accumulated(Instruction i) {
    return i.name().equals("v_fmac_f16") && (opSel(i.modifiers()) & DESTINATION) != 0
        ? new Instruction(i.opcode(), i.size(), i.operands(), picking(i.modifiers(), ACCUMULATOR))
        : i;
  }

  /** Whether an operand is an upper half. */
  static boolean isUpper(Instruction i, int operand) {
    return (opSel(i.modifiers()) & bit(i.opcode(), operand)) != 0;
  }

  private static int opSel(Modifiers modifiers) {
    return switch (modifiers) {
      case Modifiers.Vop3 m -> m.opSel();
      case Modifiers.Moved m -> opSel(m.with());
      default -> 0;
    };
  }
}
