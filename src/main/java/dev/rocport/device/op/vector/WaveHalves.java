package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Optional;

/**
 * v_permlane64_b32: each half of a wave of 64 lanes takes the values of the other half, also those
 * of inactive lanes. In waves of 32 lanes it does nothing. Source: AMD's RDNA3 ISA manual.
 */
final class WaveHalves extends Op {
  private final int to;
  private final int from;

  private WaveHalves(Instruction instruction, int to, int from) {
    super(instruction);
    this.to = to * Wave.LANES;
    this.from = from * Wave.LANES;
  }

  static Optional<Op> of(Instruction instruction) {
    return instruction.operands().get(0) instanceof Operand.Vector(int to, int _)
            && instruction.operands().get(1) instanceof Operand.Vector(int from, int _)
        ? Optional.of(new WaveHalves(instruction, to, from))
        : Optional.empty();
  }

  @Override
  public void execute(Wave wave) {
    if (wave.lanes < Wave.LANES) {
      return;
    }
    int[] values = Arrays.copyOfRange(wave.v, from, from + Wave.LANES);
    for (long m = wave.exec(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      wave.v[to + lane] = values[lane ^ Wave.LANES / 2];
    }
  }
}
