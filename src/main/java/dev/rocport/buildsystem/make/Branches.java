package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.make.MakeFile.Kind;
import dev.rocport.buildsystem.make.MakeFile.Part;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The branches of a makefile that make does not read if the user sets no variable. A condition that
 * depends on a function, on the environment or on another file is not decided.
 */
final class Branches {
  private static final Pattern CONDITION =
      Pattern.compile("\\s*(?:else\\s+)?(ifeq|ifneq|ifdef|ifndef)\\b\\s*(.*)", Pattern.DOTALL);
  private static final Pattern ELSE = Pattern.compile("\\s*else\\b.*", Pattern.DOTALL);
  private static final Pattern END = Pattern.compile("\\s*endif\\b.*", Pattern.DOTALL);
  private static final Pattern FINDS =
      Pattern.compile("\\$\\((findstring|filter)\\s+([\\w.+-]+)\\s*,([^$(),]*)\\)");
  private static final Pattern QUOTES =
      Pattern.compile("(?:\"([^\"]*)\"|'([^']*)')\\s*(?:\"([^\"]*)\"|'([^']*)')\\s*");
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\((\\w+)\\)|\\{(\\w+)\\})");

  /** Variables that make has, or that users often have in their environment. */
  private static final Pattern GIVEN =
      Pattern.compile(
          ".*(?:PATH|HOME|ROOT|DIR|HOST|USER|SHELL|MAKE|GOALS|PREFIX|BASE).*|OS|CC|CXX|FC|AR|LD|CPP"
              + "|ARCH|OSTYPE|HOSTTYPE|MACHTYPE|PWD|LANG");

  /** So often values are put in for variables. */
  private static final int DEPTH = 5;

  /** A condition that is open: whether its branch is read, and whether one before it was. */
  private record Open(Part start, Optional<Boolean> now, Optional<Boolean> taken) {}

  private final String text;
  private final Predicate<String> elsewhere;
  private final Map<String, Optional<String>> values = new HashMap<>();
  private final Map<Part, Part> dead = new HashMap<>();

  private Branches(String text, Predicate<String> elsewhere) {
    this.text = text;
    this.elsewhere = elsewhere;
  }

  /**
   * Reads a makefile.
   *
   * @param elsewhere whether another file may set a variable
   */
  static Branches of(MakeFile file, Predicate<String> elsewhere) {
    Branches branches = new Branches(file.text(), elsewhere);
    Deque<Open> open = new ArrayDeque<>();
    for (Part p : file.parts()) {
      if (p.kind() == Kind.DIRECTIVE) {
        branches.directive(p, open);
      }
      open.stream()
          .filter(o -> o.now().equals(Optional.of(false)))
          .findFirst()
          .ifPresent(o -> branches.dead.put(p, o.start()));
      if (p.kind() == Kind.ASSIGNMENT && !branches.dead.containsKey(p)) {
        branches.assign(p, open.stream().allMatch(o -> o.now().isPresent()));
      }
    }
    return branches;
  }

  /** Returns the condition that keeps make from reading a line; empty if it may read it. */
  Optional<Part> closed(Part part) {
    return Optional.ofNullable(dead.get(part));
  }

  private void directive(Part p, Deque<Open> open) {
    String line = text.substring(p.start(), p.end());
    Matcher condition = CONDITION.matcher(line);
    boolean other = ELSE.matcher(line).matches();
    if (END.matcher(line).matches()) {
      open.poll();
    } else if (other && !open.isEmpty()) {
      Open last = open.pop();
      Optional<Boolean> holds =
          condition.matches() ? holds(condition.group(1), condition.group(2)) : Optional.of(true);
      open.push(next(p, last.taken(), holds));
    } else if (condition.matches() && !other) {
      open.push(next(p, Optional.of(false), holds(condition.group(1), condition.group(2))));
    }
  }

  private static Open next(Part start, Optional<Boolean> before, Optional<Boolean> holds) {
    if (before.equals(Optional.of(true))) {
      return new Open(start, Optional.of(false), before);
    }
    if (holds.equals(Optional.of(false))) {
      return new Open(start, holds, before);
    }
    boolean known = before.isPresent() && holds.isPresent();
    Optional<Boolean> now = known ? holds : Optional.empty();
    return new Open(start, now, now);
  }

  private void assign(Part p, boolean sure) {
    boolean ofTarget = text.substring(p.start(), p.value()).matches("(?s)[^=]*:[^=:].*");
    String value = text.substring(p.value(), p.valueEnd()).strip();
    Optional<String> before = value(p.name());
    Optional<String> now =
        switch (p.operator()) {
          case "?=" -> before.isEmpty() || !before.get().isEmpty() ? before : Optional.of(value);
          case "+=" -> before.map(b -> (b + " " + value).strip());
          case "!=" -> Optional.empty();
          default -> Optional.of(value);
        };
    values.put(p.name(), sure && !ofTarget ? now : Optional.empty());
  }

  private Optional<String> value(String name) {
    Optional<String> known = values.get(name);
    if (known != null) {
      return known;
    }
    boolean given = GIVEN.matcher(name).matches() || elsewhere.test(name);
    return given ? Optional.empty() : Optional.of("");
  }

  private Optional<Boolean> holds(String word, String rest) {
    String condition = rest.replaceFirst("\\s#.*", "").strip();
    if (word.equals("ifdef") || word.equals("ifndef")) {
      return value(condition).map(v -> v.isEmpty() != word.equals("ifdef"));
    }
    List<String> sides = sides(condition);
    return sides.isEmpty()
        ? Optional.empty()
        : expand(sides.getFirst())
            .flatMap(a -> expand(sides.getLast()).map(b -> a.equals(b) == word.equals("ifeq")));
  }

  /** Returns the two values that a condition compares; empty if it has another form. */
  private static List<String> sides(String condition) {
    int comma = condition.startsWith("(") && condition.endsWith(")") ? comma(condition) : -1;
    if (comma > 0) {
      String second = condition.substring(comma + 1, condition.length() - 1);
      return List.of(condition.substring(1, comma), second);
    }
    Matcher m = QUOTES.matcher(condition);
    return m.matches()
        ? List.of(
            m.group(1) != null ? m.group(1) : m.group(2),
            m.group(3) != null ? m.group(3) : m.group(4))
        : List.of();
  }

  /** Returns the offset of the comma between two values in brackets; -1 if there is none. */
  private static int comma(String condition) {
    int depth = 0;
    for (int i = 0; i < condition.length(); i++) {
      char c = condition.charAt(i);
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
      if (c == ',' && depth == 1) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the text that make puts in; empty if it is not known. */
  private Optional<String> expand(String words) {
    String now = words.strip();
    for (int i = 0; i < DEPTH; i++) {
      Optional<String> next = found(values(now));
      if (next.isEmpty() || next.get().equals(now)) {
        return next.filter(n -> !n.contains("$"));
      }
      now = next.get();
    }
    return Optional.empty();
  }

  /** Returns a text with the values of variables. */
  private Optional<String> values(String words) {
    Matcher m = VARIABLE.matcher(words);
    StringBuilder all = new StringBuilder();
    while (m.find()) {
      Optional<String> value = value(m.group(1) != null ? m.group(1) : m.group(2));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      m.appendReplacement(all, Matcher.quoteReplacement(value.get()));
    }
    return Optional.of(m.appendTail(all).toString().strip());
  }

  /** Returns a text with the results of functions that look for a word. */
  private static Optional<String> found(Optional<String> words) {
    return words.map(
        w ->
            FINDS
                .matcher(w)
                .replaceAll(
                    m -> {
                      boolean part = m.group(1).equals("findstring");
                      boolean is =
                          part
                              ? m.group(3).contains(m.group(2).strip())
                              : List.of(m.group(3).strip().split("\\s+"))
                                  .contains(m.group(2).strip());
                      return is ? Matcher.quoteReplacement(m.group(2).strip()) : "";
                    }));
  }
}
