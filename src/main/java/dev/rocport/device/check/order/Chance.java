package dev.rocport.device.check.order;

/** Chance that is the same for the same seed: xorshift64*. */
final class Chance {
  private long state;

  Chance(long seed) {
    seed(seed);
  }

  /** Starts anew. */
  void seed(long seed) {
    long z = seed + 0x9e37_79b9_7f4a_7c15L;
    z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
    state = z == 0 ? 1 : z;
  }

  /** 0 to bound - 1. */
  int below(int bound) {
    state ^= state >>> 12;
    state ^= state << 25;
    state ^= state >>> 27;
    return (int) ((state * 0x2545_f491_4f6c_dd1dL) >>> 33) % bound;
  }

  /** True once in {@code times}. */
  boolean once(int times) {
    return below(times) == 0;
  }
}
