package dev.rocport.device.isa;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The numbers of RDNA's scalar instructions with the names of what they mean. */
final class RdnaImmediates {
  private static final Map<Integer, String> HARDWARE_REGISTERS =
      Map.ofEntries(
          Map.entry(1, "HW_REG_MODE"),
          Map.entry(2, "HW_REG_STATUS"),
          Map.entry(3, "HW_REG_TRAPSTS"),
          Map.entry(5, "HW_REG_GPR_ALLOC"),
          Map.entry(6, "HW_REG_LDS_ALLOC"),
          Map.entry(7, "HW_REG_IB_STS"),
          Map.entry(15, "HW_REG_SH_MEM_BASES"),
          Map.entry(18, "HW_REG_PERF_SNAPSHOT_PC_LO"),
          Map.entry(19, "HW_REG_PERF_SNAPSHOT_PC_HI"),
          Map.entry(20, "HW_REG_FLAT_SCR_LO"),
          Map.entry(21, "HW_REG_FLAT_SCR_HI"),
          Map.entry(23, "HW_REG_HW_ID1"),
          Map.entry(24, "HW_REG_HW_ID2"),
          Map.entry(27, "HW_REG_PERF_SNAPSHOT_DATA"),
          Map.entry(29, "HW_REG_SHADER_CYCLES"));

  private static final Map<Integer, String> HARDWARE_REGISTERS_OF_RDNA4 =
      Map.ofEntries(
          Map.entry(1, "HW_REG_MODE"),
          Map.entry(2, "HW_REG_STATUS"),
          Map.entry(4, "HW_REG_STATE_PRIV"),
          Map.entry(5, "HW_REG_GPR_ALLOC"),
          Map.entry(6, "HW_REG_LDS_ALLOC"),
          Map.entry(7, "HW_REG_IB_STS"),
          Map.entry(10, "HW_REG_PERF_SNAPSHOT_DATA"),
          Map.entry(11, "HW_REG_PERF_SNAPSHOT_PC_LO"),
          Map.entry(12, "HW_REG_PERF_SNAPSHOT_PC_HI"),
          Map.entry(15, "HW_REG_PERF_SNAPSHOT_DATA1"),
          Map.entry(16, "HW_REG_PERF_SNAPSHOT_DATA2"),
          Map.entry(17, "HW_REG_EXCP_FLAG_PRIV"),
          Map.entry(18, "HW_REG_EXCP_FLAG_USER"),
          Map.entry(19, "HW_REG_TRAP_CTRL"),
          Map.entry(20, "HW_REG_SCRATCH_BASE_LO"),
          Map.entry(21, "HW_REG_SCRATCH_BASE_HI"),
          Map.entry(23, "HW_REG_HW_ID1"),
          Map.entry(24, "HW_REG_HW_ID2"),
          Map.entry(29, "HW_REG_SHADER_CYCLES_LO"),
          Map.entry(30, "HW_REG_SHADER_CYCLES_HI"),
          Map.entry(31, "HW_REG_DVGPR_ALLOC_LO"),
          Map.entry(32, "HW_REG_DVGPR_ALLOC_HI"));

  private static final Map<Integer, String> MESSAGES =
      Map.ofEntries(
          Map.entry(1, "MSG_INTERRUPT"),
          Map.entry(2, "MSG_HS_TESSFACTOR"),
          Map.entry(3, "MSG_DEALLOC_VGPRS"),
          Map.entry(5, "MSG_STALL_WAVE_GEN"),
          Map.entry(6, "MSG_HALT_WAVES"),
          Map.entry(9, "MSG_GS_ALLOC_REQ"),
          Map.entry(128, "MSG_RTN_GET_DOORBELL"),
          Map.entry(129, "MSG_RTN_GET_DDID"),
          Map.entry(130, "MSG_RTN_GET_TMA"),
          Map.entry(131, "MSG_RTN_GET_REALTIME"),
          Map.entry(132, "MSG_RTN_SAVE_WAVE"),
          Map.entry(133, "MSG_RTN_GET_TBA"),
          Map.entry(134, "MSG_RTN_GET_TBA_TO_PC"));

  private static final List<String> DELAYS =
      List.of(
          "NO_DEP",
          "VALU_DEP_1",
          "VALU_DEP_2",
          "VALU_DEP_3",
          "VALU_DEP_4",
          "TRANS32_DEP_1",
          "TRANS32_DEP_2",
          "TRANS32_DEP_3",
          "FMA_ACCUM_CYCLE_1",
          "SALU_CYCLE_1",
          "SALU_CYCLE_2",
          "SALU_CYCLE_3");

  private static final List<String> SKIPS =
      List.of("SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4");

  private RdnaImmediates() {}

  static String of(Opcode opcode, int value) {
    return switch (opcode.mnemonic()) {
      case "s_waitcnt" -> wait(value);
      case "s_delay_alu" -> delay(value);
      case "s_sendmsg", "s_sendmsghalt", "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64" ->
          message(opcode, value);
      case "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32" -> hardwareRegister(opcode, value);
      case "s_endpgm" -> value == 0 ? "" : Integer.toString(value);
      case "s_clause",
          "s_set_inst_prefetch_distance",
          "s_round_mode",
          "s_wait_event",
          "s_singleuse_vdst",
          "s_wait_alu",
          "s_wait_loadcnt",
          "s_wait_storecnt",
          "s_wait_samplecnt",
          "s_wait_bvhcnt",
          "s_wait_expcnt",
          "s_wait_dscnt",
          "s_wait_kmcnt",
          "s_wait_loadcnt_dscnt",
          "s_wait_storecnt_dscnt",
          "s_ttracedata_imm" ->
          OperandText.hex(value);
      default -> {
        boolean signed = opcode.slots().getLast().type() == DataType.I16;
        if (signed
            && (opcode.encoding() == Encoding.SOPP
                || opcode.mnemonic().startsWith("s_call")
                || opcode.mnemonic().startsWith("s_subvector"))) {
          yield Integer.toString(value);
        }
        yield opcode.encoding() == Encoding.SOPK && !opcode.mnemonic().equals("s_version")
            ? OperandText.hex(value)
            : ScalarText.small(value);
      }
    };
  }

  private static int bits(int value, int low, int width) {
    return value >> low & (1 << width) - 1;
  }

  private static String wait(int value) {
    int vector = bits(value, 10, 6);
    int export = bits(value, 0, 3);
    int local = bits(value, 4, 6);
    boolean all = vector == 63 && export == 7 && local == 63;
    List<String> counters = new ArrayList<>();
    if (all || vector != 63) {
      counters.add("vmcnt(" + vector + ")");
    }
    if (all || export != 7) {
      counters.add("expcnt(" + export + ")");
    }
    if (all || local != 63) {
      counters.add("lgkmcnt(" + local + ")");
    }
    return String.join(" ", counters);
  }

  private static String delay(int value) {
    List<String> parts = new ArrayList<>();
    int first = bits(value, 0, 4);
    int skip = bits(value, 4, 3);
    int second = bits(value, 7, 4);
    if (first != 0) {
      parts.add("instid0(" + name(DELAYS, first, "instid") + ")");
    }
    if (skip != 0) {
      parts.add("instskip(" + name(SKIPS, skip, "instskip") + ")");
    }
    if (second != 0) {
      parts.add("instid1(" + name(DELAYS, second, "instid") + ")");
    }
    return parts.isEmpty() ? "0" : String.join(" | ", parts);
  }

  private static String name(List<String> names, int i, String kind) {
    return i < names.size() ? names.get(i) : "/* invalid " + kind + " value */";
  }

  private static String message(Opcode opcode, int value) {
    int id = bits(value, 0, 8);
    String name = opcode.generation() == Generation.RDNA4 ? newerMessage(id) : MESSAGES.get(id);
    if (name == null && value > 255) {
      return Integer.toString(value);
    }
    return "sendmsg(" + (name == null ? id + ", 0, 0" : name) + ")";
  }

  /** RDNA 4 has one more, and two less. */
  private static @Nullable String newerMessage(int id) {
    return switch (id) {
      case 5, 6 -> null;
      case 135 -> "MSG_RTN_GET_SE_AID_ID";
      default -> MESSAGES.get(id);
    };
  }

  private static String hardwareRegister(Opcode opcode, int value) {
    int number = bits(value, 0, 6);
    int offset = bits(value, 6, 5);
    int width = bits(value, 11, 5) + 1;
    Map<Integer, String> names =
        opcode.generation() == Generation.RDNA4 ? HARDWARE_REGISTERS_OF_RDNA4 : HARDWARE_REGISTERS;
    String name = names.getOrDefault(number, Integer.toString(number));
    return offset == 0 && width == 32
        ? "hwreg(" + name + ")"
        : "hwreg(" + name + ", " + offset + ", " + width + ")";
  }
}
