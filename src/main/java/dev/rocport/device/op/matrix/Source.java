package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/**
 * A source of a matrix instruction: registers or a constant.
 *
 * @param first the index of lane 0 of the first register
 * @param constant the bits of every element, where there are no registers
 */
public record Source(boolean accumulators, int first, long constant) {
  private static final int CONSTANT = -1;

  /**
   * The source in an operand, or empty if it can be none.
   *
   * @param element the type that a constant is read as
   */
  static Optional<Source> of(Operand operand, DataType element) {
    return switch (operand) {
      case Operand.Vector(int register, _) ->
          Optional.of(new Source(false, register * Wave.LANES, 0));
      case Operand.Accumulator(int register, _) ->
          Optional.of(new Source(true, register * Wave.LANES, 0));
      case Operand.Inline inline ->
          Optional.of(new Source(false, CONSTANT, element.constant(inline)));
      default -> Optional.empty();
    };
  }

  int[] of(Wave wave) {
    return accumulators ? wave.a : wave.v;
  }

  public boolean isConstant() {
    return first == CONSTANT;
  }
}
