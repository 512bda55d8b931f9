package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/** v_swap_b16: halves of two registers, or of one, change places. */
public final class HalfSwap extends Op {
  private static final int UPPER_TARGET = 0b1000;
  private static final int UPPER_SOURCE = 0b0001;

  private final int one;
  private final int other;
  private final int oneShift;
  private final int otherShift;

  private HalfSwap(Instruction instruction, int one, int other) {
    super(instruction);
    int halves = instruction.modifiers() instanceof Modifiers.Vop3 m ? m.opSel() : 0;
    this.one = one;
    this.other = other;
    this.oneShift = (halves & UPPER_TARGET) == 0 ? 0 : 16;
    this.otherShift = (halves & UPPER_SOURCE) == 0 ? 0 : 16;
  }

  static Optional<Op> of(Instruction instruction) {
    return instruction.operands().get(0) instanceof Operand.Vector(int one, int _)
            && instruction.operands().get(1) instanceof Operand.Vector(int other, int _)
        ? Optional.of(new HalfSwap(instruction, one, other))
        : Optional.empty();
  }

  /** The first register. */
  public int one() {
    return one;
  }

  /** The second register; it can be the first one. */
  public int other() {
    return other;
  }

  /** The bits of a register that are swapped. */
  public int swapped(boolean first) {
    return 0xffff << (first ? oneShift : otherShift);
  }

  @Override
  public void execute(Wave wave) {
    for (long m = wave.exec(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      swap(wave.v, one * Wave.LANES + lane, other * Wave.LANES + lane);
    }
  }

  /** Swaps halves of two words; also of what a check keeps for them. */
  public void swap(int[] file, int first, int second) {
    int up = file[first] >>> oneShift & 0xffff;
    int down = file[second] >>> otherShift & 0xffff;
    file[first] = (file[first] & ~swapped(true)) | down << oneShift;
    file[second] = (file[second] & ~swapped(false)) | up << otherShift;
  }
}
