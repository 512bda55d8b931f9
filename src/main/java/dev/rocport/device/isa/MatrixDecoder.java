package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.Optional;

/** Matrix instructions and the moves to and from accumulators: VOP3P with accumulator bits. */
final class MatrixDecoder {
  private MatrixDecoder() {}

  static Optional<Instruction> decode(Row row, Words words) {
    boolean moves = row.opcode().name().startsWith("v_accvgpr");
    Modifiers.Matrix bits =
        new Modifiers.Matrix(words.low(8, 3), words.low(11, 4), words.high(29, 3));
    boolean sparse = row.opcode().name().startsWith("v_smfmac");
    boolean unused = !moves || (words.low(8, 6) == 0 && bits.blgp() == 0);
    return unused
            && (!sparse || bits.blgp() == 0)
            && VectorDecoder.unusedSourcesAreZero(row.opcode(), words)
        ? Operands.fill(
            row, 8, moves ? new Modifiers.None() : bits, slot -> operand(row.opcode(), slot, words))
        : Optional.empty();
  }

  private static Optional<Operand> operand(Opcode opcode, Slot slot, Words words) {
    int dwords = slot.type().dwords();
    boolean wide = words.lowBit(15);
    return switch (opcode.name()) {
      case "v_accvgpr_read_b32" ->
          slot.destination()
              ? Registers.vector(words.low(0, 8), dwords)
              : register(words.high(0, 9), true, dwords);
      case "v_accvgpr_write_b32" ->
          slot.destination()
              ? Registers.accumulator(words.low(0, 8), dwords)
              : Registers.source(words.high(0, 9), dwords);
      default ->
          switch (slot.name()) {
            case "vdst" -> register(256 + words.low(0, 8), wide, dwords);
            case "src0" -> register(words.high(0, 9), words.highBit(27), dwords);
            case "src1" -> register(words.high(9, 9), words.highBit(28), dwords);
            default -> {
              int code = words.high(18, 9);
              boolean index = opcode.name().startsWith("v_smfmac");
              yield code >= 256 || index
                  ? register(code, wide && !index, dwords)
                  : constant(code, dwords);
            }
          };
    };
  }

  static Optional<Operand> register(int code, boolean accumulator, int dwords) {
    if (code < 256) {
      return Optional.empty();
    }
    return accumulator
        ? Registers.accumulator(code - 256, dwords)
        : Registers.vector(code - 256, dwords);
  }

  static Optional<Operand> constant(int code, int dwords) {
    return Registers.scalarSource(code, dwords).filter(o -> o instanceof Operand.Inline);
  }
}
