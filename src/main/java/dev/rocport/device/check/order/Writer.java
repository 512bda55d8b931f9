package dev.rocport.device.check.order;

import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.Site;
import dev.rocport.device.wave.Group;

/**
 * A store that was run.
 *
 * @param moment the number of the access among all
 * @param unit the number of the compute unit that ran it
 * @param pc the index of its instruction
 * @param wave number in the workgroup
 * @param lanes that took part
 */
record Writer(
    LaunchView launch,
    long moment,
    int gpu,
    int unit,
    int pc,
    Group group,
    int wave,
    long lanes,
    String what) {
  Site site() {
    return launch.site(what, pc, group, wave, lanes);
  }
}
