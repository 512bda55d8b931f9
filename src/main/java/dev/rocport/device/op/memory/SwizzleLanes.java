package dev.rocport.device.op.memory;

/**
 * Which lane supplies the value of each lane in ds_swizzle_b32. Source: CDNA3 ISA, DS_SWIZZLE_B32.
 */
public final class SwizzleLanes {
  private SwizzleLanes() {}

  /**
   * The lane read by a lane.
   *
   * @param pattern the instruction's offset of 16 bits
   */
  public static int source(int pattern, int lane) {
    int mask = pattern & 0x1f;
    int half = lane & 0x20;
    if (pattern >= 0xe000) {
      int reversed = Integer.reverse(lane) >>> 27;
      return half | (reversed >> Integer.bitCount(mask)) | (lane & mask);
    }
    if (pattern >= 0xc000) {
      int distance = pattern >> 5 & 0x1f;
      int moved = (pattern & 1 << 10) == 0 ? lane + distance : lane - distance;
      return half | (lane & mask) | (moved & ~mask & 0x1f);
    }
    if (pattern >= 0x8000) {
      return (lane & ~3) | (pattern >> (2 * (lane & 3)) & 3);
    }
    return half | ((((lane & mask) | (pattern >> 5 & 0x1f)) ^ (pattern >> 10)) & 0x1f);
  }
}
