package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.List;
import java.util.Optional;

/** FLAT, GLOBAL and SCRATCH. */
final class FlatDecoder {
  private static final Optional<Operand> OFF = Optional.of(new Operand.Off());
  private static final int NO_SADDR = 0x7f;
  private static final List<Encoding> SEGMENTS =
      List.of(Encoding.FLAT, Encoding.SCRATCH, Encoding.GLOBAL);

  private final Target target;
  private final OpcodeTable table;

  FlatDecoder(Target target, OpcodeTable table) {
    this.target = target;
    this.table = table;
  }

  Optional<Instruction> decode(Words words) {
    int segment = words.low(14, 2);
    if (segment == SEGMENTS.size()) {
      return Optional.empty();
    }
    Row row = table.find(SEGMENTS.get(segment), words.low(18, 7));
    if (row == null || !accept(row, words)) {
      return Optional.empty();
    }
    int offset = words.low(0, 13);
    boolean flat = row.opcode().encoding() == Encoding.FLAT;
    boolean lds = target.has(Feature.FLAT_LDS_BIT) && words.lowBit(13);
    Modifiers.Memory bits =
        Modifiers.Memory.at(flat ? offset : (offset << 19) >> 19)
            .cached(words.lowBit(16), words.lowBit(17), words.lowBit(25));
    return Operands.fill(
        row, 8, lds ? bits.toLds() : bits, slot -> operand(row.opcode(), slot, words));
  }

  private boolean accept(Row row, Words words) {
    Encoding encoding = row.opcode().encoding();
    boolean lds = row.traits().contains(Trait.LDS) && target.has(Feature.FLAT_LDS_BIT);
    boolean thirteen =
        !words.lowBit(13)
            || lds
            || (encoding == Encoding.SCRATCH && target.has(Feature.SCRATCH_ADDRESS_BIT));
    // a flat offset has 12 bits and no sign, and there is no scalar address
    boolean flat = encoding != Encoding.FLAT || (!words.lowBit(12) && words.high(16, 7) == 0);
    boolean scope =
        !words.lowBit(25)
            || target.has(Feature.SCOPE_BITS)
            || !row.traits().contains(Trait.FLOAT_ATOMIC);
    boolean moves = row.has("vdst") || row.has("vdata");
    return thirteen
        && flat
        && scope
        && ((moves && !(lds && words.lowBit(13))) || !words.highBit(23));
  }

  private Optional<Operand> operand(Opcode opcode, Slot slot, Words words) {
    int saddr = words.high(16, 7);
    boolean off = saddr == NO_SADDR;
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      case "vdst" -> {
        boolean returns = words.lowBit(16) || !opcode.name().contains("_atomic_");
        boolean lds = target.has(Feature.FLAT_LDS_BIT) && words.lowBit(13);
        yield returns && !lds ? Registers.data(words.high(24, 8), dwords, words.highBit(23)) : OFF;
      }
      case "vdata" -> Registers.data(words.high(8, 8), dwords, words.highBit(23));
      case "saddr" -> off ? OFF : Registers.scalar(saddr, dwords);
      case "vaddr" -> {
        int register = words.high(0, 8);
        yield switch (opcode.encoding()) {
          case FLAT -> Registers.vector(register, 2);
          case GLOBAL -> Registers.vector(register, off ? 2 : 1);
          default ->
              (target.has(Feature.SCRATCH_ADDRESS_BIT) ? words.lowBit(13) : off)
                  ? Registers.vector(register, 1)
                  : OFF;
        };
      }
      default -> throw new IllegalStateException(slot.toString());
    };
  }
}
