package dev.rocport.device.check.order;

import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.Site;
import dev.rocport.device.wave.Group;

/**
 * A store that was run.
 *
 * @param clock the number of the access among all
 * @param unit the number of the compute unit that ran it
 * @param pc the index of its instruction
 * @param wave number in the workgroup
 * @param lanes that took part
 * @param from the accesses of its wave
 * @param time which of them it is
 * @param swaps it compares and swaps, and others may guess what it will find
 * @param waited the last of them that the wave had waited for
 */
record Writer(
    LaunchView launch,
    long clock,
    int gpu,
    int unit,
    int pc,
    Group group,
    int wave,
    long lanes,
    String what,
    Pending from,
    int time,
    boolean swaps,
    int waited) {
  /** Whether its wave has waited for it, or its kernel has ended. */
  boolean isWaitedFor() {
    return from.hasWaitedFor(time) || from.launch.hasEnded();
  }

  @SuppressWarnings("ReferenceEquality") // a workgroup is itself alone
  boolean isOfWave(Writer other) {
    return group == other.group && wave == other.wave;
  }

  Site site() {
    return launch.site(what, pc, group, wave, lanes);
  }
}
