package dev.rocport.device.check.sync;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.function.BiConsumer;

/** Records which lanes reach a barrier: s_barrier, or on RDNA 4 its signal and its wait. */
final class BarrierOp extends AroundOp {
  private final BiConsumer<WaveNotes, Wave> then;

  private BarrierOp(Op plain, BiConsumer<WaveNotes, Wave> then) {
    super(plain);
    this.then = then;
  }

  /** The wave signals and waits in one. */
  static Op whole(Op plain) {
    return new BarrierOp(
        plain,
        (notes, wave) -> {
          notes.signals(wave);
          notes.waitsAtBarrier(wave);
        });
  }

  static Op signal(Op plain) {
    return new BarrierOp(plain, WaveNotes::signals);
  }

  static Op wait(Op plain) {
    return new BarrierOp(plain, WaveNotes::waitsAtBarrier);
  }

  @Override
  public void execute(Wave wave) {
    plain.execute(wave);
    if (wave.sync instanceof WaveNotes notes) {
      then.accept(notes, wave);
    }
  }
}
