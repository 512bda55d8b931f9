package dev.rocport.device.server;

import dev.rocport.device.codeobject.KernelDescriptor;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.LaunchRequest.Dim3;

/** What can be launched. */
final class Limits {
  /** Scratch of a lane, in bytes: what a wave of the real GPU can have at most. */
  private static final int SCRATCH = 1 << 17;

  private static final int ARGUMENTS = 1 << 20;
  private static final double THREADS = 0x1p40;

  /** A dispatch packet counts the work-items of a dimension in 32 bits. */
  private static final double ITEMS = 0x1p32;

  private Limits() {}

  /**
   * Checks a launch.
   *
   * @param lanes of a wave
   * @throws RequestException with what is beyond a limit
   */
  static void check(
      KernelInfo info,
      int lanes,
      Gpu gpu,
      Dim3 grid,
      Dim3 block,
      int dynamicLds,
      boolean cooperative) {
    if (smallest(grid) < 1 || smallest(block) < 1) {
      throw new RequestException(Status.LIMIT, "an empty grid or block");
    }
    int most = Math.min(info.maxThreads(), Gpu.MAX_THREADS);
    if (product(block) > most) {
      throw new RequestException(
          Status.LIMIT,
          "kernel %s: %.0f threads in a block; at most %d are allowed (launch bounds)"
              .formatted(info.name(), product(block), most));
    }
    boolean wide =
        (double) grid.x() * block.x() >= ITEMS
            || (double) grid.y() * block.y() >= ITEMS
            || (double) grid.z() * block.z() >= ITEMS;
    if (product(grid) * product(block) >= THREADS || wide) {
      throw new RequestException(Status.LIMIT, "kernel " + info.name() + ": the grid is too large");
    }
    checkCode(info);
    long lds = (long) info.descriptor().ldsSize() + dynamicLds;
    if (dynamicLds < 0 || lds > gpu.target().lds()) {
      throw new RequestException(
          Status.LIMIT,
          "kernel %s: %d bytes of LDS; a workgroup can have %d"
              .formatted(info.name(), lds, gpu.target().lds()));
    }
    int threads = (int) block.count();
    long fit =
        (long) gpu.computeUnits()
            * gpu.occupancy(info.descriptor().vgprs(gpu.target()), (int) lds, threads, lanes);
    if (cooperative && grid.count() > fit) {
      throw new RequestException(
          Status.COOPERATIVE_TOO_LARGE,
          "kernel %s: %d blocks; at most %d can be resident"
              .formatted(info.name(), grid.count(), fit));
    }
  }

  /** What a compiler's kernels never break. */
  private static void checkCode(KernelInfo info) {
    KernelDescriptor d = info.descriptor();
    long preloaded = 4L * (d.preloadOffset() + d.preloadLength());
    if (d.ldsSize() < 0
        || d.scratchPerLane() < 0
        || d.scratchPerLane() > SCRATCH
        || info.argumentBytes() < 0
        || info.argumentBytes() > ARGUMENTS
        || (d.preloadLength() > 0 && preloaded > info.argumentBytes())
        || (info.entry() & 3) != 0) {
      throw new RequestException(
          Status.BAD_CODE_OBJECT, "the descriptor of kernel " + info.name() + " is invalid");
    }
  }

  private static int smallest(Dim3 d) {
    return Math.min(d.x(), Math.min(d.y(), d.z()));
  }

  private static double product(Dim3 d) {
    return (double) d.x() * d.y() * d.z();
  }
}
