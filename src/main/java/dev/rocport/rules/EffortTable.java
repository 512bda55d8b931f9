package dev.rocport.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * The remaining work for each kind of finding: the content of {@code effort.yaml}.
 *
 * @param editsPerMinute edits whose diff can be reviewed in a minute
 * @param trivial most minutes of a trivial file
 * @param small most minutes of a small one
 * @param medium most minutes of a medium one
 * @param large most minutes of a large one; anything above is research
 * @param weights the first one that fits a finding counts
 */
public record EffortTable(
    int editsPerMinute, int trivial, int small, int medium, int large, List<Weight> weights) {
  static final EffortTable NONE = new EffortTable(0, 0, 0, 0, 0, List.of());

  /**
   * Minutes for the findings of some rules in one file.
   *
   * @param rule id, with {@code *} for any characters
   * @param disposition {@code ported}, {@code review}, {@code unported}; {@code *} for each
   * @param first for the first finding of a rule in a file
   * @param again for each further one
   * @param once added once for a tree, for each rule with such findings
   * @param atLeast lowest class of a file with such a finding; empty for none
   * @param why what is done in that time
   */
  public record Weight(
      String rule,
      String disposition,
      int first,
      int again,
      int once,
      String atLeast,
      String why) {}

  public EffortTable {
    weights = List.copyOf(weights);
  }

  /** The other table's weights before these, its limits where it has any. */
  EffortTable under(EffortTable over) {
    List<Weight> all = new ArrayList<>(over.weights());
    all.addAll(weights);
    EffortTable limits = over.editsPerMinute() > 0 ? over : this;
    return new EffortTable(
        limits.editsPerMinute, limits.trivial, limits.small, limits.medium, limits.large, all);
  }
}
