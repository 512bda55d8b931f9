package dev.rocport.device.op.vector;

import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;

/**
 * A routine with its rows.
 *
 * @param mask the {@link Masks place} of the mask that the routine takes, or -1
 */
record Step(Routine routine, Row d, Row a, Row b, Row c, int mask) {
  long run(Wave wave, long exec) {
    return run(routine.kernel(wave.mode), wave, exec);
  }

  private long run(Kernel kernel, Wave wave, long exec) {
    return kernel.run(
        d.array(wave),
        d.offset(),
        a.source(wave),
        a.at(wave),
        b.source(wave),
        b.at(wave),
        c.source(wave),
        c.at(wave),
        mask < 0 ? 0 : Masks.read(wave, mask),
        exec);
  }

  /** The same in the usual MODE with the fastest kernel. */
  Action action() {
    return new Fixed(routine.fastest(), this);
  }

  /**
   * The same with the mask going to scalar registers.
   *
   * @param sdst their {@link Masks place}
   * @param writesExec to EXEC too
   */
  Action action(int sdst, boolean writesExec) {
    return new Masking(routine.fastest(), this, sdst, writesExec);
  }

  private record Fixed(Kernel kernel, Step step) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec != 0) {
        step.run(kernel, wave, exec);
      }
    }
  }

  private record Masking(Kernel kernel, Step step, int sdst, boolean writesExec) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      long mask = step.run(kernel, wave, exec);
      Masks.write(wave, sdst, mask);
      if (writesExec) {
        wave.s64(Wave.EXEC, mask);
      }
    }
  }
}
