package dev.rocport.cuda;

import dev.rocport.report.Disposition;

/**
 * Finds host code that asks the device for its warp size: 64 on CDNA, while device code goes on in
 * groups of 32.
 */
final class WarpSizePass {
  static final String RULE = "W64-HOST-SIZE";

  private WarpSizePass() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      boolean member = t.is(i, "warpSize") && (t.is(i - 1, '.') || t.isPair(i - 1, '-'));
      if (member || t.is(i, "cudaDevAttrWarpSize") || t.is(i, "CU_DEVICE_ATTRIBUTE_WARP_SIZE")) {
        f.changes.finding(
            RULE,
            Disposition.REVIEW,
            t.start(i),
            t.end(i),
            "the device's warp size is 64 on gfx90a and gfx942, where it was 32");
      }
    }
  }
}
