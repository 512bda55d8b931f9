package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;

/** Operands and modifiers of memory instructions. */
final class MemoryText {
  private MemoryText() {}

  static List<String> operands(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      Operand operand = instruction.operands().get(i);
      Slot slot = slots.get(i);
      boolean off = operand instanceof Operand.Off;
      boolean absent = off && (slot.name().equals("vdst") || slot.name().equals("vdata"));
      if (slot.name().equals("soffset")
          && instruction.opcode().encoding() == Encoding.SMEM
          && off) {
        texts.add(hex(((Modifiers.Memory) instruction.modifiers()).offset()));
      } else if (!absent && !slot.name().equals("format")) {
        texts.add(OperandText.of(operand, slot.type()));
      }
    }
    return texts;
  }

  private static String hex(int value) {
    return value < 0 ? "-0x" + Integer.toHexString(-value) : OperandText.hex(value);
  }

  static String modifiers(Target target, Instruction instruction, Modifiers.Memory m) {
    Encoding encoding = instruction.opcode().encoding();
    StringBuilder text = new StringBuilder();
    boolean newNames = target == Target.GFX942 && encoding != Encoding.SMEM;
    switch (encoding) {
      case SMEM -> {
        boolean register =
            instruction.opcode().slots().stream().anyMatch(s -> s.name().equals("soffset"))
                && !(instruction.operand("soffset") instanceof Operand.Off);
        flag(text, register && m.offset() != 0, "offset:" + hex(m.offset()));
      }
      case DS -> {
        if (instruction.name().matches("ds_(read|write|wrxchg)2.*")) {
          flag(text, m.offset() != 0, "offset0:" + m.offset());
          flag(text, m.offset1() != 0, "offset1:" + m.offset1());
        } else {
          flag(text, m.offset() != 0, "offset:" + m.offset());
        }
        flag(text, m.gds(), "gds");
      }
      case MUBUF, MTBUF -> {
        flag(text, m.idxen(), "idxen");
        flag(text, m.offen(), "offen");
        flag(text, m.offset() != 0, "offset:" + m.offset());
      }
      default -> flag(text, m.offset() != 0, "offset:" + m.offset());
    }
    flag(text, m.sc0(), newNames ? "sc0" : "glc");
    flag(text, m.nt(), newNames ? "nt" : "slc");
    flag(text, m.sc1(), newNames ? "sc1" : "scc");
    flag(text, m.lds(), "lds");
    return text.toString();
  }

  private static void flag(StringBuilder text, boolean set, String name) {
    if (set) {
      text.append(' ').append(name);
    }
  }
}
