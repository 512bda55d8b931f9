package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.Wave;

/** What operations keep while they run. One a thread. */
final class Work {
  final Lane lane = new Lane();

  /** Undefined bits of each lane's result. */
  final long[] bits = new long[Wave.LANES];

  final int[] origins = new int[Wave.LANES];

  /** The lanes that a result is written for. */
  long written;

  /** The lanes whose bit of a written mask is undefined. */
  long tested;

  int maskOrigin;
}
