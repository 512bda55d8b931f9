package dev.rocport.core.result;

import java.util.List;

/**
 * How the effort was estimated, for the reader of a report.
 *
 * @param formula in words
 * @param weights the weights used in this run
 */
public record EffortMethod(String formula, List<Weight> weights) {
  /**
   * Minutes for findings of some rules.
   *
   * @param rule id, with {@code *} for any characters
   * @param disposition label; {@code *} for each
   * @param first for the first finding of a rule in a file
   * @param again for each further one
   * @param once added once for each rule with such findings
   * @param why what is done in that time
   */
  public record Weight(
      String rule, String disposition, int first, int again, int once, String why) {}

  public EffortMethod {
    weights = List.copyOf(weights);
  }
}
