package dev.rocport.device.check.sync;

import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;

/** What this check knows of a wave. */
final class WaveNotes implements Notes {
  final SyncWatch watch;

  /** The lanes that have a thread. */
  final long threads;

  /** The barrier that it came to last: an index of its code. */
  int barrier = -1;

  /** The lanes that came with it. */
  long came;

  final LeftOut leftOut = new LeftOut();
  private final Follower follower = new Follower(this);

  WaveNotes(SyncWatch watch, long threads) {
    this.watch = watch;
    this.threads = threads;
  }

  /** The wave has come to s_barrier, and waits. */
  void atBarrier(Wave wave) {
    barrier = wave.pc - 1;
    came = wave.exec();
    long missing = threads & ~came;
    if (missing != 0 && watch.wants(barrier)) {
      leftOut.add(barrier, came, missing);
      follow(wave);
    }
  }

  /** Looks at each instruction from the next on. */
  void follow(Wave wave) {
    wave.stepper = follower;
  }
}
