package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Totals;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes the totals of files. */
final class Sums {
  private final RuleCatalog catalog;
  private final SortedMap<Status, Integer> byStatus = new TreeMap<>();
  private final SortedMap<String, Integer> byLanguage = new TreeMap<>();
  private final SortedMap<String, Integer> editsByRule = new TreeMap<>();
  private final SortedMap<String, Integer> editsByFamily = new TreeMap<>();
  private final SortedMap<Severity, Integer> bySeverity = new TreeMap<>();
  private final SortedMap<Disposition, Integer> byDisposition = new TreeMap<>();
  private final SortedMap<String, Integer> byRule = new TreeMap<>();
  private final SortedMap<Effort.Size, Integer> bySize = new TreeMap<>();
  private final SortedMap<String, Open> open = new TreeMap<>();
  private int files;
  private long bytes;
  private long lines;
  private int edits;
  private int findings;
  private int suppressed;

  private static final class Open {
    Severity severity = Severity.NOTE;
    int unported;
    int review;
    int files;
  }

  Sums(RuleCatalog catalog) {
    this.catalog = catalog;
  }

  void add(FileResult f, Effort effort) {
    files++;
    bytes += f.bytes();
    lines += f.lines();
    byStatus.merge(f.status(), 1, Integer::sum);
    byLanguage.merge(f.language(), 1, Integer::sum);
    bySize.merge(effort.size(), 1, Integer::sum);
    f.edits().forEach(this::edits);
    suppressed += f.suppressed().size();
    Set<String> seen = new HashSet<>();
    for (Finding finding : f.findings()) {
      findings++;
      bySeverity.merge(finding.severity(), 1, Integer::sum);
      byDisposition.merge(finding.disposition(), 1, Integer::sum);
      byRule.merge(finding.rule(), 1, Integer::sum);
      if (finding.disposition() != Disposition.PORTED) {
        left(finding, seen.add(finding.rule()));
      }
    }
  }

  private void edits(String rule, int count) {
    edits += count;
    editsByRule.merge(rule, count, Integer::sum);
    Rule r = catalog.find(rule);
    editsByFamily.merge(r == null ? rule : r.family(), count, Integer::sum);
  }

  private void left(Finding f, boolean firstOfFile) {
    Open o = open.computeIfAbsent(f.rule(), k -> new Open());
    o.severity = o.severity.compareTo(f.severity()) >= 0 ? o.severity : f.severity();
    o.unported += f.disposition() == Disposition.UNPORTED ? 1 : 0;
    o.review += f.disposition() == Disposition.REVIEW ? 1 : 0;
    o.files += firstOfFile ? 1 : 0;
  }

  Totals totals(EffortModel model) {
    List<Left> left =
        open.entrySet().stream()
            .map(
                e -> {
                  Open o = e.getValue();
                  int minutes = model.minutes(e.getKey());
                  return new Left(e.getKey(), o.severity, o.unported, o.review, o.files, minutes);
                })
            .sorted(Comparator.comparingInt(Left::minutes).reversed().thenComparing(Left::rule))
            .toList();
    return new Totals(
        files,
        bytes,
        lines,
        Collections.unmodifiableSortedMap(byStatus),
        Collections.unmodifiableSortedMap(byLanguage),
        edits,
        Collections.unmodifiableSortedMap(editsByRule),
        Collections.unmodifiableSortedMap(editsByFamily),
        findings,
        Collections.unmodifiableSortedMap(bySeverity),
        Collections.unmodifiableSortedMap(byDisposition),
        Collections.unmodifiableSortedMap(byRule),
        suppressed,
        left,
        model.tree(),
        Collections.unmodifiableSortedMap(bySize));
  }
}
