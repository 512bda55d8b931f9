package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.Wave;

/** Where operations tell of undefined bits that decide something. */
interface Report {
  /** Lanes go one way or another, and nobody knows which. */
  void branch(Wave wave, long lanes, int origin);

  void address(Wave wave, long lanes, int origin);

  void store(Wave wave, long lanes, int origin);

  void atomic(Wave wave, long lanes, int origin);

  Origins origins();

  /** What operations may use while they run. */
  Work work();
}
