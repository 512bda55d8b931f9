package dev.rocport.device.check.race;

import dev.rocport.device.wave.Wave;

/** Lanes that access the same address as a lane before them, as they do where tiles are loaded. */
final class Repeats {
  /** Lanes of a row, as tiles often have them. */
  private static final int ROW = 16;

  private Repeats() {}

  /** Whether some lanes at the beginning have one address. */
  static boolean mayBeIn(long[] addresses) {
    return addresses[0] == addresses[1]
        || addresses[1] == addresses[2]
        || addresses[0] == addresses[ROW]
        || addresses[ROW] == addresses[2 * ROW];
  }

  /**
   * Lanes with the address of the lane before, or of the one a row before: of a load, they come to
   * what that one comes to.
   */
  static long of(long[] addresses, long lanes) {
    long before = 0;
    long above = 0;
    for (int l = 1; l < Wave.LANES; l++) {
      before |= (addresses[l] == addresses[l - 1] ? 1L : 0) << l;
    }
    for (int l = ROW; l < Wave.LANES; l++) {
      above |= (addresses[l] == addresses[l - ROW] ? 1L : 0) << l;
    }
    return (before & (lanes << 1)) | (above & (lanes << ROW));
  }
}
