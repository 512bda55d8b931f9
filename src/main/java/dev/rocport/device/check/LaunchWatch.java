package dev.rocport.device.check;

import dev.rocport.device.wave.Wave;
import java.util.List;

/**
 * Receives the events of one launch that a check needs. Events of one workgroup come from one
 * thread at a time; different workgroups report concurrently.
 */
public interface LaunchWatch {
  /** Sees nothing. */
  LaunchWatch NONE = new LaunchWatch() {};

  /** A workgroup has its waves, registers filled, nothing run. All waves have the same group. */
  default void groupBegan(List<Wave> waves) {}

  /** A wave's turn begins; {@link #turnEnds} is called, whatever it does. */
  default void turnBegins(Wave wave) {}

  /** The turn of a wave is over, possibly after {@link #waveEnded} was called for it. */
  default void turnEnds(Wave wave) {}

  /** A wave has ended; not called for waves of a kernel that was stopped. */
  default void waveEnded(Wave wave) {}

  /**
   * All waves of a workgroup that have not ended wait at s_barrier, and continue now. On RDNA 4 all
   * have signaled: some may not wait yet, or have gone on before.
   */
  default void barrier(List<Wave> waves) {}

  /** A wave has arrived at the grid's barrier. */
  default void arrivedAtGridBarrier(Wave wave) {}

  /** A wave continues after the grid barrier that all waves have reached. */
  default void leftGridBarrier(Wave wave) {}

  /** A workgroup has ended, also where its kernel was stopped. */
  default void groupEnded(List<Wave> waves) {}

  /** The last wave has ended, or the kernel was stopped. Called once. */
  default void ended() {}
}
