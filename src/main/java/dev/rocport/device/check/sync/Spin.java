package dev.rocport.device.check.sync;

import dev.rocport.device.memory.Memory;
import java.util.List;

/**
 * A loop that a wave repeats, each time with the same lanes, which read the same values from memory
 * and change nothing there.
 *
 * @param head where an iteration begins: an index of the wave's code
 * @param lanes the looping lanes
 * @param polls what they read
 * @param exact whether all registers were equal each time, so that the loop never ends by itself
 */
record Spin(int head, long lanes, List<Poll> polls, boolean exact) {

  /**
   * What lanes read in a round.
   *
   * @param pc of the instruction
   * @param bytes of each lane
   * @param contents of the memory, in short
   */
  record Poll(int pc, long lanes, int bytes, long[] addresses, long contents) {

    boolean isUnchanged() {
      return Spin.contents(lanes, bytes, addresses) == contents;
    }

    /** Whether one of the lanes that go round reads this address. */
    boolean reads(long address) {
      for (long m = lanes; m != 0; m &= m - 1) {
        if (addresses[Long.numberOfTrailingZeros(m)] == address) {
          return true;
        }
      }
      return false;
    }
  }

  /** A short hash of the values that the lanes read. */
  static long contents(long lanes, int bytes, long[] addresses) {
    long hash = 17;
    for (long m = lanes; m != 0; m &= m - 1) {
      long at = addresses[Long.numberOfTrailingZeros(m)];
      for (int b = 0; b < bytes; b++) {
        hash = hash * 1_000_003 + Memory.loadByte(at + b);
      }
    }
    return hash;
  }

  /** Whether what it waits for has not come. */
  boolean goesOn() {
    return polls.stream().allMatch(Poll::isUnchanged);
  }

  boolean reads(long address) {
    return polls.stream().anyMatch(p -> p.reads(address));
  }
}
