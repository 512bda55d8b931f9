package dev.rocport.device.isa;

import static dev.rocport.device.isa.RdnaMemoryDecoder.EXEC_HI;
import static dev.rocport.device.isa.RdnaMemoryDecoder.NO_SADDR;
import static dev.rocport.device.isa.RdnaMemoryDecoder.OFF;
import static dev.rocport.device.isa.RdnaMemoryDecoder.SEGMENTS;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.Optional;

/** FLAT, GLOBAL, SCRATCH and buffers of RDNA 4, of 96 bits. */
final class RdnaLongMemoryDecoder {
  private static final int SIZE = 12;

  private final OpcodeTable table;

  RdnaLongMemoryDecoder(OpcodeTable table) {
    this.table = table;
  }

  private static Modifiers.Memory bits(Words words) {
    int offset = words.third() >> 8;
    return Modifiers.Memory.at(offset).hinted(words.high(20, 3), words.high(18, 2));
  }

  Optional<Instruction> flat(Words words) {
    int segment = words.low(24, 2);
    if (segment == SEGMENTS.size()) {
      return Optional.empty();
    }
    Encoding encoding = SEGMENTS.get(segment);
    Row row = table.find(encoding, words.low(14, 8));
    if (row == null
        || (encoding == Encoding.FLAT && words.low(0, 7) != NO_SADDR)
        || (encoding != Encoding.SCRATCH && words.highBit(17))) {
      return Optional.empty();
    }
    if (row.opcode().slots().isEmpty()) {
      if (words.low(0, 7) != NO_SADDR) {
        return Optional.empty();
      }
      Modifiers.Memory cache = Modifiers.Memory.at(0).hinted(words.high(20, 3), words.high(18, 2));
      return Operands.fill(row, SIZE, cache, _ -> Optional.empty());
    }
    return Operands.fill(row, SIZE, bits(words), slot -> flat(row.opcode(), slot, words));
  }

  private static Optional<Operand> flat(Opcode opcode, Slot slot, Words words) {
    int saddr = words.low(0, 7);
    boolean off = saddr == NO_SADDR;
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> {
        boolean returns = words.highBit(20) || !opcode.name().contains("_atomic_");
        yield returns ? RdnaRegisters.vector(words.high(0, 8), dwords) : OFF;
      }
      case "vdata" -> RdnaRegisters.vector(words.high(23, 8), dwords);
      case "saddr" -> off ? OFF : RdnaRegisters.scalar(saddr, dwords).filter(_ -> saddr != EXEC_HI);
      case "vaddr" -> {
        int register = words.last(0, 8);
        yield switch (opcode.encoding()) {
          case FLAT -> RdnaRegisters.vector(register, 2);
          case GLOBAL -> RdnaRegisters.vector(register, off ? 2 : 1);
          default -> words.highBit(17) ? RdnaRegisters.vector(register, 1) : OFF;
        };
      }
      default -> throw new IllegalStateException(slot.toString());
    };
  }

  Optional<Instruction> buffer(Words words) {
    // The upper half of the numbers has the format in the instruction.
    boolean typed = words.lowBit(21);
    Row row = table.find(typed ? Encoding.MTBUF : Encoding.MUBUF, words.low(14, typed ? 7 : 8));
    boolean status = words.lowBit(22);
    if (row == null || status || row.opcode().slots().isEmpty()) {
      return Optional.empty();
    }
    Modifiers.Memory bits = bits(words).indexed(words.highBit(30), words.highBit(31));
    return Operands.fill(row, SIZE, bits, slot -> buffer(slot, words));
  }

  private static Optional<Operand> buffer(Slot slot, Words words) {
    int dwords = slot.type().dwords();
    int addresses = words.high(30, 2) == 3 ? 2 : words.high(30, 2) == 0 ? 0 : 1;
    return switch (slot.name()) {
      case "vdata" -> RdnaRegisters.vector(words.high(0, 8), dwords);
      case "vaddr" -> addresses == 0 ? OFF : RdnaRegisters.vector(words.last(0, 8), addresses);
      case "srsrc" -> RdnaRegisters.scalar(words.high(9, 9), dwords);
      case "soffset" -> RdnaRegisters.scalar(words.low(0, 7), 1);
      case "format" -> Optional.of(new Operand.Immediate(words.high(23, 7)));
      default -> throw new IllegalStateException(slot.toString());
    };
  }
}
