package dev.rocport.device.dispatch;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Ranges;

/**
 * One GPU of the device.
 *
 * @param index its number, from 0
 * @param computeUnits how many workgroups' worth of resources it has
 * @param base where its memory begins
 * @param size bytes of its memory
 * @param ranges what of that is handed out
 */
public record Gpu(int index, Target target, int computeUnits, long base, long size, Ranges ranges) {
  /** The most threads of a workgroup. */
  public static final int MAX_THREADS = 1024;

  private static final int SIMDS = 4;

  /** What the waves of a SIMD share. */
  private record Simd(int waves, int vgprs, int granule) {
    static Simd of(Target target, int lanes) {
      return switch (target.generation()) {
        case CDNA -> new Simd(8, 512, 8);
        case RDNA3, RDNA4 -> new Simd(16, 1536 * 32 / lanes, 24 * 32 / lanes);
      };
    }
  }

  /** The target with the features that its code may ask for. */
  public String fullArch() {
    return target.generation() == Generation.CDNA
        ? target.arch() + ":sramecc+:xnack-"
        : target.arch();
  }

  /** LDS of what runs a workgroup: two compute units of RDNA run one together. */
  private static int shared(Target target) {
    return target.generation() == Generation.CDNA ? target.lds() : 2 * target.lds();
  }

  /**
   * Workgroups that fit on one compute unit at once.
   *
   * @param vgprs of a wave, both kinds together
   * @param lds bytes of a workgroup
   * @param lanes of a wave
   */
  public int occupancy(int vgprs, int lds, int threads, int lanes) {
    int wavesPerGroup = Math.ceilDiv(threads, lanes);
    Simd simd = Simd.of(target, lanes);
    int registers = Math.max(1, Math.ceilDiv(vgprs, simd.granule())) * simd.granule();
    int byVgprs = Math.min(simd.waves(), simd.vgprs() / registers);
    int groups = byVgprs * SIMDS / wavesPerGroup;
    return lds == 0 ? groups : Math.min(groups, shared(target) / lds);
  }
}
