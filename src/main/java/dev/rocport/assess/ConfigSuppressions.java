package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Suppressed;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Applies the suppressions of the configuration, and reports on them. */
final class ConfigSuppressions {
  private final List<Suppression> entries;
  private final RuleCatalog catalog;
  private final RuleFilter filter;
  private final Set<Suppression> used = new LinkedHashSet<>();

  ConfigSuppressions(List<Suppression> entries, RuleCatalog catalog, RuleFilter filter) {
    this.entries = entries;
    this.catalog = catalog;
    this.filter = filter;
  }

  /** Returns the files with suppressed findings separated, and findings about the configuration. */
  List<FileResult> apply(List<FileResult> files) {
    if (entries.isEmpty()) {
      return files;
    }
    List<FileResult> results = new ArrayList<>();
    files.forEach(f -> results.add(apply(f)));
    SortedMap<String, List<Finding>> own = findings();
    own.forEach((path, findings) -> attach(results, path, findings));
    return results;
  }

  private FileResult apply(FileResult file) {
    List<Finding> kept = new ArrayList<>();
    List<Suppressed> suppressed = new ArrayList<>(file.suppressed());
    for (Finding f : file.findings()) {
      List<Suppression> by = entries.stream().filter(s -> s.covers(f)).toList();
      used.addAll(by);
      if (by.isEmpty()) {
        kept.add(f);
      } else {
        suppressed.add(new Suppressed(f, by.getFirst().reason(), by.getFirst().where()));
      }
    }
    return kept.size() == file.findings().size() ? file : file.with(kept, suppressed);
  }

  private SortedMap<String, List<Finding>> findings() {
    SortedMap<String, List<Finding>> found = new TreeMap<>();
    for (Suppression s : entries) {
      List<Finding> here = found.computeIfAbsent(s.file(), k -> new ArrayList<>());
      if (s.reason().isBlank()) {
        add(here, InlineSuppressions.NO_REASON, s, "gives no reason");
      }
      boolean couldFind = s.rule().contains("*") || filter.allows(s.rule());
      if (!used.contains(s) && couldFind) {
        add(here, InlineSuppressions.UNUSED, s, "suppresses nothing");
      }
    }
    return found;
  }

  private void add(List<Finding> list, String rule, Suppression s, String message) {
    if (!filter.allows(rule)) {
      return;
    }
    Rule r = catalog.require(rule);
    String entry = s.rule() + " in " + s.glob();
    list.add(
        new Finding(
            rule,
            r.severity(),
            Disposition.REVIEW,
            s.file(),
            0,
            0,
            0,
            0,
            "suppress entry %d (%s) %s".formatted(s.entry(), entry, message),
            r.advice(),
            entry,
            Changes.fingerprint(rule, s.file(), entry, 1)));
  }

  private static void attach(List<FileResult> results, String path, List<Finding> findings) {
    if (findings.isEmpty()) {
      return;
    }
    for (int i = 0; i < results.size(); i++) {
      FileResult r = results.get(i);
      if (r.path().equals(path)) {
        results.set(i, r.with(findings, r.suppressed()));
        return;
      }
    }
    results.add(
        new FileResult(
            path, Status.UNCHANGED, "other", 0, 0, Collections.emptySortedMap(), findings, ""));
    results.sort(Comparator.comparing(FileResult::path));
  }
}
