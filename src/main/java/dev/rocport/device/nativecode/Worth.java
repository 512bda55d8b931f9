package dev.rocport.device.nativecode;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides how many instructions a block must have run before it is compiled. The compiler takes
 * about as long for a region as 20 million instructions do without it. The first regions of a
 * device are compiled early, since a program has few that are hot. The more regions there are, the
 * longer each must have run: a test suite has hundreds of kernels, most of which run briefly.
 */
final class Worth {
  /** Of all code objects of this process. */
  static final Worth SHARED = new Worth();

  /** Regions that are compiled as soon as they are reported. */
  private static final int EARLY = 16;

  /** Instructions that each further region adds. */
  private static final long EACH = 100_000;

  /** Instructions that run in the time of one compilation; no region needs more. */
  private static final long MOST = 20_000_000;

  private final AtomicInteger compiled = new AtomicInteger();

  /** Counts a region that has been compiled. */
  void compiled() {
    compiled.incrementAndGet();
  }

  /** Instructions from which a block is worth its compilation. */
  long instructions() {
    return Math.clamp((compiled.get() - EARLY) * EACH, 0, MOST);
  }
}
