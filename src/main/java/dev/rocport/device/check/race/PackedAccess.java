package dev.rocport.device.check.race;

/**
 * What is kept of an access beside who did it, in 32 bits: the number of the instruction in {@link
 * Places} (20), the lane (6), the bytes of the word (4), whether it was atomic, and whether only
 * for its workgroup. Of an access that was not atomic, the bit for the workgroup says that it
 * stored what was there already.
 */
final class PackedAccess {
  static final int PLACE_BITS = 20;
  static final int ALL_BYTES = 15;

  private PackedAccess() {}

  /** Of all bytes in lane 0. */
  static int of(int place, boolean atomic, boolean narrow) {
    return place << 12 | (narrow ? 1 << 11 : 0) | ALL_BYTES << 1 | (atomic ? 1 : 0);
  }

  static int inLane(int info, int lane) {
    return info | lane << 5;
  }

  /** The same in a lane after that of lane 0 and up. */
  static int nextLane(int info, int by) {
    return info + (by << 5);
  }

  static int withBytes(int info, int bytes) {
    return (info & ~(ALL_BYTES << 1)) | bytes << 1;
  }

  static int place(int info) {
    return info >>> 12;
  }

  static int lane(int info) {
    return info >>> 5 & 63;
  }

  /** Bit i: byte i of the word. */
  static int bytes(int info) {
    return info >>> 1 & ALL_BYTES;
  }

  /** Whether it is atomic for its workgroup only. */
  static boolean isNarrow(int info) {
    return (info & 1 << 11) != 0;
  }

  /** Whether it is an atomic of all bytes of the word, and for more than its workgroup. */
  static boolean isWholeUpdate(int info) {
    return (info & (1 << 11 | ALL_BYTES << 1 | 1)) == (ALL_BYTES << 1 | 1);
  }

  /** Whether it is a plain store of what was there already, as far as that is looked for. */
  static boolean isIdle(int info) {
    return (info & (1 << 11 | 1)) == 1 << 11;
  }

  static boolean isAtomic(int info) {
    return (info & 1) != 0;
  }
}
