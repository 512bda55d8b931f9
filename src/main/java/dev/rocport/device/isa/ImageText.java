package dev.rocport.device.isa;

import java.util.ArrayList;
import java.util.List;

/** Prints operands and modifiers of image instructions. */
final class ImageText {
  private ImageText() {}

  static List<String> operands(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    texts.add(text(instruction, "vdata"));
    for (Opcode.Slot slot : instruction.opcode().slots()) {
      if (slot.name().startsWith("vaddr")
          && !(instruction.operand(slot.name()) instanceof Operand.Off)) {
        addresses.add(text(instruction, slot.name()));
      }
    }
    texts.add(addresses.size() == 1 ? addresses.getFirst() : addresses.toString());
    texts.add(text(instruction, "srsrc"));
    if (instruction.opcode().has("ssamp")) {
      texts.add(text(instruction, "ssamp"));
    }
    return texts;
  }

  private static String text(Instruction instruction, String slot) {
    return RdnaText.operand(instruction.operand(slot), DataType.B32);
  }

  static String modifiers(Instruction instruction, Modifiers.Image m) {
    return " dmask:0x"
        + Integer.toHexString(m.components())
        + " dim:"
        + m.dim().text()
        + (m.unnormalized() ? " unorm" : "")
        + RdnaText.cache(instruction, m.cache())
        + (m.halfAddress() ? " a16" : "")
        + (m.halfData() ? " d16" : "");
  }
}
