package dev.rocport.core.result;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The conditions that make a run fail: new findings at or above a severity, and more findings of
 * certain rules than allowed.
 *
 * @param failOn the least severity of a finding that fails by itself
 * @param thresholds for rules that are counted instead; the first that names a finding's rule
 *     counts
 */
public record Gate(Severity failOn, List<Threshold> thresholds) {
  public Gate {
    thresholds = List.copyOf(thresholds);
  }

  /** A gate without thresholds. */
  public Gate(Severity failOn) {
    this(failOn, List.of());
  }

  /**
   * How many findings of some rules are allowed.
   *
   * @param rules id of a rule, or its family below {@code rules/}; {@code *} stands for any text
   * @param from the least severity that counts
   * @param most how many may be
   */
  public record Threshold(String rules, Severity from, int most) {}

  /**
   * How a threshold was kept.
   *
   * @param findings new ones that count
   */
  public record Count(Threshold threshold, List<Finding> findings) {
    public Count {
      findings = List.copyOf(findings);
    }

    /** True if there are no more than are allowed. */
    public boolean isKept() {
      return findings.size() <= threshold.most();
    }
  }

  /**
   * The outcome of a gate for a result.
   *
   * @param counts of each threshold, in order
   * @param failing the findings that make the run fail, in order of the files
   */
  public record Verdict(List<Count> counts, List<Finding> failing) {
    public Verdict {
      counts = List.copyOf(counts);
      failing = List.copyOf(failing);
    }

    /** The failing findings, for lookup by identity. */
    public Set<Finding> failingSet() {
      Set<Finding> set = Collections.newSetFromMap(new IdentityHashMap<>());
      set.addAll(failing);
      return set;
    }
  }

  /** Judges a result. */
  public Verdict judge(Result result) {
    Map<String, Integer> thresholdOf = new TreeMap<>();
    List<List<Finding>> counted = new ArrayList<>();
    thresholds.forEach(t -> counted.add(new ArrayList<>()));
    List<Finding> fresh = result.findings().stream().filter(result::isNew).toList();
    for (Finding f : fresh) {
      int index = thresholdOf.computeIfAbsent(f.rule(), id -> threshold(id, result));
      if (index >= 0 && f.severity().compareTo(thresholds.get(index).from()) >= 0) {
        counted.get(index).add(f);
      }
    }
    List<Count> counts = new ArrayList<>();
    for (int i = 0; i < thresholds.size(); i++) {
      counts.add(new Count(thresholds.get(i), counted.get(i)));
    }
    List<Finding> failing = new ArrayList<>();
    for (Finding f : fresh) {
      int index = thresholdOf.getOrDefault(f.rule(), -1);
      Severity from = index < 0 ? failOn : thresholds.get(index).from();
      if (f.severity().compareTo(from) >= 0 && (index < 0 || !counts.get(index).isKept())) {
        failing.add(f);
      }
    }
    return new Verdict(counts, failing);
  }

  private int threshold(String rule, Result result) {
    RuleInfo info = result.rules().get(rule);
    for (int i = 0; i < thresholds.size(); i++) {
      String rules = thresholds.get(i).rules();
      Pattern pattern = Pattern.compile("\\Q" + rules.replace("*", "\\E.*\\Q") + "\\E");
      if (pattern.matcher(rule).matches()
          || (info != null && pattern.matcher(info.family()).matches())) {
        return i;
      }
    }
    return -1;
  }
}
