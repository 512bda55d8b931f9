package dev.rocport.device.check.sync;

import dev.rocport.device.memory.Memory;
import java.util.List;

/**
 * A loop that a wave goes round in, each time with the same lanes, which read the same from memory
 * and change nothing there.
 *
 * @param head where a round begins: an index of the wave's code
 * @param lanes that go round
 * @param polls what they read
 * @param exact whether all registers were the same each time, so that it never ends by itself
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

  /** What lies where lanes read, in short. */
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
