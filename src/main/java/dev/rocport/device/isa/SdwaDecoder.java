package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;

/** Sub-dword addressing: the second word of a 32-bit encoding whose src0 is 249. */
final class SdwaDecoder {
  private static final int DWORD = 6;

  private SdwaDecoder() {}

  static Optional<Instruction> decode(Row row, Words words) {
    boolean compare = row.opcode().encoding() == Encoding.VOPC;
    Modifiers.Sdwa bits =
        new Modifiers.Sdwa(
            compare ? 0 : words.high(8, 3),
            compare ? 0 : words.high(11, 2),
            words.high(16, 3),
            words.high(24, 3),
            words.high(19, 1) | (words.high(27, 1) << 1),
            words.high(21, 1) | (words.high(29, 1) << 1),
            words.high(20, 1) | (words.high(28, 1) << 1),
            compare ? 0 : words.high(14, 2),
            !compare && words.highBit(13));
    return selects(bits) && accept(row, bits, words)
        ? Operands.fill(row, 8, bits, slot -> operand(row.opcode(), slot, words))
        : Optional.empty();
  }

  private static boolean selects(Modifiers.Sdwa bits) {
    return bits.dstSel() < 7 && bits.src0Sel() < 7 && bits.src1Sel() < 7 && bits.dstUnused() < 3;
  }

  /** Floats have signs, integers sign extension; only a float result has an output modifier. */
  private static boolean accept(Row row, Modifiers.Sdwa bits, Words words) {
    Opcode opcode = row.opcode();
    int floats = row.modifiers().abs();
    boolean two = opcode.has("src1");
    int integers = (two ? 3 : 1) & ~floats;
    return (bits.sext() & ~integers) == 0
        && ((bits.abs() | bits.neg()) & ~floats) == 0
        && (bits.omod() == 0 || opcode.slots().getFirst().type().isFloat())
        && (two || (words.high(24, 6) == 0 && !words.highBit(31)))
        && (bits.dstSel() == DWORD || !row.traits().contains(Trait.WHOLE));
  }

  private static Optional<Operand> operand(Opcode opcode, Slot slot, Words words) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> Registers.vector(words.low(17, 8), dwords);
      case "sdst" ->
          opcode.encoding() == Encoding.VOPC && words.highBit(15)
              ? Registers.scalar(words.high(8, 7), dwords)
              : Optional.of(Registers.VCC);
      case "src0" -> source(words.high(0, 8), words.highBit(23), dwords);
      case "src1" -> source(words.low(9, 8), words.highBit(31), dwords);
      case "src2" -> Optional.of(Registers.VCC);
      default -> throw new IllegalStateException(opcode.name() + " " + slot);
    };
  }

  private static Optional<Operand> source(int code, boolean scalar, int dwords) {
    return scalar ? Registers.scalarSource(code, dwords) : Registers.vector(code, dwords);
  }
}
