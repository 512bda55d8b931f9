package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A dual instruction of RDNA: both halves read before either writes. */
final class DualWatch extends AroundOp {
  private final VectorFlow x;
  private final VectorFlow y;

  DualWatch(Op plain, VectorFlow x, VectorFlow y) {
    super(plain);
    this.x = x;
    this.y = y;
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    if (x.suspects(shade, exec) || y.suspects(shade, exec)) {
      slow(wave, shade, exec);
      return;
    }
    plain.execute(wave);
    x.define(shade, exec);
    y.define(shade, exec);
  }

  @Override
  public @Nullable List<Action> actions() {
    Action without = plainly();
    return without == null ? null : List.of(new Fast(this, without));
  }

  /** What {@link #execute} does. */
  private record Fast(DualWatch watch, Action without) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      Shade shade = Shade.of(wave);
      if (watch.x.suspects(shade, exec) || watch.y.suspects(shade, exec)) {
        watch.slow(wave, shade, exec);
        return;
      }
      without.run(wave, exec);
      watch.x.define(shade, exec);
      watch.y.define(shade, exec);
    }
  }

  private void slow(Wave wave, Shade shade, long exec) {
    Work first = shade.report.work();
    Work second = new Work();
    x.find(wave, shade, exec, first);
    y.find(wave, shade, exec, second);
    plain.execute(wave);
    x.note(wave, shade, first);
    y.note(wave, shade, second);
  }
}
