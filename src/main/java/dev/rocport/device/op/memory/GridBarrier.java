package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;

/** ds_gws_barrier: a wave of each workgroup of the launch meets the others here. */
final class GridBarrier extends Op {
  GridBarrier(Instruction instruction) {
    super(instruction);
  }

  @Override
  public void execute(Wave wave) {
    wave.state = WaveState.GRID_BARRIER;
  }
}
