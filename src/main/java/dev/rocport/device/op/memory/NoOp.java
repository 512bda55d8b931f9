package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** Cache control: memory here has no caches. */
final class NoOp extends Op {
  NoOp(Instruction instruction) {
    super(instruction);
  }

  @Override
  public List<Action> actions() {
    return List.of();
  }

  @Override
  public void execute(Wave wave) {}
}
