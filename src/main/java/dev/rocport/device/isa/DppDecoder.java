package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.Optional;

/** Data-parallel primitives: the second word of a 32-bit encoding whose src0 is 250. */
final class DppDecoder {
  private DppDecoder() {}

  static Optional<Instruction> decode(Row row, Words words) {
    Modifiers.Dpp bits =
        new Modifiers.Dpp(
            words.high(8, 9),
            words.high(28, 4),
            words.high(24, 4),
            words.highBit(19),
            words.high(21, 1) | (words.high(23, 1) << 1),
            words.high(20, 1) | (words.high(22, 1) << 1));
    return row.modifiers().accept(bits) && control(row, bits.control())
        ? Operands.fill(
            row, 8, row.modifiers().effective(bits), slot -> operand(row.opcode(), slot, words))
        : Optional.empty();
  }

  /** The valid controls; 64-bit operands support row_newbcast only. */
  private static boolean control(Row row, int control) {
    int low = control & 15;
    boolean doubles = row.opcode().slots().stream().anyMatch(Operands::isDouble);
    return switch (control >> 4) {
      case 0x10, 0x11, 0x12 -> low != 0 && !doubles;
      case 0x13 -> low % 4 == 0 && !doubles;
      case 0x14 -> low < 4 && !doubles;
      case 0x15 -> true;
      default -> control < 0x100 && !doubles;
    };
  }

  private static Optional<Operand> operand(Opcode opcode, Slot slot, Words words) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> Registers.vector(words.low(17, 8), dwords);
      case "sdst", "src2" -> Optional.of(Registers.VCC);
      case "src0" -> Registers.vector(words.high(0, 8), dwords);
      case "src1" -> Registers.vector(words.low(9, 8), dwords);
      default -> throw new IllegalStateException(opcode.name() + " " + slot);
    };
  }
}
