package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A vector instruction: what its modifiers do to sources, its work, what they do to the result. */
final class VectorOp extends Op {
  private static final Step[] NO_STEPS = new Step[0];

  private final @Nullable DppStep dpp;
  private final Step[] before;
  private final Step main;
  private final Step[] after;
  private final int sdst;
  private final boolean writesExec;

  /**
   * @param before steps on temporary rows
   * @param after steps in active lanes
   * @param sdst the {@link Masks place} for the mask that {@code main} makes, or -1
   * @param writesExec the mask goes to EXEC too
   */
  VectorOp(
      Instruction instruction,
      @Nullable DppStep dpp,
      List<Step> before,
      Step main,
      List<Step> after,
      int sdst,
      boolean writesExec) {
    super(instruction);
    this.dpp = dpp;
    this.before = before.toArray(NO_STEPS);
    this.main = main;
    this.after = after.toArray(NO_STEPS);
    this.sdst = sdst;
    this.writesExec = writesExec;
  }

  @Override
  public @Nullable List<Action> actions() {
    if (dpp != null) {
      return null;
    }
    List<Action> all = new ArrayList<>();
    for (Step step : before) {
      all.add(step.action());
    }
    all.add(sdst < 0 ? main.action() : main.action(sdst, writesExec));
    for (Step step : after) {
      all.add(step.action());
    }
    return all;
  }

  @Override
  public void execute(Wave wave) {
    long active = wave.exec();
    if (active == 0 && sdst < 0) {
      return;
    }
    if (dpp != null) {
      active = dpp.run(wave, active);
    }
    for (Step step : before) {
      step.run(wave, -1L);
    }
    long mask = main.run(wave, active);
    for (Step step : after) {
      step.run(wave, active);
    }
    if (sdst >= 0) {
      Masks.write(wave, sdst, mask);
      if (writesExec) {
        wave.s64(Wave.EXEC, mask);
      }
    }
  }
}
