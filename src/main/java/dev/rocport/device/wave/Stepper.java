package dev.rocport.device.wave;

/** Runs a wave one instruction at a time, for inspection. */
@FunctionalInterface
public interface Stepper {
  /**
   * Runs as {@link Wave#run} does: until the wave stops, or has run {@code budget} instructions. It
   * may take itself away from {@link Wave#stepper} before; the wave's turn ends then.
   */
  void run(Wave wave, int budget);
}
