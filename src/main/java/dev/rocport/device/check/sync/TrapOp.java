package dev.rocport.device.check.sync;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** s_trap that reports which lanes reached it. */
final class TrapOp extends AroundOp {
  TrapOp(Op plain) {
    super(plain);
  }

  @Override
  public void execute(Wave wave) {
    if (wave.sync instanceof WaveNotes notes) {
      notes.watch.traps(wave, notes.threads & ~wave.exec());
    }
    plain.execute(wave);
  }
}
