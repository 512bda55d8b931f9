package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.List;
import java.util.Optional;

/** LDS of RDNA; FLAT, GLOBAL, SCRATCH and buffers of RDNA 3. */
final class RdnaMemoryDecoder {
  static final Optional<Operand> OFF = Optional.of(new Operand.Off());
  static final int NO_SADDR = 124;
  static final int EXEC_HI = 127;
  static final List<Encoding> SEGMENTS = List.of(Encoding.FLAT, Encoding.SCRATCH, Encoding.GLOBAL);

  private final OpcodeTable table;
  private final boolean hasGlobalShare;

  RdnaMemoryDecoder(Generation generation, OpcodeTable table) {
    this.hasGlobalShare = generation == Generation.RDNA3;
    this.table = table;
  }

  Optional<Instruction> local(Words words) {
    Row row = table.find(Encoding.DS, words.low(18, 8));
    if (row == null || !accept(row, words) || (words.lowBit(17) && !hasGlobalShare)) {
      return Optional.empty();
    }
    Modifiers.Memory bits =
        row.traits().contains(Trait.OFFSETS)
            ? Modifiers.Memory.at(words.low(0, 8), words.low(8, 8))
            : Modifiers.Memory.at(words.low(0, 16));
    return Operands.fill(
        row, 8, words.lowBit(17) ? bits.global() : bits, slot -> local(row, slot, words));
  }

  /** Fields that an opcode does not use are 0. */
  private static boolean accept(Row row, Words words) {
    boolean gws = row.traits().contains(Trait.GWS);
    boolean low = row.has("addr") || (gws && row.has("data0"));
    return (low || words.high(0, 8) == 0)
        && ((row.has("data0") && !gws) || words.high(8, 8) == 0)
        && (row.has("data1") || words.high(16, 8) == 0)
        && (row.has("vdst") || words.high(24, 8) == 0)
        && (!gws || words.lowBit(17))
        && !(row.traits().contains(Trait.LANES) && words.lowBit(17))
        && (gws || !row.opcode().slots().isEmpty() || words.low(0, 18) == 0);
  }

  private static Optional<Operand> local(Row row, Slot slot, Words words) {
    boolean gws = row.traits().contains(Trait.GWS);
    // the new value comes first in those that compare, which the rest of the device has in data1
    boolean swapped = row.opcode().name().startsWith("ds_cmpst_");
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> RdnaRegisters.vector(words.high(24, 8), dwords);
      case "addr" -> RdnaRegisters.vector(words.high(0, 8), dwords);
      case "data0" ->
          RdnaRegisters.vector(gws ? words.high(0, 8) : words.high(swapped ? 16 : 8, 8), dwords);
      case "data1" -> RdnaRegisters.vector(words.high(swapped ? 8 : 16, 8), dwords);
      default -> throw new IllegalStateException(slot.toString());
    };
  }

  Optional<Instruction> flat(Words words) {
    int segment = words.low(16, 2);
    if (segment == SEGMENTS.size()) {
      return Optional.empty();
    }
    Encoding encoding = SEGMENTS.get(segment);
    Row row = table.find(encoding, words.low(18, 7));
    boolean flat = encoding == Encoding.FLAT;
    if (row == null
        || (flat && words.high(16, 7) != NO_SADDR)
        || (encoding != Encoding.SCRATCH && words.highBit(23))
        || (flat && words.lowBit(12))) {
      return Optional.empty();
    }
    int offset = words.low(0, 13);
    Modifiers.Memory bits =
        Modifiers.Memory.at(flat ? offset : (offset << 19) >> 19)
            .cached(words.lowBit(14), words.lowBit(15), words.lowBit(13));
    return Operands.fill(row, 8, bits, slot -> flat(row.opcode(), slot, words));
  }

  private static Optional<Operand> flat(Opcode opcode, Slot slot, Words words) {
    int saddr = words.high(16, 7);
    boolean off = saddr == NO_SADDR;
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> {
        boolean returns = words.lowBit(14) || !opcode.name().contains("_atomic_");
        yield returns ? RdnaRegisters.vector(words.high(24, 8), dwords) : OFF;
      }
      case "vdata" -> RdnaRegisters.vector(words.high(8, 8), dwords);
      case "saddr" -> off ? OFF : RdnaRegisters.scalar(saddr, dwords).filter(_ -> saddr != EXEC_HI);
      case "vaddr" -> {
        int register = words.high(0, 8);
        yield switch (opcode.encoding()) {
          case FLAT -> RdnaRegisters.vector(register, 2);
          case GLOBAL -> RdnaRegisters.vector(register, off ? 2 : 1);
          default -> words.highBit(23) ? RdnaRegisters.vector(register, 1) : OFF;
        };
      }
      default -> throw new IllegalStateException(slot.toString());
    };
  }

  Optional<Instruction> buffer(Words words) {
    Row row = table.find(Encoding.MUBUF, words.low(18, 8));
    if (row == null || words.highBit(21)) {
      return Optional.empty();
    }
    if (row.opcode().slots().isEmpty()) {
      return Operands.fill(row, 8, Modifiers.Memory.at(0), _ -> Optional.empty());
    }
    Modifiers.Memory bits =
        Modifiers.Memory.at(words.low(0, 12))
            .cached(words.lowBit(14), words.lowBit(12), words.lowBit(13))
            .indexed(words.highBit(22), words.highBit(23));
    return Operands.fill(row, 8, bits, slot -> buffer(slot, words));
  }

  /** A buffer with the format in the instruction. */
  Optional<Instruction> typedBuffer(Words words) {
    Row row = table.find(Encoding.MTBUF, words.low(15, 4));
    if (row == null || words.highBit(21)) {
      return Optional.empty();
    }
    Modifiers.Memory bits =
        Modifiers.Memory.at(words.low(0, 12))
            .cached(words.lowBit(14), words.lowBit(12), words.lowBit(13))
            .indexed(words.highBit(22), words.highBit(23));
    return Operands.fill(row, 8, bits, slot -> buffer(slot, words));
  }

  private static Optional<Operand> buffer(Slot slot, Words words) {
    int dwords = slot.type().dwords();
    int addresses = words.high(22, 2) == 3 ? 2 : words.high(22, 2) == 0 ? 0 : 1;
    return switch (slot.name()) {
      case "vdata" -> RdnaRegisters.vector(words.high(8, 8), dwords);
      case "vaddr" -> addresses == 0 ? OFF : RdnaRegisters.vector(words.high(0, 8), addresses);
      case "srsrc" -> RdnaRegisters.scalar(words.high(16, 5) * 4, dwords);
      case "soffset" -> RdnaRegisters.scalarSource(words.high(24, 8), 1);
      case "format" -> Optional.of(new Operand.Immediate(words.low(19, 7)));
      default -> throw new IllegalStateException(slot.toString());
    };
  }
}
