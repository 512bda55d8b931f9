package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Wave;

/** A flat access: each lane's address says whether it goes to global memory, LDS or scratch. */
final class FlatOp extends LaneOp {
  private static final int APERTURES = Wave.SHARED_APERTURE | Wave.PRIVATE_APERTURE;

  private final int high;
  private final LaneOp global;
  private final LaneOp local;
  private final LaneOp scratch;

  /**
   * @param high the index of lane 0 of the high words of the addresses
   */
  FlatOp(Instruction instruction, int high, LaneOp global, LaneOp local, LaneOp scratch) {
    super(instruction);
    this.high = high;
    this.global = global;
    this.local = local;
    this.scratch = scratch;
  }

  @Override
  void run(Wave wave, long lanes) {
    int[] v = wave.v;
    int any = 0;
    for (int l = 0; l < Wave.LANES; l++) {
      any |= v[high + l];
    }
    if ((any & APERTURES) == 0) {
      global.run(wave, lanes);
      return;
    }
    long inLocal = 0;
    long inScratch = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int word = v[high + lane];
      if (word == Wave.SHARED_APERTURE) {
        inLocal |= 1L << lane;
      } else if (word == Wave.PRIVATE_APERTURE) {
        inScratch |= 1L << lane;
      }
    }
    long inGlobal = lanes & ~inLocal & ~inScratch;
    if (inGlobal != 0) {
      global.run(wave, inGlobal);
    }
    if (inLocal != 0) {
      local.run(wave, inLocal);
    }
    if (inScratch != 0) {
      scratch.run(wave, inScratch);
    }
  }
}
