package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.op.memory.TransposedLoad;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Transposed reads of LDS: undefined bits change places as values do. */
final class TransposeWatch extends AroundOp {
  private final TransposedLoad load;
  private final int target;

  /**
   * Goes around the watch of a plain load.
   *
   * @param load how the lanes transpose
   */
  TransposeWatch(Op plain, Instruction instruction, TransposedLoad load) {
    super(plain);
    this.load = load;
    this.target = Registers.number(instruction.operand("vdst"));
  }

  @Override
  public void execute(Wave wave) {
    plain.execute(wave);
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    int[] bits = new int[load.dwords() * Wave.LANES];
    int origin = -1;
    for (int x = 0; x < bits.length; x++) {
      int register = target + x / Wave.LANES;
      int lane = x % Wave.LANES;
      if ((exec >>> lane & 1) != 0 && shade.bits(register, lane) != 0) {
        bits[x] = shade.bits(register, lane);
        origin = shade.origin(register, lane);
      }
    }
    if (origin < 0) {
      return;
    }
    int[] moved = load.transposed(bits);
    for (int x = 0; x < moved.length; x++) {
      if ((exec >>> x & 1) != 0) {
        shade.set(target + x / Wave.LANES, x % Wave.LANES, moved[x], origin);
      }
    }
  }
}
