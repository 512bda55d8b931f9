package dev.rocport;

import dev.rocport.core.result.Severity;
import dev.rocport.rules.Confidence;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The rules that can report a finding, by what the catalog says about them. Each finding of a
 * marked file is checked to be of one of these rules.
 */
final class ReportingRules {
  /** Analyses that explain each of their edits in a note. */
  private static final Set<String> EXPLAINED = Set.of("scale-types", "texture-references", "warp");

  private ReportingRules() {}

  /** Returns the ids of these rules. */
  static SortedSet<String> of(RuleCatalog catalog) {
    Set<String> remarks = withRemarks(catalog);
    SortedSet<String> ids = new TreeSet<>();
    for (Rule r : catalog.rules()) {
      if (r.severity() != Severity.NOTE
          || r.confidence() != Confidence.CERTAIN
          || !r.advice().isEmpty()
          || EXPLAINED.contains(r.analysis())
          || remarks.contains(r.id())) {
        ids.add(r.id());
      }
    }
    return ids;
  }

  /** The rules of tables with remarks: names that HIP lacks, or has with a difference. */
  private static Set<String> withRemarks(RuleCatalog catalog) {
    Set<String> ids = new TreeSet<>();
    catalog.names().stream()
        .filter(n -> !n.isSupported() || !n.needs().isEmpty() || !n.advice().isEmpty())
        .forEach(n -> ids.add(n.family()));
    catalog.shmem().rows().stream()
        .filter(r -> r.target().isEmpty() || !r.note().isEmpty())
        .forEach(r -> ids.add(r.rule()));
    catalog.ptx().stream()
        .filter(r -> !r.hip().isEmpty() && !r.note().isEmpty())
        .forEach(r -> ids.add(r.rule()));
    return ids;
  }
}
