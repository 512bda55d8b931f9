package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.Wave;

/** Receives the undefined bits that affect a result. */
interface Report {
  /** The path that lanes take is undefined. */
  void branch(Wave wave, long lanes, int origin);

  void address(Wave wave, long lanes, int origin);

  void store(Wave wave, long lanes, int origin);

  void atomic(Wave wave, long lanes, int origin);

  Origins origins();

  /** What operations may use while they run. */
  Work work();
}
