package dev.rocport.passes;

import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A text that a rule edits: an example of it.
 *
 * @param file its name, which says what it is
 */
record Snippet(String rule, String file, String text) {
  private static final Map<Language, List<Snippet>> ALL = new ConcurrentHashMap<>();

  /** The examples of a language, in order of the catalog. */
  static List<Snippet> of(Language language) {
    return ALL.computeIfAbsent(language, Snippet::read);
  }

  private static List<Snippet> read(Language language) {
    List<Snippet> all = new ArrayList<>();
    for (Rule rule : RuleCatalog.builtIn().rules()) {
      for (Rule.Example e : rule.examples()) {
        if (!e.before().equals(e.after()) && language.has(e.file())) {
          all.add(new Snippet(rule.id(), e.file(), e.before()));
        }
      }
    }
    return all;
  }
}
