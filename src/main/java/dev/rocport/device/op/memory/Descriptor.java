package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;

/**
 * A buffer descriptor (V#) in scalar registers. CDNA3 ISA, table "Buffer resource descriptor".
 *
 * @param code of its first register
 */
record Descriptor(int[] s, int code) {

  long base() {
    return (s[code] & 0xffffffffL) | (s[code + 1] & 0xffffL) << 32;
  }

  /** Bytes from one record to the next; wider where the thread is added to the index. */
  int stride() {
    int low = s[code + 1] >>> 16 & 0x3fff;
    return addsThread() ? low | (s[code + 3] >>> 15 & 0xf) << 14 : low;
  }

  boolean swizzled() {
    return s[code + 1] < 0;
  }

  long records() {
    return s[code + 2] & 0xffffffffL;
  }

  /** Bytes that stay together in a swizzled buffer: 2, 4, 8 or 16. */
  int elementSize() {
    return 2 << (s[code + 3] >>> 19 & 3);
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
    return swizzled()
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
