package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;

/** The local data share, and the global wave sync that goes through it. */
final class DsDecoder {
  private final OpcodeTable table;

  DsDecoder(OpcodeTable table) {
    this.table = table;
  }

  Optional<Instruction> decode(Words words) {
    Row row = table.find(Encoding.DS, words.low(17, 8));
    if (row == null || !accept(row, words)) {
      return Optional.empty();
    }
    boolean two = row.traits().contains(Trait.OFFSETS);
    Modifiers.Memory bits =
        two
            ? Modifiers.Memory.at(words.low(0, 8), words.low(8, 8))
            : Modifiers.Memory.at(words.low(0, 16));
    // elsewhere the bit of the global share does nothing: there is none
    return Operands.fill(
        row,
        8,
        row.traits().contains(Trait.GWS) ? bits.global() : bits,
        slot -> operand(row, slot, words));
  }

  /** Fields that an opcode does not use are 0. */
  private static boolean accept(Row row, Words words) {
    boolean gws = row.traits().contains(Trait.GWS);
    boolean low = row.has("addr") || (gws && row.has("data0"));
    boolean bare = row.opcode().slots().isEmpty();
    return (low || words.high(0, 8) == 0)
        && ((row.has("data0") && !gws) || words.high(8, 8) == 0)
        && (row.has("data1") || words.high(16, 8) == 0)
        && (row.has("vdst") || words.high(24, 8) == 0)
        && (!gws || words.lowBit(16))
        && (!bare || !words.lowBit(25))
        && (!bare || gws || words.low(0, 17) == 0)
        && !(row.traits().contains(Trait.LANES) && words.lowBit(16));
  }

  private static Optional<Operand> operand(Row row, Slot slot, Words words) {
    boolean gws = row.traits().contains(Trait.GWS);
    return switch (slot.name()) {
      case "vdst" -> data(words.high(24, 8), slot, words);
      case "addr" -> Registers.vector(words.high(0, 8), slot.type().dwords());
      case "data0" -> data(gws ? words.high(0, 8) : words.high(8, 8), slot, words);
      case "data1" -> data(words.high(16, 8), slot, words);
      default -> throw new IllegalStateException(slot.toString());
    };
  }

  private static Optional<Operand> data(int register, Slot slot, Words words) {
    return Registers.data(register, slot.type().dwords(), words.lowBit(25));
  }
}
