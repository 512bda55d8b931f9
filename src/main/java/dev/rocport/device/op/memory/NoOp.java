package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Cache control: memory here has no caches. */
final class NoOp extends Op {
  NoOp(Instruction instruction) {
    super(instruction);
  }

  @Override
  public void execute(Wave wave) {}
}
