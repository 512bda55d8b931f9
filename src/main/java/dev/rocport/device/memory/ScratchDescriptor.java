package dev.rocport.device.memory;

/**
 * The scratch memory of a wave: the layout of its bytes, and the descriptor that gives a kernel
 * their address.
 *
 * <p>Byte o of lane l lies at {@code base + o / 4 * 256 + l * 4 + o % 4}: the swizzle that the
 * buffer descriptor below makes with elements of 4 bytes and an index stride of 64. Buffer, scratch
 * and flat instructions all agree on it, so the wave needs 64 times the bytes of a lane.
 *
 * @param base the address of the wave's scratch
 */
public record ScratchDescriptor(long base) {
  private static final int SWIZZLE = 1 << 31;
  private static final int INDEX_STRIDE_64 = 3 << 21;
  private static final int ELEMENT_SIZE_4 = 1 << 19;
  private static final int ADD_THREAD_ID = 1 << 23;

  /**
   * The buffer descriptor for s[0:3] of gfx90a: raw, swizzled, unlimited. The byte offset of the
   * wave that goes with it is 0.
   */
  public int[] words() {
    return new int[] {
      (int) base,
      ((int) (base >>> 32) & 0xffff) | SWIZZLE,
      -1,
      ADD_THREAD_ID | INDEX_STRIDE_64 | ELEMENT_SIZE_4
    };
  }

  /** The value of flat_scratch_init on gfx90a; the byte offset of the wave is 0. */
  public long flatScratch() {
    return base;
  }

  /** The address of byte {@code offset} of a lane. */
  public static long address(long base, long offset, int lane) {
    return base + ((offset >> 2) << 8) + (lane << 2) + (offset & 3);
  }
}
