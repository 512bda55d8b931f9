package dev.rocport.device.check.sync;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** s_barrier that records which lanes reach it. */
final class BarrierOp extends AroundOp {
  BarrierOp(Op plain) {
    super(plain);
  }

  @Override
  public void execute(Wave wave) {
    plain.execute(wave);
    if (wave.sync instanceof WaveNotes notes) {
      notes.atBarrier(wave);
    }
  }
}
