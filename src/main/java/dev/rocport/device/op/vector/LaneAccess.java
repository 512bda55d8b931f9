package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Instructions between one lane and scalar registers. */
final class LaneAccess {
  /** Temporary rows for scalars that are spread only to be read once. */
  private static final int SPARE = 0;

  private LaneAccess() {}

  static Optional<Op> of(Instruction instruction) {
    return switch (instruction.name()) {
      case "v_readfirstlane_b32" -> readFirst(instruction);
      case "v_readlane_b32" -> read(instruction);
      case "v_writelane_b32" -> write(instruction);
      default -> Optional.empty();
    };
  }

  private static @Nullable Row row(Instruction instruction, int operand) {
    return Row.of(instruction.operands().get(operand), DataType.B32, SPARE + operand);
  }

  private static Optional<Op> readFirst(Instruction instruction) {
    Row from = row(instruction, 1);
    if (from == null || !(instruction.operands().get(0) instanceof Operand.Scalar(int to, int _))) {
      return Optional.empty();
    }
    return Optional.of(
        new Op(instruction) {
          @Override
          public void execute(Wave wave) {
            long exec = wave.exec();
            int lane = exec == 0 ? 0 : Long.numberOfTrailingZeros(exec);
            wave.s[to] = from.array(wave)[from.offset() + lane];
          }
        });
  }

  private static Optional<Op> read(Instruction instruction) {
    Row from = row(instruction, 1);
    Row lane = row(instruction, 2);
    if (from == null
        || lane == null
        || !(instruction.operands().get(0) instanceof Operand.Scalar(int to, int _))) {
      return Optional.empty();
    }
    return Optional.of(
        new Op(instruction) {
          @Override
          public void execute(Wave wave) {
            int n = lane.first(wave) & (wave.lanes - 1);
            wave.s[to] = from.array(wave)[from.offset() + n];
          }
        });
  }

  private static Optional<Op> write(Instruction instruction) {
    Row value = row(instruction, 1);
    Row lane = row(instruction, 2);
    if (value == null
        || lane == null
        || !(instruction.operands().get(0) instanceof Operand.Vector(int to, int _))) {
      return Optional.empty();
    }
    return Optional.of(
        new Op(instruction) {
          @Override
          public void execute(Wave wave) {
            wave.v[to * Wave.LANES + (lane.first(wave) & (wave.lanes - 1))] = value.first(wave);
          }
        });
  }
}
