package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Row.Trait;
import java.util.Optional;

/** The scalar ALU, program control and scalar loads of RDNA. */
final class RdnaScalarDecoder {
  private static final Modifiers NONE = new Modifiers.None();

  private final OpcodeTable table;
  private final boolean rdna4;

  RdnaScalarDecoder(Generation generation, OpcodeTable table) {
    this.rdna4 = generation == Generation.RDNA4;
    this.table = table;
  }

  Optional<Instruction> decode(Words words) {
    Encoding encoding =
        switch (words.low(23, 9)) {
          case 0b101111101 -> Encoding.SOP1;
          case 0b101111110 -> Encoding.SOPC;
          case 0b101111111 -> Encoding.SOPP;
          default -> words.low(28, 4) == 0b1011 ? Encoding.SOPK : Encoding.SOP2;
        };
    int number =
        switch (encoding) {
          case SOP1 -> words.low(8, 8);
          case SOPC, SOPP -> words.low(16, 7);
          case SOPK -> words.low(23, 5);
          default -> words.low(23, 7);
        };
    Row row = table.find(encoding, number);
    if (row == null
        || (encoding == Encoding.SOPP && row.opcode().slots().isEmpty() && words.low(0, 16) != 0)) {
      return Optional.empty();
    }
    return Operands.fill(row, 4, NONE, slot -> operand(row, slot, words));
  }

  private static Optional<Operand> operand(Row row, Slot slot, Words words) {
    return switch (slot.name()) {
      case "sdst" -> RdnaRegisters.scalar(words.low(16, 7), slot.type().dwords());
      case "ssrc0" ->
          row.traits().contains(Trait.REGISTER)
              ? RdnaRegisters.scalar(words.low(0, 8), slot.type().dwords())
              : RdnaRegisters.source(words.low(0, 8), slot.type().dwords(), words.peek());
      case "ssrc1" -> RdnaRegisters.source(words.low(8, 8), slot.type().dwords(), words.peek());
      case "simm8" -> Optional.of(new Operand.Immediate(words.low(0, 8)));
      case "simm16" -> {
        int value = words.low(0, 16);
        yield Optional.of(
            new Operand.Immediate(slot.type() == DataType.I16 ? (short) value : value));
      }
      case "simm32" -> Optional.of(new Operand.Literal(words.peek()));
      default -> throw new IllegalStateException(row.opcode() + " " + slot);
    };
  }

  /** Loads through the scalar cache, which has no stores here, and its invalidation. */
  Optional<Instruction> memory(Words words) {
    if (rdna4) {
      return newerMemory(words);
    }
    Row row = table.find(Encoding.SMEM, words.low(18, 8));
    if (row == null) {
      return Optional.empty();
    }
    boolean loads = row.has("sdst");
    int offset = row.has("sbase") ? (words.high(0, 21) << 11) >> 11 : 0;
    Modifiers.Memory bits =
        Modifiers.Memory.at(offset)
            .cached(loads && words.lowBit(14), false, loads && words.lowBit(13));
    return Operands.fill(row, 8, bits, slot -> loaded(slot, words));
  }

  /** Those of RDNA 4, which has prefetches, too. */
  private Optional<Instruction> newerMemory(Words words) {
    Row row = table.find(Encoding.SMEM, words.low(13, 6));
    if (row == null || (row.has("simm5") && words.low(11, 2) != 0)) {
      return Optional.empty();
    }
    boolean loads = row.has("sdst");
    Modifiers.Memory bits =
        loads
            ? Modifiers.Memory.at((words.high(0, 24) << 8) >> 8)
                .hinted(words.low(23, 2), words.low(21, 2))
            : Modifiers.Memory.at(0);
    return Operands.fill(row, 8, bits, slot -> loaded(row, slot, words));
  }

  private static Optional<Operand> loaded(Row row, Slot slot, Words words) {
    return switch (slot.name()) {
      case "simm24" -> Optional.of(new Operand.Immediate((words.high(0, 24) << 8) >> 8));
      case "simm5" -> Optional.of(new Operand.Immediate(words.low(6, 5)));
      case "soffset" ->
          row.has("simm5") ? RdnaRegisters.scalar(words.high(25, 7), 1) : loaded(slot, words);
      default -> loaded(slot, words);
    };
  }

  private static Optional<Operand> loaded(Slot slot, Words words) {
    int dwords = slot.type().dwords();
    return switch (slot.name()) {
      // never m0 or exec
      case "sdst" ->
          RdnaRegisters.scalar(words.low(6, 7), dwords).filter(_ -> words.low(6, 7) < 125);
      case "simm7" -> Optional.of(new Operand.Immediate(words.low(6, 7)));
      case "sbase" -> RdnaRegisters.scalar(words.low(0, 6) * 2, dwords);
      case "soffset" ->
          RdnaRegisters.scalar(words.high(25, 7), 1).map(o -> isNull(o) ? new Operand.Off() : o);
      default -> throw new IllegalStateException(slot.toString());
    };
  }

  static boolean isNull(Operand operand) {
    return operand instanceof Operand.Scalar(int code, int _) && code == Operand.NULL;
  }
}
