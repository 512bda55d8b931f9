package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.Optional;

/**
 * MFMA of floats of 8, 6 and 4 bits, whose bits for modifiers choose the formats of A and B, and
 * thus the registers that they take. The scales lie in an instruction of their own before it, which
 * does nothing else: both count as one.
 */
final class ScaledMatrixDecoder {
  /** The opcode of VOP3P that loads scales, V_MFMA_LD_SCALE_B32. */
  static final int PREFIX = 44;

  /** What is added to the opcode of an instruction to find its form with scales in the table. */
  private static final int SCALED = 128;

  private static final int FORMATS = 5;
  private static final int LITERAL = 255;

  private ScaledMatrixDecoder() {}

  static Optional<Instruction> plain(Row row, Words words) {
    return fill(row, words, 8, 0, 0, _ -> Optional.empty());
  }

  static Optional<Instruction> scaled(OpcodeTable table, Words words) {
    Words second = new Words(words.third(), words.fourth(), 0, 0, 2);
    Row row = table.find(Encoding.VOP3P, second.low(16, 7) | SCALED);
    boolean nothingElse =
        (words.low(0, 11) | words.low(15, 1) | words.high(18, 9) | words.high(29, 3)) == 0;
    if (second.low(23, 9) != words.low(23, 9) || row == null || !nothingElse) {
      return Optional.empty();
    }
    int byteA = words.low(11, 1) | words.high(27, 1) << 1;
    int byteB = words.low(12, 1) | words.high(28, 1) << 1;
    return fill(
        row,
        second,
        16,
        byteA,
        byteB,
        slot -> {
          int code = words.high(slot.name().equals("scale0") ? 0 : 9, 9);
          return code == LITERAL ? Optional.empty() : Registers.source(code, 1);
        });
  }

  private static Optional<Instruction> fill(
      Row row, Words words, int size, int byteA, int byteB, Operands.Reader scales) {
    int formatA = words.low(8, 3);
    int formatB = words.high(29, 3);
    if (formatA >= FORMATS || formatB >= FORMATS) {
      return Optional.empty();
    }
    Modifiers bits = new Modifiers.ScaledMatrix(formatA, formatB, byteA, byteB);
    return Operands.fill(row, size, bits, slot -> operand(slot, words, formatA, formatB, scales));
  }

  private static Optional<Operand> operand(
      Slot slot, Words words, int formatA, int formatB, Operands.Reader scales) {
    boolean wide = words.lowBit(15);
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> MatrixDecoder.register(256 + words.low(0, 8), wide, dwords);
      case "src0" -> MatrixDecoder.register(words.high(0, 9), words.highBit(27), dwords(formatA));
      case "src1" -> MatrixDecoder.register(words.high(9, 9), words.highBit(28), dwords(formatB));
      case "src2" -> {
        int code = words.high(18, 9);
        yield code >= 256
            ? MatrixDecoder.register(code, wide, dwords)
            : MatrixDecoder.constant(code, dwords);
      }
      default -> scales.read(slot);
    };
  }

  /** Registers of 32 elements. */
  private static int dwords(int format) {
    return format < 2 ? 8 : format < 4 ? 6 : 4;
  }
}
