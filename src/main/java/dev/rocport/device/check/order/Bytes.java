package dev.rocport.device.check.order;

import dev.rocport.device.memory.Memory;

/** Bytes of lines, chosen by the bits of a mask: bit b is byte b. */
final class Bytes {
  /** For 8 bits of a mask, the bytes that they choose. */
  private static final long[] CHOSEN = new long[256];

  static {
    for (int bits = 0; bits < CHOSEN.length; bits++) {
      for (int b = 0; b < 8; b++) {
        CHOSEN[bits] |= (bits >>> b & 1) == 0 ? 0 : 0xffL << (8 * b);
      }
    }
  }

  private Bytes() {}

  /** Copies selected bytes to a line that no other thread sees. */
  static void copy(long from, long to, long mask) {
    for (int at = 0; at < Lines.BYTES; at += 8) {
      int bits = (int) (mask >>> at) & 255;
      if (bits == 255) {
        Memory.storeLong(to + at, Memory.loadLong(from + at));
      } else if (bits != 0) {
        long chosen = CHOSEN[bits];
        long kept = Memory.loadLong(to + at) & ~chosen;
        Memory.storeLong(to + at, kept | (Memory.loadLong(from + at) & chosen));
      }
    }
  }

  /** Copies chosen bytes to memory, where others may be storing to the bytes between. */
  static void publish(long from, long to, long mask) {
    for (int at = 0; at < Lines.BYTES; at += 8) {
      int bits = (int) (mask >>> at) & 255;
      if (bits == 255) {
        Memory.storeLong(to + at, Memory.loadLong(from + at));
        continue;
      }
      if ((bits & 0x0f) == 0x0f) {
        Memory.storeInt(to + at, Memory.loadInt(from + at));
        bits &= 0xf0;
      }
      if ((bits & 0xf0) == 0xf0) {
        Memory.storeInt(to + at + 4, Memory.loadInt(from + at + 4));
        bits &= 0x0f;
      }
      for (int b = 0; bits != 0; b++, bits >>>= 1) {
        if ((bits & 1) != 0) {
          Memory.storeByte(to + at + b, Memory.loadByte(from + at + b));
        }
      }
    }
  }

  /** Which of the selected bytes of two lines are equal, as a mask; of others, any. */
  static long equal(long one, long other, long mask) {
    long equal = 0;
    for (int at = 0; at < Lines.BYTES; at += 8) {
      int bits = (int) (mask >>> at) & 255;
      if (bits == 0) {
        continue;
      }
      long differ = Memory.loadLong(one + at) ^ Memory.loadLong(other + at);
      if (differ == 0) {
        equal |= 0xffL << at;
        continue;
      }
      for (int b = 0; b < 8; b++) {
        equal |= (differ >>> (8 * b) & 0xff) == 0 ? 1L << (at + b) : 0;
      }
    }
    return equal;
  }

  /** The mask of bytes from an offset on. */
  static long mask(int offset, int bytes) {
    return (bytes == 64 ? -1L : (1L << bytes) - 1) << offset;
  }
}
