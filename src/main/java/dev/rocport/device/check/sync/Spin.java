package dev.rocport.device.check.sync;

import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.Group;
import java.util.List;
import java.util.Optional;

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

    /** The address that the first of its lanes reads. */
    long first() {
      return addresses[Long.numberOfTrailingZeros(lanes)];
    }

    /** Whether all lanes read LDS, which only waves of the workgroup can change. */
    boolean isIn(Group group) {
      for (long m = lanes; m != 0; m &= m - 1) {
        long offset = addresses[Long.numberOfTrailingZeros(m)] - group.lds();
        if (offset < 0 || offset >= group.ldsSize()) {
          return false;
        }
      }
      return true;
    }

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

  /** What the instruction at an index of the code reads; empty if it reads nothing. */
  Optional<Poll> poll(int pc) {
    return polls.stream().filter(p -> p.pc() == pc).findFirst();
  }

  boolean reads(long address) {
    return polls.stream().anyMatch(p -> p.reads(address));
  }
}
