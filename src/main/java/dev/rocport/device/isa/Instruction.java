package dev.rocport.device.isa;

import java.util.List;

/**
 * A decoded instruction with all its fields, including waits, scopes and cache bits.
 *
 * @param size bytes: 4, 8, or with a literal 8 or 12
 * @param operands one for each of the opcode's slots
 */
public record Instruction(Opcode opcode, int size, List<Operand> operands, Modifiers modifiers) {

  public String name() {
    return opcode.name();
  }

  /** The operand in the slot of that name. */
  public Operand operand(String slot) {
    for (int i = 0; i < operands.size(); i++) {
      if (opcode.slots().get(i).name().equals(slot)) {
        return operands.get(i);
      }
    }
    throw new IllegalArgumentException(opcode.name() + " has no " + slot);
  }
}
