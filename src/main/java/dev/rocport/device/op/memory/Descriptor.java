package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;

/**
 * A buffer descriptor (V#) in scalar registers. Source: CDNA3 ISA, table "Buffer resource
 * descriptor"; the fields of RDNA are not checked against a manual.
 *
 * @param code of its first register
 * @param rdna whether its fields are those of RDNA 3 and 4
 */
record Descriptor(int[] s, int code, boolean rdna) {
  /** RDNA: what is out of bounds, by number. */
  private static final int BY_INDEX_AND_STRIDE = 0;

  private static final int BY_INDEX = 1;
  private static final int IF_THERE_ARE_NONE = 2;

  long base() {
    return (s[code] & 0xffffffffL) | (s[code + 1] & 0xffffL) << 32;
  }

  /** Bytes from one record to the next; wider where the thread is added to the index. */
  int stride() {
    int low = s[code + 1] >>> 16 & 0x3fff;
    return addsThread() && !rdna ? low | (s[code + 3] >>> 15 & 0xf) << 14 : low;
  }

  boolean swizzled() {
    return rdna ? s[code + 1] >>> 30 != 0 : s[code + 1] < 0;
  }

  long records() {
    return s[code + 2] & 0xffffffffL;
  }

  /** Bytes that stay together in a swizzled buffer: 2, 4, 8 or 16. */
  int elementSize() {
    return 2 << (rdna ? s[code + 1] >>> 30 : s[code + 3] >>> 19 & 3);
  }

  /** Indices that stay together in a swizzled buffer: 8, 16, 32 or 64. */
  int indexStride() {
    return 8 << (s[code + 3] >>> 21 & 3);
  }

  boolean addsThread() {
    return (s[code + 3] & (1 << 23)) != 0;
  }

  /** Whether it places records as {@link dev.rocport.device.memory.ScratchDescriptor} does. */
  boolean isScratchLike() {
    return !rdna
        && swizzled()
        && addsThread()
        && elementSize() == 4
        && indexStride() == Wave.LANES
        && stride() == 0;
  }

  boolean inScratch(Wave wave) {
    return inScratch(wave, base());
  }

  boolean inScratch(Wave wave, long address) {
    long offset = address - wave.scratch;
    return offset >= 0 && offset < (long) wave.scratchPerLane * Wave.LANES;
  }

  /**
   * Whether the records reach to the byte at an offset.
   *
   * @param indexed the instruction has an index
   * @param scalar the scalar offset, which takes from the bytes
   */
  boolean holds(boolean indexed, long index, long offset, long scalar) {
    int stride = stride();
    if (indexed && stride != 0) {
      return index < records() && (!swizzled() || offset < stride);
    }
    return offset < records() - scalar;
  }

  /**
   * Whether a whole access of RDNA lies in the records: it has no parts that do, and others.
   *
   * @param last offset of its last byte
   */
  boolean holdsWhole(long index, long last) {
    return switch (s[code + 3] >>> 28 & 3) {
      case BY_INDEX_AND_STRIDE -> index < records() && last < stride();
      case BY_INDEX -> index < records();
      case IF_THERE_ARE_NONE -> records() != 0;
      default ->
          (swizzled() && stride() != 0) ? (index < records() && last < stride()) : last < records();
    };
  }

  /** Where the byte at an offset of a record lies, from the base and scalar offset on. */
  long place(long index, long offset) {
    if (!swizzled()) {
      return index * stride() + offset;
    }
    long group = index / indexStride();
    long member = index % indexStride();
    long element = offset / elementSize();
    return (group * stride() + element * elementSize()) * indexStride()
        + member * elementSize()
        + offset % elementSize();
  }
}
