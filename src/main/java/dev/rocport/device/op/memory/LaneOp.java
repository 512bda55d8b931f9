package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** An operation of the active lanes that can also be done for some of them. */
abstract class LaneOp extends Op {
  LaneOp(Instruction instruction) {
    super(instruction);
  }

  @Override
  public final void execute(Wave wave) {
    long exec = wave.exec();
    if (exec != 0) {
      run(wave, exec);
    }
  }

  /**
   * Does the work of some lanes.
   *
   * @param lanes bit l: lane l takes part; not 0
   */
  abstract void run(Wave wave, long lanes);
}
