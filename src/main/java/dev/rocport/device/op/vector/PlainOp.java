package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** A vector instruction without modifiers that writes no scalar register: most are. */
final class PlainOp extends Op {
  private final Step step;

  PlainOp(Instruction instruction, Step step) {
    super(instruction);
    this.step = step;
  }

  @Override
  public void execute(Wave wave) {
    long exec = wave.exec();
    if (exec != 0) {
      step.run(wave, exec);
    }
  }

  @Override
  public List<Action> actions() {
    return List.of(step.action());
  }
}
