package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;

/**
 * ds_gws_init: the number of waves that meet, less one. The device knows it already: it is the
 * number of workgroups.
 */
final class GridBarrierInit extends Op {
  private final Rows count;

  GridBarrierInit(Instruction instruction) {
    super(instruction);
    this.count = Rows.required(instruction, "data0");
  }

  @Override
  public void execute(Wave wave) {
    long exec = wave.exec();
    int lane = exec == 0 ? 0 : Long.numberOfTrailingZeros(exec);
    int waves = count.of(wave)[count.first() + lane] + 1;
    int workgroups = wave.group.environment().workgroups();
    if (waves != workgroups) {
      throw new WaveTrap(
          "a grid barrier for " + waves + " waves in a launch of " + workgroups + " workgroups");
    }
  }
}
