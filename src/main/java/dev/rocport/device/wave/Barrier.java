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

  /**
   * A wave has signaled some times, and did not ask whether it was the first one.
   *
   * @param times how often it has signaled in all
   */
  public void signaled(Wave wave, int times) {
    wave.barrierSignals = times;
    begun = Math.max(begun, times);
  }

  /** What {@link #restore} takes back. */
  public int state() {
    return begun;
  }

  /**
   * Undoes what waves have signaled since.
   *
   * @param state of {@link #state} then
   */
  public void restore(int state) {
    begun = state;
  }
}
