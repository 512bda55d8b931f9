package dev.rocport.device.check.race;

/**
 * What is kept of an access beside who did it, in 32 bits: the instruction's index (21), the lane
 * (6), the bytes of the word (4), and whether it was atomic.
 */
final class Info {
  private static final int MOST_CODE = (1 << 21) - 1;
  private static final int ALL_BYTES = 15;

  private Info() {}

  /** Of all bytes in lane 0. */
  static int of(int pc, boolean atomic) {
    return Math.min(pc, MOST_CODE) << 11 | ALL_BYTES << 1 | (atomic ? 1 : 0);
  }

  static int inLane(int info, int lane) {
    return info | lane << 5;
  }

  static int withBytes(int info, int bytes) {
    return (info & ~(ALL_BYTES << 1)) | bytes << 1;
  }

  static int pc(int info) {
    return info >>> 11;
  }

  static int lane(int info) {
    return info >>> 5 & 63;
  }

  /** Bit i: byte i of the word. */
  static int bytes(int info) {
    return info >>> 1 & ALL_BYTES;
  }

  static boolean isAtomic(int info) {
    return (info & 1) != 0;
  }
}
