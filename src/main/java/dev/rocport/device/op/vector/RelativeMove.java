package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.Optional;

/** v_movrels_b32 and v_movreld_b32 of RDNA: M0 moves the vector register of one side. */
final class RelativeMove extends Op {
  private final Row from;
  private final int to;
  private final boolean movesSource;

  private RelativeMove(Instruction instruction, Row from, int to) {
    super(instruction);
    this.from = from;
    this.to = to;
    this.movesSource = instruction.name().equals("v_movrels_b32");
  }

  static Optional<Op> of(Instruction instruction) {
    Row from = Row.of(instruction.operands().get(1), DataType.B32, 0);
    return from != null
            && instruction.operands().getFirst() instanceof Operand.Vector(int to, int _)
        ? Optional.of(new RelativeMove(instruction, from, to))
        : Optional.empty();
  }

  @Override
  public void execute(Wave wave) {
    int by = wave.s[Wave.M0] * Wave.LANES;
    int[] rows = from.array(wave);
    int source = from.offset() + (movesSource ? by : 0);
    int end = to * Wave.LANES + (movesSource ? 0 : by);
    int moved = movesSource ? source : end;
    if (moved < 0 || moved + Wave.LANES > wave.v.length) {
      throw new WaveTrap("M0 selects a vector register that does not exist");
    }
    for (long m = wave.exec(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      wave.v[end + lane] = rows[source + lane];
    }
  }
}
