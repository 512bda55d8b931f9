package dev.rocport.build.plan;

import dev.rocport.build.plan.ScannedFile.Include;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The headers that {@code #include MACRO} can name: all values that the files of a tree define for
 * the macro, also {@code <folder/NAME.h>} with other macros in it. Conditions around the
 * definitions are not evaluated, so some of the headers may belong to another configuration.
 */
final class ComputedIncludes {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");

  /** More values of one macro are not followed. */
  private static final int MOST = 64;

  private final Map<String, SortedSet<String>> values = new HashMap<>();
  private final Map<String, List<Include>> known = new HashMap<>();

  ComputedIncludes(Collection<ScannedFile> files) {
    if (files.stream().anyMatch(f -> !f.computed().isEmpty())) {
      for (ScannedFile file : files) {
        file.values().forEach((n, v) -> values.computeIfAbsent(n, k -> new TreeSet<>()).addAll(v));
      }
    }
  }

  /** Returns the macro that an include directive names; empty if it names a header. */
  static Optional<String> macro(Tokens t, Directive d) {
    int body = d.body();
    boolean isMacro = d.isInclude() && body + 1 == d.last() && t.isIdentifier(body);
    return isMacro ? Optional.of(t.text(body)) : Optional.empty();
  }

  /**
   * Returns the values of the macros in a file that an include can use: a string, {@code <...>}, or
   * one word.
   */
  static Map<String, Set<String>> values(Tokens t) {
    Map<String, Set<String>> values = new HashMap<>();
    for (Directive d : t.directives()) {
      int name = d.body();
      int first = name + 1;
      int last = d.last() - 1;
      if (!d.name().equals("define") || last < first || !t.isIdentifier(name)) {
        continue;
      }
      boolean word =
          first == last
              && (t.isIdentifier(first)
                  || t.kind(first) == Tokens.NUMBER
                  || t.kind(first) == Tokens.STRING);
      if (word || (t.is(first, '<') && t.is(last, '>'))) {
        values.computeIfAbsent(t.text(name), k -> new LinkedHashSet<>()).add(t.text(first, last));
      }
    }
    return values;
  }

  /** Returns the headers that a macro can name. */
  List<Include> of(String macro) {
    return known.computeIfAbsent(macro, this::resolve);
  }

  private List<Include> resolve(String macro) {
    Set<String> texts = new LinkedHashSet<>();
    Set<String> seen = new LinkedHashSet<>(Set.of(macro));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String value : values.getOrDefault(open.remove(), new TreeSet<>())) {
        if (value.startsWith("<")) {
          texts.addAll(expanded(value));
        } else if (value.startsWith("\"")) {
          texts.add(value);
        } else if (seen.size() < MOST && seen.add(value)) {
          open.add(value);
        }
      }
    }
    List<Include> found = new ArrayList<>();
    for (String text : texts) {
      if (text.length() > 2) {
        String name = text.substring(1, text.length() - 1).strip();
        found.add(new Include(name, text.startsWith("\"")));
      }
    }
    return found;
  }

  /** Returns a name in brackets with each value of the macros in it; those stay, too. */
  private Set<String> expanded(String path) {
    Set<String> all = new LinkedHashSet<>(Set.of(path));
    Set<String> names =
        NAME.matcher(path).results().map(r -> r.group()).collect(Collectors.toSet());
    for (String name : new TreeSet<>(names)) {
      Set<String> more = new LinkedHashSet<>(all);
      for (String value : words(name)) {
        for (String text : all) {
          String next =
              Pattern.compile("\\b" + name + "\\b")
                  .matcher(text)
                  .replaceAll(Matcher.quoteReplacement(value));
          if (more.size() < MOST) {
            more.add(next);
          }
        }
      }
      all = more;
    }
    return all;
  }

  private Set<String> words(String macro) {
    return values.getOrDefault(macro, new TreeSet<>()).stream()
        .filter(v -> !v.startsWith("<") && !v.startsWith("\""))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
