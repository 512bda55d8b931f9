package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.Optional;

/** Scalar memory: loads, stores and atomics through the scalar cache. */
final class SmemDecoder {
  private final OpcodeTable table;

  SmemDecoder(OpcodeTable table) {
    this.table = table;
  }

  Optional<Instruction> decode(Words words) {
    Row row = table.find(Encoding.SMEM, words.low(18, 8));
    if (row == null) {
      return Optional.empty();
    }
    boolean immediate = words.lowBit(17);
    boolean addressed = row.has("soffset");
    if (immediate && !addressed) {
      return Optional.empty();
    }
    boolean data = row.has("sdst") || row.has("sdata");
    int offset = immediate ? (words.high(0, 21) << 11) >> 11 : 0;
    Modifiers.Memory bits =
        Modifiers.Memory.at(offset).cached(addressed && data && words.lowBit(16), false, false);
    return Operands.fill(row, 8, bits, slot -> operand(slot, words));
  }

  private static Optional<Operand> operand(Slot slot, Words words) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      // never m0 or exec
      case "sdst", "sdata" ->
          Registers.scalar(words.low(6, 7), dwords).filter(_ -> words.low(6, 7) < 124);
      case "simm7" -> Optional.of(new Operand.Immediate(words.low(6, 7)));
      case "sbase" -> Registers.scalar(words.low(0, 6) * 2, dwords);
      case "soffset" -> {
        boolean own = words.lowBit(14);
        boolean immediate = words.lowBit(17);
        // without a field of its own the register stands in that of the offset
        yield own || !immediate
            ? Registers.scalar(own ? words.high(25, 7) : words.high(0, 7), 1)
            : Optional.of(new Operand.Off());
      }
      default -> throw new IllegalStateException(slot.toString());
    };
  }
}
