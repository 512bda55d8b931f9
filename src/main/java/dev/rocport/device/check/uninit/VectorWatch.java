package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A vector ALU instruction that treats each lane separately. */
final class VectorWatch extends AroundOp {
  private static final int NONE = -1;

  private final VectorFlow flow;

  VectorWatch(Op plain, VectorFlow flow) {
    super(plain);
    this.flow = flow;
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    if (flow.suspects(shade, exec)) {
      slow(wave, shade, exec);
      return;
    }
    plain.execute(wave);
    flow.define(shade, exec);
  }

  private void slow(Wave wave, Shade shade, long exec) {
    Work work = shade.report.work();
    flow.find(wave, shade, exec, work);
    plain.execute(wave);
    flow.note(wave, shade, work);
  }

  @Override
  public @Nullable List<Action> actions() {
    Action without = flow.reads.length > Fast.MOST ? null : plainly();
    return without == null ? null : List.of(new Fast(this, without));
  }

  /**
   * What {@link #execute} does, as constants: compiled blocks then have only the few looks at masks
   * that an instruction needs.
   *
   * @param a the first vector register that it reads, NONE if it reads fewer; the others likewise
   */
  private record Fast(
      VectorWatch watch,
      Action without,
      int a,
      int b,
      int c,
      int d,
      int e,
      int f,
      long readsLow,
      long readsHigh,
      int target,
      int words,
      int sdst,
      int maskWords,
      boolean crosses)
      implements Action {
    static final int MOST = 6;

    Fast(VectorWatch watch, Action without) {
      this(
          watch,
          without,
          watch.read(0),
          watch.read(1),
          watch.read(2),
          watch.read(3),
          watch.read(4),
          watch.read(5),
          watch.flow.readsLow,
          watch.flow.readsHigh,
          watch.flow.crosses() ? NONE : watch.flow.target,
          watch.flow.words,
          watch.flow.sdst,
          watch.flow.maskWords,
          watch.flow.crosses());
    }

    @Override
    public void run(Wave wave, long exec) {
      Shade shade = Shade.of(wave);
      long[] any = shade.any;
      long suspects = of(any, a) | of(any, b) | of(any, c) | of(any, d) | of(any, e) | of(any, f);
      suspects &= crosses ? -1L : exec;
      if (suspects != 0 || shade.anyOf(readsLow, readsHigh)) {
        watch.slow(wave, shade, exec);
        return;
      }
      without.run(wave, exec);
      if (target >= 0) {
        any[target] &= ~exec;
        if (words == 2) {
          any[target + 1] &= ~exec;
        }
      }
      if (sdst >= 0) {
        shade.defineScalars(sdst, maskWords);
      }
    }

    private static long of(long[] any, int register) {
      return register < 0 ? 0 : any[register];
    }
  }

  private int read(int number) {
    return number < flow.reads.length ? flow.reads[number] : NONE;
  }
}
