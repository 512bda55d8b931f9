package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;

/** Buffers: MUBUF, and MTBUF with a format of its own. */
final class BufferDecoder {
  private final Target target;
  private final OpcodeTable table;

  BufferDecoder(Target target, OpcodeTable table) {
    this.target = target;
    this.table = table;
  }

  Optional<Instruction> untyped(Words words) {
    Row row = table.find(Encoding.MUBUF, words.low(18, 7));
    if (row == null || !accept(row, words)) {
      return Optional.empty();
    }
    if (row.opcode().slots().isEmpty()) {
      boolean scoped = target.has(Feature.SCOPE_BITS);
      Modifiers.Memory bits =
          Modifiers.Memory.at(0)
              .cached(scoped && words.lowBit(14), false, scoped && words.lowBit(15));
      return Operands.fill(row, 8, bits, _ -> Optional.empty());
    }
    boolean lds = words.lowBit(16);
    Modifiers.Memory bits =
        Modifiers.Memory.at(words.low(0, 12))
            .cached(words.lowBit(14), words.lowBit(17), words.lowBit(15))
            .indexed(words.lowBit(12), words.lowBit(13));
    return Operands.fill(row, 8, lds ? bits.toLds() : bits, slot -> operand(slot, lds, words));
  }

  private boolean accept(Row row, Words words) {
    boolean scope =
        !words.lowBit(15)
            || target.has(Feature.SCOPE_BITS)
            || !row.traits().contains(Trait.FLOAT_ATOMIC);
    boolean lds = !words.lowBit(16) || row.traits().contains(Trait.LDS);
    if (!row.opcode().slots().isEmpty()) {
      return scope && lds && !(words.lowBit(16) && words.highBit(23));
    }
    boolean scoped = row.traits().contains(Trait.SCOPED);
    return lds && words.low(12, 2) == 0 && !words.highBit(23) && (scoped || words.low(14, 2) == 0);
  }

  Optional<Instruction> typed(Words words) {
    Row row = table.find(Encoding.MTBUF, words.low(15, 4));
    if (row == null) {
      return Optional.empty();
    }
    Modifiers.Memory bits =
        Modifiers.Memory.at(words.low(0, 12))
            .cached(words.lowBit(14), words.highBit(22), words.highBit(21))
            .indexed(words.lowBit(12), words.lowBit(13));
    return Operands.fill(row, 8, bits, slot -> operand(slot, false, words));
  }

  private static Optional<Operand> operand(Slot slot, boolean lds, Words words) {
    int dwords = slot.type().dwords();
    int addresses = words.low(12, 1) + words.low(13, 1);
    Optional<Operand> off = Optional.of(new Operand.Off());
    return switch (slot.name()) {
      case "vdata" -> lds ? off : Registers.data(words.high(8, 8), dwords, words.highBit(23));
      case "vaddr" -> addresses == 0 ? off : Registers.vector(words.high(0, 8), addresses);
      case "srsrc" -> Registers.scalar(words.high(16, 5) * 4, dwords);
      case "format" -> Optional.of(new Operand.Immediate(words.low(19, 7)));
      case "soffset" -> Registers.scalarSource(words.high(24, 8), 1);
      default -> throw new IllegalStateException(slot.toString());
    };
  }
}
