package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;

/** The vector ALU: VOP1, VOP2, VOPC with SDWA and DPP; VOP3 and VOP3P. */
final class VectorDecoder {
  private static final Modifiers NONE = new Modifiers.None();
  private static final int EXEC = 126;
  private static final int SDWA = 249;
  private static final int DPP = 250;
  private static final int LITERAL = 255;
  private static final int VOP3P = 0b110100111;

  private final OpcodeTable table;

  VectorDecoder(OpcodeTable table) {
    this.table = table;
  }

  /** The 32-bit encodings. */
  Optional<Instruction> narrow(Words words) {
    Row row =
        switch (words.low(25, 6)) {
          case 0b111111 -> table.find(Encoding.VOP1, words.low(9, 8));
          case 0b111110 -> table.find(Encoding.VOPC, words.low(17, 8));
          default -> table.find(Encoding.VOP2, words.low(25, 6));
        };
    if (row == null) {
      return Optional.empty();
    }
    if (row.opcode().slots().isEmpty()) {
      return words.low(17, 8) == 0
          ? Operands.fill(row, 4, NONE, _ -> Optional.empty())
          : Optional.empty();
    }
    return switch (words.low(0, 9)) {
      case SDWA ->
          row.traits().contains(Trait.SDWA) ? SdwaDecoder.decode(row, words) : Optional.empty();
      case DPP ->
          row.traits().contains(Trait.DPP) ? DppDecoder.decode(row, words) : Optional.empty();
      default -> Operands.fill(row, 4, NONE, slot -> narrow(row.opcode(), slot, words));
    };
  }

  private static Optional<Operand> narrow(Opcode opcode, Slot slot, Words words) {
    int dwords = slot.type().dwords();
    int vdst = words.low(17, 8);
    boolean accumulator = opcode.name().equals("v_accvgpr_mov_b32");
    return switch (slot.name()) {
      case "vdst" ->
          accumulator ? Registers.accumulator(vdst, dwords) : Registers.vector(vdst, dwords);
      // v_readfirstlane_b32 has a register there, the others vcc
      case "sdst" ->
          opcode.encoding() == Encoding.VOP1
              ? Registers.scalar(vdst, dwords)
              : Optional.of(Registers.VCC);
      case "src0" -> {
        int code = words.low(0, 9);
        if (accumulator) {
          yield code >= 256 ? Registers.accumulator(code - 256, dwords) : Optional.empty();
        }
        Optional<Operand> source =
            code == LITERAL
                ? Optional.of(new Operand.Literal(words.peek()))
                : Registers.source(code, dwords);
        yield source.filter(o -> mayBe(opcode, 0, o));
      }
      case "src1" -> Registers.vector(words.low(9, 8), dwords);
      case "src2" -> Optional.of(Registers.VCC);
      case "simm32" -> Optional.of(new Operand.Literal(words.peek()));
      default -> throw new IllegalStateException(opcode.name() + " " + slot);
    };
  }

  /** The 64-bit encodings. */
  Optional<Instruction> wide(Words words) {
    boolean packed = words.low(23, 9) == VOP3P;
    if (packed && words.low(16, 7) == ScaledMatrixDecoder.PREFIX) {
      return ScaledMatrixDecoder.scaled(table, words);
    }
    Row row =
        packed
            ? table.find(Encoding.VOP3P, words.low(16, 7))
            : table.find(Encoding.VOP3, words.low(16, 10));
    if (row == null) {
      return Optional.empty();
    }
    if (!packed) {
      return row.traits().contains(Trait.TABLE) ? table(row, words) : vop3(row, words);
    }
    if (row.opcode().name().endsWith("_f8f6f4")) {
      return ScaledMatrixDecoder.plain(row, words);
    }
    return row.opcode().name().matches("v_(mfma|smfmac|accvgpr)_.*")
        ? MatrixDecoder.decode(row, words)
        : packed(row, words);
  }

  private static Optional<Instruction> vop3(Row row, Words words) {
    boolean carries = carries(row.opcode());
    Modifiers.Vop3 bits =
        new Modifiers.Vop3(
            carries ? 0 : words.low(8, 3),
            words.high(29, 3),
            words.high(27, 2),
            words.lowBit(15),
            carries ? 0 : words.low(11, 4));
    boolean bare = row.opcode().slots().isEmpty() && words.low(0, 16) != 0;
    return !bare && row.modifiers().accept(bits) && unusedSourcesAreZero(row.opcode(), words)
        ? Operands.fill(
            row, 8, row.modifiers().effective(bits), slot -> wide(row.opcode(), slot, words))
        : Optional.empty();
  }

  private static Optional<Instruction> table(Row row, Words words) {
    int bits = words.high(27, 2) << 6 | words.low(8, 3) << 3 | words.high(29, 3);
    int opSel = words.low(11, 4) & row.modifiers().opSel();
    return words.lowBit(15)
        ? Optional.empty()
        : Operands.fill(
            row, 8, new Modifiers.TruthTable(bits, opSel), slot -> wide(row.opcode(), slot, words));
  }

  /** Whether a second, scalar destination lies in the bits of abs and op_sel. */
  private static boolean carries(Opcode opcode) {
    return opcode.slots().size() > 1 && opcode.slots().get(1).name().equals("sdst");
  }

  static boolean unusedSourcesAreZero(Opcode opcode, Words words) {
    for (int i = 0; i < 3; i++) {
      String name = "src" + i;
      if (words.high(9 * i, 9) != 0 && !opcode.has(name)) {
        return false;
      }
    }
    return true;
  }

  private static Optional<Operand> wide(Opcode opcode, Slot slot, Words words) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> Registers.vector(words.low(0, 8), dwords);
      case "sdst" -> Registers.scalar(carries(opcode) ? words.low(8, 7) : words.low(0, 8), dwords);
      default -> {
        int i = slot.name().charAt(3) - '0';
        Optional<Operand> source = Registers.source(words.high(9 * i, 9), dwords);
        yield source.filter(o -> mayBe(opcode, i, o));
      }
    };
  }

  /** Sources that must be, or must not be, vector registers. */
  private static boolean mayBe(Opcode opcode, int source, Operand operand) {
    boolean vector = operand instanceof Operand.Vector;
    return switch (opcode.name()) {
      case "v_readlane_b32" -> vector == (source == 0);
      case "v_writelane_b32" -> !vector;
      case "v_cndmask_b32", "v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32" ->
          source < 2 || (operand instanceof Operand.Scalar(int code, int _) && code != EXEC);
      case "v_readfirstlane_b32", "v_swap_b32", "v_permlane16_swap_b32", "v_permlane32_swap_b32" ->
          vector;
      case "v_mqsad_u32_u8" -> source < 2 || vector;
      default ->
          vector || !opcode.name().startsWith("v_cvt_scalef32_") || isOneWord(opcode, source);
    };
  }

  private static boolean isOneWord(Opcode opcode, int source) {
    return opcode.slots().stream()
        .anyMatch(s -> s.name().equals("src" + source) && s.type().dwords() == 1);
  }

  private static Optional<Instruction> packed(Row row, Words words) {
    int sources = row.has("src2") ? 0b111 : 0b11;
    int high = words.high(27, 2) | (words.low(14, 1) << 2);
    Modifiers.Packed bits =
        new Modifiers.Packed(
            words.low(11, 3), high & sources, words.high(29, 3), words.low(8, 3), words.lowBit(15));
    boolean unused = ((bits.opSel() | bits.negLo() | bits.negHi()) & ~sources) == 0;
    return unused && unusedSourcesAreZero(row.opcode(), words)
        ? Operands.fill(row, 8, bits, slot -> wide(row.opcode(), slot, words))
        : Optional.empty();
  }
}
