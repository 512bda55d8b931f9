package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/**
 * Vector registers that an instruction names.
 *
 * @param first the index of lane 0 of the first of them
 */
record Rows(boolean accumulators, int first) {

  /** The register file that contains them. */
  int[] of(Wave wave) {
    return accumulators ? wave.a : wave.v;
  }

  /** The registers {@code count} further up. */
  Rows after(int count) {
    return new Rows(accumulators, first + count * Wave.LANES);
  }

  /** The registers in a slot, or empty where the slot is off. */
  static Optional<Rows> in(Instruction instruction, String slot) {
    return switch (instruction.operand(slot)) {
      case Operand.Vector(int register, _) -> Optional.of(new Rows(false, register * Wave.LANES));
      case Operand.Accumulator(int register, _) ->
          Optional.of(new Rows(true, register * Wave.LANES));
      default -> Optional.empty();
    };
  }

  /** The registers in a slot that is never off. */
  static Rows required(Instruction instruction, String slot) {
    return in(instruction, slot)
        .orElseThrow(() -> new IllegalArgumentException(instruction + " has no register " + slot));
  }
}
