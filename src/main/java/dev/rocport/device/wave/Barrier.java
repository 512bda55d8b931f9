package dev.rocport.device.wave;

/** RDNA 4: the barrier of a workgroup, which waves signal and wait at apart. */
public final class Barrier {
  /** How often some wave has been the first to signal. */
  private int begun;

  /** A wave signals; returns whether it is the first one since all have signaled before. */
  public boolean signal(Wave wave) {
    boolean first = wave.barrierSignals == begun;
    wave.barrierSignals++;
    begun = Math.max(begun, wave.barrierSignals);
    return first;
  }
}
