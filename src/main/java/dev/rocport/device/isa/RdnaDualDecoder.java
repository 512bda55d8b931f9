package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.List;
import java.util.Optional;

/**
 * VOPD: two operations in one instruction. LLVM's rules of which registers go together are the
 * compiler's matter; both halves read before either writes.
 */
final class RdnaDualDecoder {
  private static final Opcode DUAL =
      new Opcode("v_dual", Encoding.VOPD, 0, List.of(), "v_dual", Generation.RDNA3);

  private final OpcodeTable table;

  RdnaDualDecoder(OpcodeTable table) {
    this.table = table;
  }

  Optional<Instruction> decode(Words words) {
    Row x = table.find(Encoding.VOPDX, words.low(22, 4));
    Row y = table.find(Encoding.VOPDY, words.low(17, 5));
    if (x == null
        || y == null
        || (!x.has("src1") && words.low(9, 8) != 0)
        || (!y.has("src1") && words.high(9, 8) != 0)) {
      return Optional.empty();
    }
    // the destinations are an even register and an odd one
    int toY = words.high(17, 7) << 1 | (~words.high(24, 1) & 1);
    Optional<Instruction> first =
        half(x, words.low(0, 9), words.low(9, 8), words.high(24, 8), words.third());
    Optional<Instruction> second = half(y, words.high(0, 9), words.high(9, 8), toY, words.third());
    return first.flatMap(
        a ->
            second.map(
                b ->
                    new Instruction(
                        DUAL, Math.max(a.size(), b.size()), List.of(), new Modifiers.Dual(a, b))));
  }

  private static Optional<Instruction> half(Row row, int src0, int src1, int vdst, int literal) {
    return Operands.fill(
        row, 8, new Modifiers.None(), slot -> operand(slot, src0, src1, vdst, literal));
  }

  private static Optional<Operand> operand(Slot slot, int src0, int src1, int vdst, int literal) {
    return switch (slot.name()) {
      case "vdst" -> RdnaRegisters.vector(vdst, 1);
      case "src0" -> RdnaRegisters.source(src0, 1, literal);
      case "src1" -> RdnaRegisters.vector(src1, 1);
      case "src2" -> Optional.of(RdnaRegisters.MASK);
      case "simm32" -> Optional.of(new Operand.Literal(literal));
      default -> throw new IllegalStateException(slot.toString());
    };
  }
}
