package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import java.util.List;

/** An operation that is one action. */
public final class ActionOp extends Op {
  private final Action action;

  public ActionOp(Instruction instruction, Action action) {
    super(instruction);
    this.action = action;
  }

  @Override
  public void execute(Wave wave) {
    action.run(wave, wave.exec());
  }

  @Override
  public List<Action> actions() {
    return List.of(action);
  }
}
