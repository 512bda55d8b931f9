package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fills an opcode's slots. */
final class Operands {
  private Operands() {}

  /** The operand in a slot; empty if its bits are undefined. */
  interface Reader {
    Optional<Operand> read(Slot slot);
  }

  /** Whether a slot of the vector ALU takes a pair of vector registers. */
  static boolean isDouble(Slot slot) {
    return !slot.name().equals("sdst") && !slot.name().equals("src2") && slot.type().dwords() == 2;
  }

  /** The instruction, or empty if any slot is undefined. A literal adds its 4 bytes. */
  static Optional<Instruction> fill(Row row, int size, Modifiers modifiers, Reader reader) {
    List<Operand> operands = new ArrayList<>();
    for (Slot slot : row.opcode().slots()) {
      Optional<Operand> operand = reader.read(slot);
      if (operand.isEmpty()) {
        return Optional.empty();
      }
      operands.add(operand.get());
    }
    boolean literal = operands.stream().anyMatch(o -> o instanceof Operand.Literal);
    return Optional.of(
        new Instruction(row.opcode(), literal ? size + 4 : size, List.copyOf(operands), modifiers));
  }
}
