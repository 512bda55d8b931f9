package dev.rocport.fleet;

import java.util.List;

/**
 * What {@code rocport fleet cost} asks for.
 *
 * @param version of rocport
 * @param outs folders of tables that the model is fitted to
 * @param checks folders of tables that the model is compared with
 * @param repositories number of repositories of the fleet to predict; 0 if none
 * @param gigabytes size of that fleet, in 10^9 bytes
 * @param format {@code text}, {@code json} or {@code html}
 */
record CostSettings(
    String version,
    List<String> outs,
    List<String> checks,
    long repositories,
    long gigabytes,
    String format) {
  CostSettings {
    outs = List.copyOf(outs);
    checks = List.copyOf(checks);
  }
}
