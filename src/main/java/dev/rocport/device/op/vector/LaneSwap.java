package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/**
 * v_permlane16_swap_b32 and v_permlane32_swap_b32: the upper row of each pair of rows in the
 * destination changes places with the lower row in the source.
 */
public final class LaneSwap extends Op {
  private final int upper;
  private final int lower;
  private final int distance;
  private final boolean fetchesInactive;
  private final boolean boundControl;

  private LaneSwap(Instruction instruction, int upper, int lower) {
    super(instruction);
    this.upper = upper;
    this.lower = lower;
    this.distance = instruction.name().equals("v_permlane16_swap_b32") ? 16 : 32;
    int bits = instruction.modifiers() instanceof Modifiers.Vop3 m ? m.opSel() : 0;
    this.fetchesInactive = (bits & 1) != 0;
    this.boundControl = (bits & 2) != 0;
  }

  static Optional<Op> of(Instruction instruction) {
    return instruction.operands().get(0) instanceof Operand.Vector(int upper, int _)
            && instruction.operands().get(1) instanceof Operand.Vector(int lower, int _)
        ? Optional.of(new LaneSwap(instruction, upper, lower))
        : Optional.empty();
  }

  /** The register whose upper rows change. */
  public int upper() {
    return upper;
  }

  /** The register whose lower rows change. */
  public int lower() {
    return lower;
  }

  @Override
  public void execute(Wave wave) {
    swap(wave.v, upper * Wave.LANES, lower * Wave.LANES, wave.exec());
  }

  /**
   * Swaps values of lanes; also what a check keeps for each lane. An active lane whose partner is
   * inactive takes its value, 0 or keeps its own, as the bits of op_sel say: the rules of DPP.
   *
   * @param file has a value for each lane of a register
   * @param high where the values of {@link #upper} begin
   * @param low where those of {@link #lower} begin
   */
  public void swap(int[] file, int high, int low, long exec) {
    for (int lane = 0; lane < Wave.LANES; lane++) {
      if ((lane & distance) == 0) {
        int partner = lane + distance;
        int fromHigh = file[high + partner];
        int fromLow = file[low + lane];
        put(file, low + lane, fromHigh, exec >>> lane, exec >>> partner);
        put(file, high + partner, fromLow, exec >>> partner, exec >>> lane);
      }
    }
  }

  private void put(int[] file, int at, int value, long active, long partnerActive) {
    if ((active & 1) == 0) {
      return;
    }
    if (fetchesInactive || (partnerActive & 1) != 0) {
      file[at] = value;
    } else if (boundControl) {
      file[at] = 0;
    }
  }
}
