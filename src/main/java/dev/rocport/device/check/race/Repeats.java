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
    if (lanes == -1L) {
      if (addresses[0] != addresses[1] && isEachRowLikeTheFirst(addresses)) {
        return -1L << ROW;
      }
      if (addresses[0] != addresses[ROW] && isEachRowOneAddress(addresses)) {
        return ~(1L | 1L << ROW | 1L << (2 * ROW) | 1L << (3 * ROW));
      }
    }
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

  // The loops of these two have no branches and are compiled for vectors of the processor.

  private static boolean isEachRowLikeTheFirst(long[] addresses) {
    long differ = 0;
    for (int l = ROW; l < Wave.LANES; l++) {
      differ |= addresses[l] ^ addresses[l - ROW];
    }
    return differ == 0;
  }

  private static boolean isEachRowOneAddress(long[] addresses) {
    long differ = 0;
    for (int row = 0; row < Wave.LANES; row += ROW) {
      long first = addresses[row];
      for (int l = row; l < row + ROW; l++) {
        differ |= addresses[l] ^ first;
      }
    }
    return differ == 0;
  }
}
