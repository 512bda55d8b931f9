package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The vector ALU of RDNA 3 and 4: VOP1, VOP2, VOPC, VOP3, VOP3P, each with data-parallel primitives
 * and literals.
 */
final class RdnaVectorDecoder {
  private static final Modifiers NONE = new Modifiers.None();

  private final OpcodeTable table;

  RdnaVectorDecoder(OpcodeTable table) {
    this.table = table;
  }

  /** The 32-bit encodings. */
  Optional<Instruction> narrow(Words words) {
    return fields(words).map(RdnaHalves::named);
  }

  private Optional<Instruction> fields(Words words) {
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
      boolean bare = words.low(17, 8) == 0;
      return bare ? Operands.fill(row, 4, NONE, _ -> Optional.empty()) : Optional.empty();
    }
    if (!RdnaLanes.isCode(words.low(0, 9))) {
      return Operands.fill(row, 4, NONE, slot -> narrow(row.opcode(), slot, words, null));
    }
    int signs =
        words.low(0, 9) == RdnaRegisters.DPP ? words.high(21, 1) | words.high(23, 1) << 1 : 0;
    int negations =
        words.low(0, 9) == RdnaRegisters.DPP ? words.high(20, 1) | words.high(22, 1) << 1 : 0;
    Modifiers.Vop3 bits = new Modifiers.Vop3(signs, negations, 0, false, 0);
    if (!row.traits().contains(Trait.DPP) || !row.modifiers().accept(bits)) {
      return Optional.empty();
    }
    return RdnaLanes.of(words.low(0, 9), words.peek(), row.modifiers().effective(bits))
        .flatMap(
            moved ->
                Operands.fill(
                    row,
                    8,
                    moved,
                    slot ->
                        narrow(
                            row.opcode(),
                            slot,
                            words,
                            new Operand.Vector(words.high(0, 8), slot.type().dwords()))));
  }

  private static Optional<Operand> narrow(
      Opcode opcode, Slot slot, Words words, Operand.@Nullable Vector moved) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> RdnaRegisters.vector(words.low(17, 8), dwords);
      // v_readfirstlane_b32 has a register there, the others vcc
      case "sdst" ->
          opcode.encoding() == Encoding.VOP1
              ? RdnaRegisters.scalar(words.low(17, 8), dwords)
              : Optional.of(RdnaRegisters.vcc(dwords));
      case "src0" ->
          moved != null
              ? Optional.of(moved)
              : RdnaRegisters.source(words.low(0, 9), dwords, words.peek())
                  .filter(o -> mayBe(opcode, 0, o));
      case "src1" -> RdnaRegisters.vector(words.low(9, 8), dwords);
      case "src2" -> Optional.of(RdnaRegisters.vcc(dwords));
      case "simm32" -> Optional.of(new Operand.Literal(words.peek()));
      default -> throw new IllegalStateException(opcode.name() + " " + slot);
    };
  }

  /** VOP3. */
  Optional<Instruction> wide(Words words) {
    Row row = table.find(Encoding.VOP3, words.low(16, 10));
    if (row == null) {
      return Optional.empty();
    }
    boolean carries = carries(row.opcode());
    Modifiers.Vop3 bits =
        new Modifiers.Vop3(
            carries ? 0 : words.low(8, 3),
            words.high(29, 3),
            words.high(27, 2),
            words.lowBit(15),
            carries ? 0 : words.low(11, 4));
    boolean bare = row.opcode().slots().isEmpty() && (words.low(0, 16) != 0 || words.peek() != 0);
    if (bare || !row.modifiers().accept(bits)) {
      return Optional.empty();
    }
    return wide(row, words, row.modifiers().effective(bits)).map(RdnaHalves::accumulated);
  }

  /** VOP3P. */
  Optional<Instruction> packed(Words words) {
    Row row = table.find(Encoding.VOP3P, words.low(16, 7));
    if (row == null || words.lowBit(23)) {
      return Optional.empty();
    }
    int sources = row.has("src2") ? 0b111 : 0b11;
    boolean matrix = row.opcode().isWaveMatrix();
    boolean picksHalves = !matrix || row.modifiers().opSel() != 0;
    int high = picksHalves ? words.high(27, 2) | (words.low(14, 1) << 2) : 0b111;
    Modifiers.Packed bits =
        new Modifiers.Packed(
            words.low(11, 3), high & sources, words.high(29, 3), words.low(8, 3), words.lowBit(15));
    boolean unused = ((bits.opSel() | bits.negLo() | bits.negHi()) & ~sources) == 0;
    boolean known =
        !matrix
            ? isKnownDot(row.opcode(), words, bits)
            : ((bits.opSel() & ~row.modifiers().opSel()) == 0
                && (row.modifiers().clamp() || !bits.clamp())
                && (row.opcode().generation() != Generation.RDNA4 || isStrict(row, words, bits)));
    return unused && known ? wide(row, words, bits) : Optional.empty();
  }

  /** Whether a dot product of floats of 8 bits, if it is one, has signs of its addend only. */
  private static boolean isKnownDot(Opcode opcode, Words words, Modifiers.Packed bits) {
    boolean plain = bits.opSel() == 0 && words.high(27, 2) == 3 && words.lowBit(14);
    return !opcode.name().startsWith("v_dot4_f32_")
        || (plain && !bits.clamp() && ((bits.negLo() | bits.negHi()) & 3) == 0);
  }

  /** What RDNA 4 asks of matrices: other types than of 16 bits have fewer signs. */
  private static boolean isStrict(Row row, Words words, Modifiers.Packed bits) {
    boolean plain = words.high(27, 2) == 3 && words.lowBit(14);
    if (row.modifiers().clamp()) {
      return plain && (bits.negLo() & 4) == 0 && bits.negHi() == 0;
    }
    int signs = bits.negLo() | bits.negHi();
    boolean small = row.opcode().name().endsWith("8");
    return plain
        && (!small || (signs & 3) == 0)
        && (!row.opcode().isSparseWaveMatrix() || (signs & 4) == 0);
  }

  private static Optional<Instruction> wide(Row row, Words words, Modifiers bits) {
    if (!VectorDecoder.unusedSourcesAreZero(row.opcode(), words)) {
      return Optional.empty();
    }
    int first = words.high(0, 9);
    if (!RdnaLanes.isCode(first)) {
      return Operands.fill(row, 8, bits, slot -> wide(row.opcode(), slot, words, null));
    }
    if (!row.traits().contains(Trait.DPP64)) {
      return Optional.empty();
    }
    return RdnaLanes.of(first, words.third(), bits)
        .flatMap(
            moved ->
                Operands.fill(
                    row,
                    12,
                    moved,
                    slot ->
                        wide(
                            row.opcode(),
                            slot,
                            words,
                            new Operand.Vector(words.last(0, 8), slot.type().dwords()))));
  }

  /** Whether a second, scalar destination lies in the bits of abs and op_sel. */
  private static boolean carries(Opcode opcode) {
    return opcode.slots().size() > 1 && opcode.slots().get(1).name().equals("sdst");
  }

  private static Optional<Operand> wide(
      Opcode opcode, Slot slot, Words words, Operand.@Nullable Vector moved) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> RdnaRegisters.vector(words.low(0, 8), dwords);
      case "sdst" -> {
        int field = carries(opcode) ? words.low(8, 7) : words.low(0, 8);
        yield RdnaRegisters.scalar(field, dwords);
      }
      case "src0" ->
          moved != null
              ? Optional.of(moved)
              : source(opcode, 0, words.high(0, 9), dwords, words.third());
      default -> {
        int i = slot.name().charAt(3) - '0';
        Optional<Operand> source = source(opcode, i, words.high(9 * i, 9), dwords, words.third());
        // the word that moves lanes stands where a literal would
        boolean onlyVector = i == 1 && opcode.name().startsWith("v_fma_mix");
        yield moved == null
            ? source
            : source.filter(
                o ->
                    !(o instanceof Operand.Literal)
                        && (!onlyVector || o instanceof Operand.Vector));
      }
    };
  }

  private static Optional<Operand> source(Opcode opcode, int i, int code, int dwords, int literal) {
    return RdnaRegisters.source(code, dwords, literal).filter(o -> mayBe(opcode, i, o));
  }

  /** Sources that must be, or must not be, vector registers. */
  private static boolean mayBe(Opcode opcode, int source, Operand operand) {
    boolean vector = operand instanceof Operand.Vector;
    if (opcode.isWaveMatrix()) {
      return vector
          || (source == 2 && !opcode.isSparseWaveMatrix() && operand instanceof Operand.Inline);
    }
    if (opcode.name().startsWith("v_s_")) {
      return !vector;
    }
    return switch (opcode.name()) {
      case "v_readlane_b32" -> vector == (source == 0);
      case "v_writelane_b32" -> !vector;
      case "v_permlane16_b32", "v_permlanex16_b32" -> vector == (source == 0);
      case "v_permlane16_var_b32", "v_permlanex16_var_b32" -> vector;
      case "v_cndmask_b32", "v_cndmask_b16", "v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32" ->
          source < 2 || (operand instanceof Operand.Scalar(int code, int _) && code < 126);
      case "v_readfirstlane_b32", "v_swap_b32", "v_swap_b16", "v_swaprel_b32", "v_permlane64_b32" ->
          vector;
      case "v_movrels_b32", "v_movrelsd_b32", "v_movrelsd_2_b32" -> vector;
      case "v_mqsad_u32_u8" -> source < 2 || vector;
      default -> true;
    };
  }
}
