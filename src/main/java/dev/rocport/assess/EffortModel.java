package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.Effort.Size;
import dev.rocport.core.result.EffortMethod;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.EffortTable;
import dev.rocport.rules.EffortTable.Weight;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Estimates the remaining work. For a file: the time to read its edits, and for each rule and
 * disposition with n findings {@code first + (n - 1) * again} minutes. For a tree: the sum of its
 * files, and {@code once} minutes for each rule whose weight has it. A model serves one run: it
 * records which weights applied.
 */
final class EffortModel {
  private static final Weight NONE = new Weight("", "*", 0, 0, 0, "", "");

  private final EffortTable table;
  private final Map<Kind, Weight> cache = new HashMap<>();
  private final Set<Weight> counted = new LinkedHashSet<>();
  private final SortedMap<String, Integer> byRule = new TreeMap<>();
  private final SortedMap<String, Integer> onceByRule = new TreeMap<>();
  private int total;

  private record Kind(String rule, Disposition disposition) implements Comparable<Kind> {
    @Override
    public int compareTo(Kind other) {
      int c = rule.compareTo(other.rule);
      return c != 0 ? c : disposition.compareTo(other.disposition);
    }
  }

  EffortModel(EffortTable table) {
    this.table = table;
  }

  /** Returns the remaining work in one file. */
  Effort file(FileResult file) {
    SortedMap<Kind, Integer> kinds = new TreeMap<>();
    for (Finding f : file.findings()) {
      kinds.merge(new Kind(f.rule(), f.disposition()), 1, Integer::sum);
    }
    int edits = file.editCount();
    int minutes = table.editsPerMinute() == 0 ? 0 : Math.ceilDiv(edits, table.editsPerMinute());
    Size least = Size.NONE;
    for (Map.Entry<Kind, Integer> e : kinds.entrySet()) {
      String rule = e.getKey().rule();
      Weight w = cache.computeIfAbsent(e.getKey(), this::weight);
      counted.add(w);
      int m = w.first() + (e.getValue() - 1) * w.again();
      minutes += m;
      if (e.getKey().disposition() != Disposition.PORTED) {
        byRule.merge(rule, m, Integer::sum);
      }
      if (w.once() > 0) {
        onceByRule.merge(rule, w.once(), Math::max);
      }
      least = max(least, size(w.atLeast()));
    }
    total += minutes;
    return new Effort(minutes, max(least, size(minutes)));
  }

  /** Returns the work of all files so far, including work that counts once. */
  Effort tree() {
    int minutes = total + onceByRule.values().stream().mapToInt(Integer::intValue).sum();
    return new Effort(minutes, size(minutes));
  }

  /** Returns the minutes of the places that a rule leaves for manual work. */
  int minutes(String rule) {
    return byRule.getOrDefault(rule, 0) + onceByRule.getOrDefault(rule, 0);
  }

  EffortMethod method() {
    String formula =
        ("minutes of a file = edits / %d, rounded up, plus 'first' + (n - 1) * 'again' for each"
             + " rule and disposition with n findings; minutes of the tree = the sum of its files,"
             + " plus 'once' for each rule with that weight. A file is 'trivial' up to %d minutes,"
             + " 'small' up to %d, 'medium' up to %d, 'large' up to %d, 'research' above.")
            .formatted(
                table.editsPerMinute(),
                table.trivial(),
                table.small(),
                table.medium(),
                table.large());
    List<EffortMethod.Weight> weights =
        table.weights().stream()
            .filter(counted::contains)
            .map(
                w ->
                    new EffortMethod.Weight(
                        w.rule(), w.disposition(), w.first(), w.again(), w.once(), w.why()))
            .toList();
    return new EffortMethod(formula, weights);
  }

  private Weight weight(Kind kind) {
    String disposition = kind.disposition().name().toLowerCase(Locale.ROOT);
    for (Weight w : table.weights()) {
      boolean fits = w.disposition().equals("*") || w.disposition().equals(disposition);
      if (fits && InlineSuppressions.names(w.rule(), kind.rule())) {
        return w;
      }
    }
    return NONE;
  }

  private Size size(int minutes) {
    if (minutes == 0) {
      return Size.NONE;
    }
    if (minutes <= table.trivial()) {
      return Size.TRIVIAL;
    }
    if (minutes <= table.small()) {
      return Size.SMALL;
    }
    if (minutes <= table.medium()) {
      return Size.MEDIUM;
    }
    return minutes <= table.large() ? Size.LARGE : Size.RESEARCH;
  }

  private static Size size(String label) {
    return label.isEmpty() ? Size.NONE : Size.valueOf(label.toUpperCase(Locale.ROOT));
  }

  private static Size max(Size a, Size b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
