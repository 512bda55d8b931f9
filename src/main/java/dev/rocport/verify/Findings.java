package dev.rocport.verify;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.io.Sha256;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects findings by the file that they are about. */
final class Findings {
  private final RuleCatalog catalog;
  private final SortedMap<String, List<Finding>> byPath = new TreeMap<>();
  private final Map<String, Integer> occurrences = new HashMap<>();

  Findings(RuleCatalog catalog) {
    this.catalog = catalog;
  }

  /** The warnings and errors of a port or a build; the command of that name has the notes. */
  void addAll(String folder, List<Finding> findings) {
    for (Finding f : findings) {
      if (f.severity() != Severity.NOTE) {
        add(
            new Finding(
                f.rule(),
                f.severity(),
                f.disposition(),
                folder + "/" + f.path(),
                f.line(),
                f.column(),
                f.endLine(),
                f.endColumn(),
                f.message(),
                f.advice(),
                f.snippet(),
                f.fingerprint()));
      }
    }
  }

  /** What went wrong with a program. */
  void add(String path, String where, Problem problem) {
    Rule rule = catalog.require(problem.rule());
    String key = problem.rule() + "\0" + path + "\0" + where;
    int occurrence = occurrences.merge(key, 1, Integer::sum);
    add(
        new Finding(
            rule.id(),
            rule.severity(),
            rule.severity() == Severity.ERROR ? Disposition.UNPORTED : Disposition.REVIEW,
            path,
            0,
            0,
            0,
            0,
            where.isEmpty() ? problem.message() : where + ": " + problem.message(),
            rule.advice(),
            "",
            Sha256.fingerprint(key + "\0" + occurrence)));
  }

  void add(Finding finding) {
    byPath.computeIfAbsent(finding.path(), p -> new ArrayList<>()).add(finding);
  }

  /** A result for each file that a finding is about, in order of the path. */
  List<FileResult> files() {
    List<FileResult> files = new ArrayList<>();
    byPath.forEach(
        (path, findings) ->
            files.add(
                new FileResult(
                    path,
                    FileResult.Status.UNCHANGED,
                    "other",
                    0,
                    0,
                    Collections.emptySortedMap(),
                    findings,
                    "")));
    return files;
  }
}
