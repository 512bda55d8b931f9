package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.List;
import java.util.Optional;

/** Memory instructions: SMEM, DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF. */
final class MemoryDecoder {
  private static final Optional<Operand> OFF = Optional.of(new Operand.Off());
  private static final int NO_SADDR = 0x7f;

  private static final List<Encoding> SEGMENTS =
      List.of(Encoding.FLAT, Encoding.SCRATCH, Encoding.GLOBAL);

  private final Target target;
  private final OpcodeTable table;

  MemoryDecoder(Target target, OpcodeTable table) {
    this.target = target;
    this.table = table;
  }

  Optional<Instruction> smem(Words words) {
    Row row = table.find(Encoding.SMEM, words.low(18, 8));
    if (row == null) {
      return Optional.empty();
    }
    boolean addressed = row.opcode().slots().stream().anyMatch(x -> x.name().equals("soffset"));
    boolean returns = row.opcode().slots().stream().anyMatch(x -> x.name().startsWith("sd"));
    boolean immediate = words.lowBit(17);
    if (immediate && !addressed) {
      return Optional.empty();
    }
    boolean register = words.lowBit(14);
    int offset = words.high(0, 21) << 11 >> 11;
    Modifiers bits =
        new Modifiers.Memory(
            immediate ? offset : 0,
            0,
            addressed && returns && words.lowBit(16),
            false,
            false,
            false,
            false,
            false,
            false);
    // without the bit of its own the register shares the field of the offset
    int soffset = register ? words.high(25, 7) : words.high(0, 7);
    return Operands.fill(
        row,
        8,
        bits,
        slot ->
            switch (slot.name()) {
              case "sdst", "sdata" -> Registers.scalar(words.low(6, 7), slot.type().dwords());
              case "simm7" -> Optional.of(new Operand.Immediate(words.low(6, 7)));
              case "sbase" -> Registers.scalar(words.low(0, 6) * 2, slot.type().dwords());
              case "soffset" -> register || !immediate ? Registers.scalar(soffset, 1) : OFF;
              default -> throw new IllegalStateException(row.opcode().name() + " " + slot);
            });
  }

  Optional<Instruction> ds(Words words) {
    Row row = table.find(Encoding.DS, words.low(17, 8));
    if (row == null) {
      return Optional.empty();
    }
    boolean two = row.opcode().name().matches("ds_(read|write|wrxchg)2.*");
    Modifiers bits =
        new Modifiers.Memory(
            two ? words.low(0, 8) : words.low(0, 16),
            two ? words.low(8, 8) : 0,
            false,
            false,
            false,
            words.lowBit(16),
            false,
            false,
            false);
    boolean accumulator = words.lowBit(25);
    return Operands.fill(
        row,
        8,
        bits,
        slot ->
            switch (slot.name()) {
              case "vdst" -> data(words.high(24, 8), accumulator, slot);
              case "addr" -> Registers.vector(words.high(0, 8), slot.type().dwords());
              case "data0" ->
                  row.opcode().name().startsWith("ds_gws")
                      ? data(words.high(0, 8), accumulator, slot)
                      : data(words.high(8, 8), accumulator, slot);
              case "data1" -> data(words.high(16, 8), accumulator, slot);
              default -> throw new IllegalStateException(row.opcode().name() + " " + slot);
            });
  }

  Optional<Instruction> flat(Words words) {
    int segment = words.low(14, 2);
    if (segment == SEGMENTS.size()) {
      return Optional.empty();
    }
    Encoding encoding = SEGMENTS.get(segment);
    Row row = table.find(encoding, words.low(18, 7));
    if (row == null) {
      return Optional.empty();
    }
    int offset = words.low(0, 13);
    boolean vectorOffset = target == Target.GFX942 && words.lowBit(13);
    boolean sc0 = words.lowBit(16);
    Modifiers bits =
        new Modifiers.Memory(
            encoding == Encoding.FLAT ? offset & 0xfff : offset << 19 >> 19,
            0,
            sc0,
            words.lowBit(17),
            words.lowBit(25),
            false,
            false,
            false,
            target == Target.GFX90A && words.lowBit(13));
    boolean atomic = row.opcode().name().contains("_atomic_");
    boolean accumulator = words.highBit(23);
    int saddr = words.high(16, 7);
    boolean off = saddr == NO_SADDR;
    return Operands.fill(
        row,
        8,
        bits,
        slot ->
            switch (slot.name()) {
              case "vdst" -> atomic && !sc0 ? OFF : data(words.high(24, 8), accumulator, slot);
              case "vdata" -> data(words.high(8, 8), accumulator, slot);
              case "saddr" -> off ? OFF : Registers.scalar(saddr, slot.type().dwords());
              case "vaddr" -> {
                int register = words.high(0, 8);
                yield switch (encoding) {
                  case FLAT -> Registers.vector(register, 2);
                  case GLOBAL -> Registers.vector(register, off ? 2 : 1);
                  default -> {
                    boolean used = target == Target.GFX942 ? vectorOffset : off;
                    yield used ? Registers.vector(register, 1) : OFF;
                  }
                };
              }
              default -> throw new IllegalStateException(row.opcode().name() + " " + slot);
            });
  }

  Optional<Instruction> mubuf(Words words) {
    Row row = table.find(Encoding.MUBUF, words.low(18, 7));
    if (row == null) {
      return Optional.empty();
    }
    Modifiers bits =
        new Modifiers.Memory(
            words.low(0, 12),
            0,
            words.lowBit(14),
            words.lowBit(17),
            words.lowBit(15),
            false,
            words.lowBit(12),
            words.lowBit(13),
            words.lowBit(16));
    return Operands.fill(row, 8, bits, slot -> buffer(slot, words.lowBit(16), words));
  }

  Optional<Instruction> mtbuf(Words words) {
    Row row = table.find(Encoding.MTBUF, words.low(15, 4));
    if (row == null) {
      return Optional.empty();
    }
    Modifiers bits =
        new Modifiers.Memory(
            words.low(0, 12),
            0,
            words.lowBit(14),
            words.highBit(22),
            words.highBit(21),
            false,
            words.lowBit(12),
            words.lowBit(13),
            false);
    return Operands.fill(row, 8, bits, slot -> buffer(slot, false, words));
  }

  private static Optional<Operand> buffer(Slot slot, boolean lds, Words words) {
    int addresses = words.low(12, 1) + words.low(13, 1);
    return switch (slot.name()) {
      case "vdata" -> lds ? OFF : data(words.high(8, 8), words.highBit(23), slot);
      case "vaddr" -> addresses == 0 ? OFF : Registers.vector(words.high(0, 8), addresses);
      case "srsrc" -> Registers.scalar(words.high(16, 5) * 4, slot.type().dwords());
      case "format" -> Optional.of(new Operand.Immediate(words.low(19, 7)));
      case "soffset" -> Registers.scalarSource(words.high(24, 8), 1);
      default -> throw new IllegalStateException(slot.toString());
    };
  }

  private static Optional<Operand> data(int register, boolean accumulator, Slot slot) {
    int dwords = slot.type().dwords();
    return accumulator
        ? Registers.accumulator(register, dwords)
        : Registers.vector(register, dwords);
  }
}
