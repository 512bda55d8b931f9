package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Operands of scalar instructions, their immediate numbers with the names of what they mean. */
final class ScalarText {
  private static final Map<Integer, String> HARDWARE_REGISTERS =
      Map.ofEntries(
          Map.entry(1, "MODE"),
          Map.entry(2, "STATUS"),
          Map.entry(3, "TRAPSTS"),
          Map.entry(4, "HW_ID"),
          Map.entry(5, "GPR_ALLOC"),
          Map.entry(6, "LDS_ALLOC"),
          Map.entry(7, "IB_STS"),
          Map.entry(15, "SH_MEM_BASES"),
          Map.entry(16, "TBA_LO"),
          Map.entry(17, "TBA_HI"),
          Map.entry(18, "TMA_LO"),
          Map.entry(19, "TMA_HI"));

  private static final Map<Integer, String> XCD_HARDWARE_REGISTERS =
      Map.of(
          20, "XCC_ID",
          21, "SQ_PERF_SNAPSHOT_DATA",
          22, "SQ_PERF_SNAPSHOT_DATA1",
          23, "SQ_PERF_SNAPSHOT_PC_LO",
          24, "SQ_PERF_SNAPSHOT_PC_HI");

  private static final Map<Integer, String> MESSAGES =
      Map.of(
          1, "MSG_INTERRUPT",
          2, "MSG_GS",
          3, "MSG_GS_DONE",
          4, "MSG_SAVEWAVE",
          5, "MSG_STALL_WAVE_GEN",
          6, "MSG_HALT_WAVES",
          7, "MSG_ORDERED_PS_DONE",
          8, "MSG_EARLY_PRIM_DEALLOC",
          9, "MSG_GS_ALLOC_REQ",
          10, "MSG_GET_DOORBELL");

  private static final List<String> GS_OPERATIONS =
      List.of("GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT");

  private static final Map<Integer, String> SYSTEM_OPERATIONS =
      Map.of(
          1, "SYSMSG_OP_ECC_ERR_INTERRUPT",
          2, "SYSMSG_OP_REG_RD",
          3, "SYSMSG_OP_HOST_TRAP_ACK",
          4, "SYSMSG_OP_TTRACE_PC");

  private static final List<String> INDEXED = List.of("SRC0", "SRC1", "SRC2", "DST");

  private final Target target;

  ScalarText(Target target) {
    this.target = target;
  }

  List<String> operands(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      String text =
          switch (instruction.operands().get(i)) {
            case Operand.Immediate(int value) -> immediate(instruction.opcode(), value & 0xffff);
            case Operand operand -> OperandText.of(operand, slots.get(i).type());
          };
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts;
  }

  private String immediate(Opcode opcode, int value) {
    return switch (opcode.name()) {
      case "s_waitcnt" -> wait(value);
      case "s_sendmsg", "s_sendmsghalt" -> message(value);
      case "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32" -> hardwareRegister(value);
      case "s_set_gpr_idx_on", "s_set_gpr_idx_mode" -> indexed(value);
      case "s_endpgm" -> value == 0 ? "" : Integer.toString(value);
      default -> {
        if (opcode.slots().getLast().type() == DataType.I16
            && (opcode.encoding() == Encoding.SOPP || opcode.name().matches("s_call.*|.*_fork"))) {
          yield Integer.toString(value);
        }
        yield opcode.encoding() == Encoding.SOPK ? OperandText.hex(value) : small(value);
      }
    };
  }

  private static int bits(int value, int low, int width) {
    return (value >> low) & ((1 << width) - 1);
  }

  static String small(int value) {
    return value <= 64 ? Integer.toString(value) : OperandText.hex(value);
  }

  private static String wait(int value) {
    int vector = bits(value, 0, 4) | (bits(value, 14, 2) << 4);
    int export = bits(value, 4, 3);
    int scalar = bits(value, 8, 4);
    boolean all = vector == 63 && export == 7 && scalar == 15;
    List<String> counters = new ArrayList<>();
    if (all || vector != 63) {
      counters.add("vmcnt(" + vector + ")");
    }
    if (all || export != 7) {
      counters.add("expcnt(" + export + ")");
    }
    if (all || scalar != 15) {
      counters.add("lgkmcnt(" + scalar + ")");
    }
    return String.join(" ", counters);
  }

  private static String message(int value) {
    int id = value & 15;
    int operation = bits(value, 4, 3);
    int stream = bits(value, 8, 2);
    String name = MESSAGES.get(id);
    boolean whole = value == (id | (operation << 4) | (stream << 8));
    String raw =
        whole ? "sendmsg(" + id + ", " + operation + ", " + stream + ")" : Integer.toString(value);
    return switch (id) {
      case 2, 3 -> {
        boolean nop = operation == 0;
        if (operation > 3 || (nop && (id == 2 || stream != 0))) {
          yield raw;
        }
        yield "sendmsg("
            + name
            + ", "
            + GS_OPERATIONS.get(operation)
            + (nop ? ")" : ", " + stream + ")");
      }
      case 15 -> {
        String system = SYSTEM_OPERATIONS.get(operation);
        yield system == null || stream != 0 ? raw : "sendmsg(MSG_SYSMSG, " + system + ")";
      }
      default -> name == null || operation != 0 || stream != 0 ? raw : "sendmsg(" + name + ")";
    };
  }

  private String hardwareRegister(int value) {
    int id = value & 63;
    int offset = bits(value, 6, 5);
    int width = (value >> 11) + 1;
    String name = HARDWARE_REGISTERS.get(id);
    if (name == null && target.has(Feature.SEVERAL_XCDS)) {
      name = XCD_HARDWARE_REGISTERS.get(id);
    }
    String register = name == null ? Integer.toString(id) : "HW_REG_" + name;
    String bits = offset == 0 && width == 32 ? "" : ", " + offset + ", " + width;
    return "hwreg(" + register + bits + ")";
  }

  private static String indexed(int value) {
    if (value > 15) {
      return OperandText.hex(value);
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < INDEXED.size(); i++) {
      if (bits(value, i, 1) != 0) {
        names.add(INDEXED.get(i));
      }
    }
    return "gpr_idx(" + String.join(",", names) + ")";
  }
}
