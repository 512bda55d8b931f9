package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;

/** Modifiers of vector ALU instructions, on their sources and after them. */
final class VectorText {
  private static final String[] OUTPUT = {"", " mul:2", " mul:4", " div:2"};
  private static final String[] SELECTIONS = {
    "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"
  };
  private static final String[] UNUSED = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};

  private VectorText() {}

  /** Opcodes without a 64-bit form: their names need no suffix. */
  static boolean hasOneForm(Opcode opcode) {
    return opcode.name().equals("v_readfirstlane_b32")
        || opcode.name().equals("v_swap_b32")
        || opcode.name().equals("v_accvgpr_mov_b32")
        || opcode.has("simm32");
  }

  static String source(Instruction instruction, Slot slot, String text, int index) {
    if (!slot.name().startsWith("src")) {
      return text;
    }
    int i = slot.name().charAt(3) - '0';
    Operand operand = instruction.operands().get(index);
    boolean constant = operand instanceof Operand.Inline || operand instanceof Operand.Literal;
    return switch (instruction.modifiers()) {
      case Modifiers.Vop3 m when isInteger(slot.type()) ->
          bit(m.neg(), i) ? "sext(" + text + ")" : text;
      case Modifiers.Dpp m when isInteger(slot.type()) ->
          bit(m.neg(), i) ? "sext(" + text + ")" : text;
      case Modifiers.Vop3 m -> signed(text, bit(m.abs(), i), bit(m.neg(), i), constant);
      case Modifiers.Dpp m -> signed(text, bit(m.abs(), i), bit(m.neg(), i), constant);
      case Modifiers.Sdwa m ->
          bit(m.sext(), i)
              ? "sext(" + text + ")"
              : signed(text, bit(m.abs(), i), bit(m.neg(), i), constant);
      case Modifiers.Packed m when isMix(instruction) ->
          signed(text, bit(m.negHi(), i), bit(m.negLo(), i), constant);
      default -> text;
    };
  }

  /** Negation of an integer does nothing; LLVM gives its bit the other name. */
  private static boolean isInteger(DataType type) {
    return switch (type) {
      case I16, U16, I32, U32 -> true;
      default -> false;
    };
  }

  private static boolean isMix(Instruction instruction) {
    return instruction.name().contains("_mix");
  }

  private static String signed(String text, boolean abs, boolean neg, boolean constant) {
    String inner = abs ? "|" + text + "|" : text;
    return neg ? constant && !abs ? "neg(" + inner + ")" : "-" + inner : inner;
  }

  private static boolean bit(int mask, int i) {
    return ((mask >> i) & 1) != 0;
  }

  static String modifiers(Target target, Instruction instruction) {
    List<Slot> slots = instruction.opcode().slots();
    int sources = (int) slots.stream().filter(s -> s.name().startsWith("src")).count();
    return switch (instruction.modifiers()) {
      case Modifiers.Vop3 m -> {
        String select =
            m.opSel() == 0
                ? ""
                : " op_sel:"
                    + list(
                        m.opSel(),
                        picksByte(instruction.opcode().mnemonic()) ? 3 : sources,
                        instruction.opcode().has("vdst") ? 1 : 0);
        yield select + (m.clamp() ? " clamp" : "") + OUTPUT[m.omod()];
      }
      case Modifiers.TruthTable m ->
          (m.bits() == 0 ? "" : " bitop3:" + number(m.bits()))
              + (m.opSel() == 0 ? "" : " op_sel:" + list(m.opSel(), sources, 1));
      case Modifiers.Packed m -> packed(m, sources, isMix(instruction));
      case Modifiers.Matrix m ->
          matrix(m, target.has(Feature.MATRIX_F64_NEGATION) && instruction.name().contains("f64"));
      case Modifiers.ScaledMatrix m -> scaled(instruction, m);
      case Modifiers.Sdwa m -> sdwa(instruction, m, sources);
      case Modifiers.Dpp m -> dpp(m);
      case Modifiers.None _,
          Modifiers.Memory _,
          Modifiers.Image _,
          Modifiers.Moved _,
          Modifiers.Dual _ ->
          "";
    };
  }

  /** Conversions with two sources whose op_sel picks a byte of the destination. */
  private static boolean picksByte(String mnemonic) {
    return mnemonic.matches("v_cvt_sr_[bf]+8_f32|v_cvt_scalef32_pk_fp4_b?f16");
  }

  private static String number(int value) {
    return value < 10 ? Integer.toString(value) : "0x" + Integer.toHexString(value);
  }

  private static String list(int mask, int sources, int more) {
    List<String> bits = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      bits.add(bit(mask, i) ? "1" : "0");
    }
    if (more == 1) {
      bits.add(bit(mask, 3) ? "1" : "0");
    }
    return "[" + String.join(",", bits) + "]";
  }

  private static String packed(Modifiers.Packed m, int sources, boolean mix) {
    int all = (1 << sources) - 1;
    int high = mix ? 0 : all;
    StringBuilder text = new StringBuilder();
    if ((m.opSel() & all) != 0) {
      text.append(" op_sel:").append(list(m.opSel(), sources, 0));
    }
    if ((m.opSelHi() & all) != high) {
      text.append(" op_sel_hi:").append(list(m.opSelHi(), sources, 0));
    }
    if (!mix && (m.negLo() & all) != 0) {
      text.append(" neg_lo:").append(list(m.negLo(), sources, 0));
    }
    if (!mix && (m.negHi() & all) != 0) {
      text.append(" neg_hi:").append(list(m.negHi(), sources, 0));
    }
    return text.append(m.clamp() ? " clamp" : "").toString();
  }

  private static String matrix(Modifiers.Matrix m, boolean doubles) {
    StringBuilder text = new StringBuilder();
    if (m.cbsz() != 0) {
      text.append(" cbsz:").append(m.cbsz());
    }
    if (m.abid() != 0) {
      text.append(" abid:").append(m.abid());
    }
    if (m.blgp() != 0) {
      text.append(doubles ? " neg:" + list(m.blgp(), 3, 0) : " blgp:" + m.blgp());
    }
    return text.toString();
  }

  private static String scaled(Instruction instruction, Modifiers.ScaledMatrix m) {
    StringBuilder text = new StringBuilder();
    if (instruction.name().startsWith("v_mfma_scale_")) {
      int low = (m.byteA() & 1) | (m.byteB() & 1) << 1;
      int high = m.byteA() >> 1 | m.byteB() >> 1 << 1;
      text.append(low == 0 ? "" : " op_sel:" + list(low, 3, 0));
      text.append(" op_sel_hi:").append(list(high, 3, 0));
    }
    return text.append(matrix(new Modifiers.Matrix(m.formatA(), 0, m.formatB()), false)).toString();
  }

  private static String sdwa(Instruction instruction, Modifiers.Sdwa m, int sources) {
    StringBuilder text = new StringBuilder();
    text.append(m.clamp() ? " clamp" : "").append(OUTPUT[m.omod()]);
    boolean whole = instruction.name().endsWith("8"); // from FP8 and BF8
    if (instruction.opcode().encoding() != Encoding.VOPC && !whole) {
      text.append(" dst_sel:").append(SELECTIONS[m.dstSel()]);
      text.append(" dst_unused:").append(UNUSED[m.dstUnused()]);
    }
    text.append(" src0_sel:").append(SELECTIONS[m.src0Sel()]);
    if (sources > 1) {
      text.append(" src1_sel:").append(SELECTIONS[m.src1Sel()]);
    }
    return text.toString();
  }

  private static String dpp(Modifiers.Dpp m) {
    String text =
        String.format(
            " %s row_mask:0x%x bank_mask:0x%x", control(m.control()), m.rowMask(), m.bankMask());
    return m.boundControl() ? text + " bound_ctrl:1" : text;
  }

  private static String control(int control) {
    int low = control & 15;
    return switch (control >> 4) {
      case 0x10 -> "row_shl:" + low;
      case 0x11 -> "row_shr:" + low;
      case 0x12 -> "row_ror:" + low;
      case 0x13 ->
          switch (low) {
            case 0 -> "wave_shl:1";
            case 4 -> "wave_rol:1";
            case 8 -> "wave_shr:1";
            default -> "wave_ror:1";
          };
      case 0x14 ->
          switch (low) {
            case 0 -> "row_mirror";
            case 1 -> "row_half_mirror";
            case 2 -> "row_bcast:15";
            default -> "row_bcast:31";
          };
      case 0x15 -> "row_newbcast:" + low;
      default ->
          String.format(
              "quad_perm:[%d,%d,%d,%d]",
              control & 3, (control >> 2) & 3, (control >> 4) & 3, (control >> 6) & 3);
    };
  }
}
