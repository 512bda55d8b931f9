package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;

/** Operands and modifiers of memory instructions. */
final class MemoryText {
  private static final List<String> DATA_FORMATS =
      List.of(
          "INVALID",
          "8",
          "16",
          "8_8",
          "32",
          "16_16",
          "10_11_11",
          "11_11_10",
          "10_10_10_2",
          "2_10_10_10",
          "8_8_8_8",
          "32_32",
          "16_16_16_16",
          "32_32_32",
          "32_32_32_32",
          "RESERVED_15");

  private static final List<String> NUMBER_FORMATS =
      List.of("UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT");

  private MemoryText() {}

  static List<String> operands(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      Operand operand = instruction.operands().get(i);
      Slot slot = slots.get(i);
      boolean off = operand instanceof Operand.Off;
      switch (off ? slot.name() + " off" : slot.name()) {
        case "vdst off", "vdata off" -> {}
        case "soffset off" -> texts.add(hex(memory(instruction).offset()));
        case "simm7" -> texts.add(ScalarText.small(((Operand.Immediate) operand).value()));
        case "format" -> {}
        default -> texts.add(OperandText.of(operand, slot.type()));
      }
    }
    return texts;
  }

  private static Modifiers.Memory memory(Instruction instruction) {
    return (Modifiers.Memory) instruction.modifiers();
  }

  /** The two halves of a typed buffer's format; 8-bit unsigned normalised is not printed. */
  private static String format(int format) {
    List<String> parts = new ArrayList<>();
    if ((format & 15) != 1) {
      parts.add("BUF_DATA_FORMAT_" + DATA_FORMATS.get(format & 15));
    }
    if (format >> 4 != 0) {
      parts.add("BUF_NUM_FORMAT_" + NUMBER_FORMATS.get(format >> 4));
    }
    return "format:[" + String.join(",", parts) + "]";
  }

  private static String hex(int value) {
    return value < 0 ? "-0x" + Integer.toHexString(-value) : OperandText.hex(value);
  }

  static String modifiers(Target target, Instruction instruction, Modifiers.Memory m) {
    Encoding encoding = instruction.opcode().encoding();
    StringBuilder text = new StringBuilder();
    boolean newNames = target.has(Feature.SCOPE_BITS) && encoding != Encoding.SMEM;
    switch (encoding) {
      case SMEM -> {
        boolean register =
            instruction.opcode().has("soffset")
                && !(instruction.operand("soffset") instanceof Operand.Off);
        flag(text, register && m.offset() != 0, "offset:" + hex(m.offset()));
      }
      case DS -> {
        if (instruction.name().matches("ds_(read|write|wrxchg)2.*")) {
          flag(text, m.offset() != 0, "offset0:" + m.offset());
          flag(text, m.offset1() != 0, "offset1:" + m.offset1());
        } else {
          boolean swizzle = instruction.name().equals("ds_swizzle_b32");
          String offset = swizzle ? SwizzleText.of(m.offset()) : Integer.toString(m.offset());
          flag(text, m.offset() != 0, "offset:" + offset);
        }
        flag(text, m.gds(), "gds");
      }
      case MUBUF, MTBUF -> {
        if (encoding == Encoding.MTBUF
            && instruction.operand("format") instanceof Operand.Immediate(int format)) {
          flag(text, format != 1, format(format));
        }
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
