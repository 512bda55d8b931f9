package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;

/** The scalar ALU and program control: SOP2, SOPK, SOP1, SOPC, SOPP. */
final class ScalarDecoder {
  private static final Modifiers NONE = new Modifiers.None();
  private static final int LITERAL = 255;

  private final OpcodeTable table;

  ScalarDecoder(OpcodeTable table) {
    this.table = table;
  }

  Optional<Instruction> decode(Words words) {
    Encoding encoding = encoding(words);
    int number =
        switch (encoding) {
          case SOP1 -> words.low(8, 8);
          case SOPC, SOPP -> words.low(16, 7);
          case SOPK -> words.low(23, 5);
          default -> words.low(23, 7);
        };
    Row row = table.find(encoding, number);
    if (row == null || !unusedBitsAreZero(row.opcode(), words)) {
      return Optional.empty();
    }
    return Operands.fill(row, 4, NONE, slot -> operand(row, slot, words));
  }

  private static Encoding encoding(Words words) {
    return switch (words.low(23, 9)) {
      case 0b101111101 -> Encoding.SOP1;
      case 0b101111110 -> Encoding.SOPC;
      case 0b101111111 -> Encoding.SOPP;
      default -> words.low(28, 4) == 0b1011 ? Encoding.SOPK : Encoding.SOP2;
    };
  }

  /** Program control without a number has zeros there; elsewhere unused bits do nothing. */
  private static boolean unusedBitsAreZero(Opcode opcode, Words words) {
    return opcode.encoding() != Encoding.SOPP || !opcode.slots().isEmpty() || words.low(0, 16) == 0;
  }

  private static Optional<Operand> operand(Row row, Slot slot, Words words) {
    return switch (slot.name()) {
      case "sdst" -> Registers.scalar(words.low(16, 7), slot.type().dwords());
      case "ssrc0" ->
          row.traits().contains(Trait.REGISTER)
              ? Registers.scalar(words.low(0, 8), slot.type().dwords())
              : source(words.low(0, 8), slot, words);
      case "ssrc1" -> source(words.low(8, 8), slot, words);
      case "simm4" -> Optional.of(new Operand.Immediate(words.low(8, 8)));
      case "simm16" -> {
        int value = words.low(0, 16);
        yield Optional.of(
            new Operand.Immediate(slot.type() == DataType.I16 ? (short) value : value));
      }
      case "simm32" -> Optional.of(new Operand.Literal(words.peek()));
      default -> throw new IllegalStateException(row.opcode() + " " + slot);
    };
  }

  private static Optional<Operand> source(int code, Slot slot, Words words) {
    return code == LITERAL
        ? Optional.of(new Operand.Literal(words.peek()))
        : Registers.scalarSource(code, slot.type().dwords());
  }
}
