package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import java.util.Optional;

/**
 * The operands of a matrix instruction.
 *
 * @param c the addend, or the indices of a sparse A
 * @param d the destination
 */
public record Operands(Source a, Source b, Source c, Source d) {
  /**
   * Returns the operands of an instruction; empty if one of them is of an unknown form.
   *
   * @param result the type of C and D
   */
  static Optional<Operands> of(Instruction instruction, DataType result) {
    Optional<Source> a = Source.of(instruction.operand("src0"), result);
    Optional<Source> b = Source.of(instruction.operand("src1"), result);
    Optional<Source> c = Source.of(instruction.operand("src2"), result);
    Optional<Source> d = Source.of(instruction.operand("vdst"), result);
    return a.isEmpty() || b.isEmpty() || c.isEmpty() || d.isEmpty()
        ? Optional.empty()
        : Optional.of(new Operands(a.get(), b.get(), c.get(), d.get()));
  }

  /** Returns the operands of a sum onto the destination. */
  Operands accumulating() {
    return new Operands(a, b, d, d);
  }
}
