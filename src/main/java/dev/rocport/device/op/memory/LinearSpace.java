package dev.rocport.device.op.memory;

import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * A space where lane l's address is a base that all share, plus the unsigned sum of {@code v[row()
 * + l]} and {@link #add}.
 */
interface LinearSpace extends Space {
  /** The index of lane 0 of the register with the offsets. */
  int row();

  /** What is added to each of them. */
  int add();

  /** Which sums may be accessed now, or null where that cannot be told at once. */
  @Nullable Window window(Wave wave, long lanes, int bytes, Access access);

  /** The address of each lane, of which the sums are in a window. */
  default void addresses(Wave wave, Window window, long[] addresses) {
    int[] v = wave.v;
    int row = row();
    int add = add();
    long base = window.base();
    for (int l = 0; l < Wave.LANES; l++) {
      addresses[l] = base + ((v[row + l] + add) & 0xffffffffL);
    }
  }

  /** Counts what lanes move, where that is wanted. */
  default void count(Wave wave, long lanes, int bytes, Access access) {
    if (shared()) {
      Permission.count(wave, lanes, bytes, access);
    }
  }

  /**
   * Sums from {@code low} to {@code limit}, both unsigned.
   *
   * @param limit the greatest sum at which a whole access may begin
   */
  record Window(long base, int low, int limit) {}
}
