package dev.rocport.cli.port;

import dev.rocport.cli.support.Version;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.port.Step;
import dev.rocport.render.text.TextReport;
import dev.rocport.rules.RuleCatalog;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The messages of the commits of a port: rules, numbers of edits, and open findings. */
final class StepMessages {
  private final RuleCatalog catalog;
  private final String commit;
  private final Map<Step, SortedMap<String, Integer>> edits = new EnumMap<>(Step.class);

  /** By severity and rule. */
  private final Map<Step, SortedMap<String, Integer>> findings = new EnumMap<>(Step.class);

  /**
   * @param commit that is ported, for people
   */
  StepMessages(RuleCatalog catalog, Result result, String commit) {
    this.catalog = catalog;
    this.commit = commit;
    for (FileReport report : result.files()) {
      FileResult file = report.result();
      file.edits().forEach((rule, n) -> add(edits, file, rule, rule, n));
      for (Finding f : file.findings()) {
        if (f.severity() != Severity.NOTE) {
          add(findings, file, f.rule(), f.severity().label() + " " + f.rule(), 1);
        }
      }
    }
  }

  private void add(
      Map<Step, SortedMap<String, Integer>> sums, FileResult file, String rule, String key, int n) {
    Step step = Step.of(file.language(), catalog.require(rule));
    sums.computeIfAbsent(step, s -> new TreeMap<>()).merge(key, n, Integer::sum);
  }

  /** Returns the message of a step. */
  String of(Step step) {
    StringBuilder text = new StringBuilder(step.title()).append("\n\n");
    text.append("Made by rocport ").append(Version.current()).append(" from ");
    text.append(commit).append(".\n");
    list(text, "Edits", edits.getOrDefault(step, new TreeMap<>()));
    list(text, "Open findings", findings.getOrDefault(step, new TreeMap<>()));
    return text.toString();
  }

  /** Returns the message of a merge with an older port. */
  String merge() {
    int open = 0;
    for (SortedMap<String, Integer> of : findings.values()) {
      open += of.values().stream().mapToInt(Integer::intValue).sum();
    }
    return "Merge the port of %s\n\nMade by rocport %s. Errors and warnings that are open: %d.\n"
        .formatted(commit, Version.current(), open);
  }

  private void list(StringBuilder text, String title, SortedMap<String, Integer> counts) {
    if (counts.isEmpty()) {
      return;
    }
    text.append('\n').append(title).append(":\n");
    counts.forEach(
        (key, n) -> {
          String rule = key.substring(key.indexOf(' ') + 1);
          String what = key.equals(rule) ? "edit" : key.substring(0, key.indexOf(' '));
          text.append(
              "  %s: %s; %s%n"
                  .formatted(rule, TextReport.count(n, what), catalog.require(rule).title()));
        });
  }
}
