package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;

/** Prints instructions of RDNA in LLVM's syntax. */
final class RdnaText {
  private final Target target;

  RdnaText(Target target) {
    this.target = target;
  }

  String print(Instruction instruction) {
    if (instruction.modifiers() instanceof Modifiers.Dual(Instruction x, Instruction y)) {
      return half(x) + " :: " + half(y);
    }
    Instruction plain = plain(instruction);
    List<String> operands =
        switch (instruction.opcode().encoding()) {
          case SOP2, SOPK, SOP1, SOPC, SOPP -> scalar(instruction);
          case SMEM, DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF -> memory(instruction);
          case MIMG, VIMAGE, VSAMPLE -> ImageText.operands(instruction);
          default -> vector(plain);
        };
    String after =
        switch (instruction.modifiers()) {
          case Modifiers.None _ -> "";
          case Modifiers.Memory m -> memory(instruction, m);
          case Modifiers.Image m -> ImageText.modifiers(instruction, m);
          case Modifiers.Vop3 _ when isNarrow(instruction) -> "";
          case Modifiers.Moved m ->
              (isNarrow(instruction) ? "" : VectorText.modifiers(target, plain)) + moved(m);
          case Modifiers.Vop3 m when picksByte(instruction.opcode()) ->
              m.opSel() == 0 ? "" : " byte_sel:" + ((m.opSel() & 1) << 1 | m.opSel() >> 1);
          case Modifiers.Packed m when instruction.opcode().isSparseWaveMatrix() ->
              (m.opSel() == 0 ? "" : " index_key:" + m.opSel())
                  + VectorText.modifiers(target, withoutOpSel(instruction, m));
          default -> VectorText.modifiers(target, instruction);
        };
    return (instruction.opcode().mnemonic()
                + suffix(instruction)
                + " "
                + String.join(", ", operands))
            .strip()
        + after;
  }

  private String half(Instruction half) {
    List<String> operands = vector(half);
    if (half.name().equals("v_cndmask_b32")) {
      operands.removeLast(); // vcc is not written there
    }
    return half.opcode().mnemonic() + " " + String.join(", ", operands);
  }

  /** Without what moves lanes. */
  private static Instruction plain(Instruction i) {
    return i.modifiers() instanceof Modifiers.Moved m
        ? new Instruction(i.opcode(), i.size(), i.operands(), m.with())
        : i;
  }

  private static Instruction withoutOpSel(Instruction i, Modifiers.Packed m) {
    return new Instruction(
        i.opcode(),
        i.size(),
        i.operands(),
        new Modifiers.Packed(0, m.opSelHi(), m.negLo(), m.negHi(), m.clamp()));
  }

  private static String suffix(Instruction instruction) {
    Opcode opcode = instruction.opcode();
    boolean moved = instruction.modifiers() instanceof Modifiers.Moved;
    boolean plain = opcode.slots().isEmpty();
    return switch (opcode.encoding()) {
      case VOPC -> moved ? "" : "_e32";
      case VOP1, VOP2 -> moved ? "_dpp" : plain || hasOneForm(opcode) ? "" : "_e32";
      case VOP3 -> moved ? "_e64_dpp" : plain || opcode.number() >= 0x200 ? "" : "_e64";
      case VOP3P -> moved ? "_e64_dpp" : "";
      default -> "";
    };
  }

  private static boolean hasOneForm(Opcode opcode) {
    return VectorText.hasOneForm(opcode)
        || opcode.name().equals("v_swap_b16")
        || opcode.name().equals("v_swaprel_b32")
        || opcode.name().equals("v_dot2c_f32_f16")
        || opcode.name().equals("v_pk_fmac_f16")
        || opcode.name().equals("v_permlane64_b32");
  }

  static String operand(Operand operand, DataType type) {
    return switch (operand) {
      case Operand.Scalar(int code, int _) when code == Operand.NULL -> "null";
      case Operand.Scalar(int code, int dwords) when code >= 102 && code < 106 ->
          dwords == 1 ? "s" + code : "s[" + code + ":" + (code + dwords - 1) + "]";
      case Operand.Scalar(int code, int dwords) when code < 102 && code + dwords > 102 ->
          "s[" + code + ":" + (code + dwords - 1) + "]";
      default -> OperandText.of(operand, type);
    };
  }

  private static List<String> vector(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      Operand operand = instruction.operands().get(i);
      String text =
          operand instanceof Operand.Literal(int bits) && slot.name().equals("simm32")
              ? OperandText.hex(bits)
              : operand(operand, slot.type()) + half(instruction, i);
      texts.add(slot.destination() ? text : VectorText.source(instruction, slot, text, i));
    }
    return texts;
  }

  /** The 32-bit forms have no op_sel: the operand itself names the upper half. */
  private static String half(Instruction instruction, int operand) {
    return isNarrow(instruction) && RdnaHalves.isUpper(instruction, operand) ? ".h" : "";
  }

  private static boolean isNarrow(Instruction instruction) {
    return switch (instruction.opcode().encoding()) {
      case VOP1, VOP2, VOPC -> true;
      default -> false;
    };
  }

  private static String moved(Modifiers.Moved m) {
    StringBuilder text = new StringBuilder();
    if (m.eight()) {
      List<String> lanes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        lanes.add(Integer.toString(m.control() >>> (3 * i) & 7));
      }
      text.append(" dpp8:[").append(String.join(",", lanes)).append(']');
    } else {
      text.append(' ')
          .append(control(m.control()))
          .append(String.format(" row_mask:0x%x bank_mask:0x%x", m.rowMask(), m.bankMask()))
          .append(m.boundControl() ? " bound_ctrl:1" : "");
    }
    return text.append(m.fetchInactive() ? " fi:1" : "").toString();
  }

  private static String control(int control) {
    int low = control & 15;
    return switch (control >> 4) {
      case 0x10 -> "row_shl:" + low;
      case 0x11 -> "row_shr:" + low;
      case 0x12 -> "row_ror:" + low;
      case 0x14 -> low == 0 ? "row_mirror" : "row_half_mirror";
      case 0x15 -> "row_share:" + low;
      case 0x16 -> "row_xmask:" + low;
      default ->
          String.format(
              "quad_perm:[%d,%d,%d,%d]",
              control & 3, control >> 2 & 3, control >> 4 & 3, control >> 6 & 3);
    };
  }

  private static List<String> scalar(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      String text =
          switch (instruction.operands().get(i)) {
            case Operand.Immediate(int value) ->
                RdnaImmediates.of(instruction.opcode(), value & 0xffff);
            case Operand.Literal(int bits)
                when slot.name().equals("simm32")
                    && instruction.opcode().encoding() == Encoding.SOP2 ->
                OperandText.hex(bits);
            case Operand operand -> operand(operand, slot.type());
          };
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts;
  }

  private static List<String> memory(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      Operand operand = instruction.operands().get(i);
      Slot slot = slots.get(i);
      boolean off = operand instanceof Operand.Off;
      switch (off ? slot.name() + " off" : slot.name()) {
        case "vdst off", "format" -> {}
        case "soffset off" -> {
          int offset = ((Modifiers.Memory) instruction.modifiers()).offset();
          boolean none = offset == 0 && instruction.opcode().generation() == Generation.RDNA3;
          texts.add(none ? "null" : hex(offset));
        }
        case "simm24" -> texts.add(hex(((Operand.Immediate) operand).value()));
        case "simm5" -> texts.add(Integer.toString(((Operand.Immediate) operand).value()));
        case "simm7" -> texts.add(ScalarText.small(((Operand.Immediate) operand).value()));
        default -> texts.add(operand(operand, slot.type()));
      }
    }
    return texts;
  }

  private static String hex(int value) {
    return value < 0 ? "-0x" + Integer.toHexString(-value) : OperandText.hex(value);
  }

  private static String memory(Instruction instruction, Modifiers.Memory m) {
    StringBuilder text = new StringBuilder();
    switch (instruction.opcode().encoding()) {
      case SMEM -> {
        boolean register =
            instruction.opcode().has("soffset")
                && !(instruction.operand("soffset") instanceof Operand.Off);
        boolean shown = m.offset() != 0 || instruction.opcode().generation() == Generation.RDNA4;
        flag(text, register && shown && !prefetches(instruction), "offset:" + hex(m.offset()));
      }
      case DS -> {
        if (instruction.opcode().mnemonic().contains("_2addr_")) {
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
        if (instruction.opcode().encoding() == Encoding.MTBUF
            && instruction.operand("format") instanceof Operand.Immediate(int format)) {
          flag(text, format != 1, "format:" + TexelFormat.text(format));
        }
        flag(text, m.idxen(), "idxen");
        flag(text, m.offen(), "offen");
        flag(text, m.offset() != 0, "offset:" + m.offset());
      }
      default -> flag(text, m.offset() != 0, "offset:" + m.offset());
    }
    return text.append(cache(instruction, m)).toString();
  }

  /** The bits for caches. */
  static String cache(Instruction instruction, Modifiers.Memory m) {
    if (instruction.opcode().generation() == Generation.RDNA4) {
      return CacheText.of(instruction.opcode(), m);
    }
    return (m.sc0() ? " glc" : "") + (m.nt() ? " slc" : "") + (m.sc1() ? " dlc" : "");
  }

  private static boolean picksByte(Opcode opcode) {
    return opcode.mnemonic().equals("v_cvt_f32_fp8") || opcode.mnemonic().equals("v_cvt_f32_bf8");
  }

  private static boolean prefetches(Instruction instruction) {
    return instruction.name().contains("_prefetch_");
  }

  private static void flag(StringBuilder text, boolean set, String name) {
    if (set) {
      text.append(' ').append(name);
    }
  }
}
