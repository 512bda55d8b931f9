package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.util.List;
import java.util.TreeMap;

/** Findings about made-up sources: one for each place of a word. */
final class Findings {
  static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  private Findings() {}

  /** Changes with an unported finding of the rule wherever the word stands. */
  static Changes of(String text, String rule, String word) {
    return of(text, rule, word, RuleFilter.ALL);
  }

  static Changes of(String text, String rule, String word, RuleFilter filter) {
    SourceFile file = SourceFile.of("a.cu", text);
    Changes changes = new Changes(file, CATALOG, filter);
    for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      changes.finding(rule, Disposition.UNPORTED, at, at + word.length(), word + " is here");
    }
    return changes;
  }

  static FileResult file(String path, List<Finding> findings) {
    return new FileResult(path, Status.PORTED, "cuda", 10, 1, new TreeMap<>(), findings, "");
  }
}
