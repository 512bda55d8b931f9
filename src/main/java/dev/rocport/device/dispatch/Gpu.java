package dev.rocport.device.dispatch;

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
  private static final int WAVES_PER_SIMD = 8;
  private static final int VGPRS_PER_SIMD = 512;

  /** The target with the features that its code may ask for. */
  public String fullArch() {
    return target.arch() + ":sramecc+:xnack-";
  }

  /**
   * Workgroups that fit on one compute unit at once.
   *
   * @param vgprs of a wave, both kinds together
   * @param lds bytes of a workgroup
   */
  public int occupancy(int vgprs, int lds, int threads) {
    int wavesPerGroup = (threads + 63) / 64;
    int byVgprs = Math.min(WAVES_PER_SIMD, VGPRS_PER_SIMD / Math.max(8, vgprs + 7 & ~7));
    int groups = byVgprs * SIMDS / wavesPerGroup;
    return lds == 0 ? groups : Math.min(groups, target.lds() / lds);
  }
}
