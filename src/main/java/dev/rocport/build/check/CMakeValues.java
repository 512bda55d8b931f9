package dev.rocport.build.check;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of CMake variables as far as CMake files state them: those of a variable that all
 * commands which can run give the same text. Evaluates conditions with these values; the result is
 * null if it depends on anything else.
 */
final class CMakeValues {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)\\}");
  private static final Pattern TRUE = Pattern.compile("(?i)1|ON|YES|TRUE|Y|[1-9]\\d*");
  private static final Pattern FALSE =
      Pattern.compile("(?i)0|OFF|NO|FALSE|N|IGNORE|NOTFOUND||.*-NOTFOUND");

  /** Commands that set no variables. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "add_.*|target_.*|set_.*|link_.*|include.*|enable_.*|cmake_minimum_required|cmake_policy"
              + "|project|message|install|export|find_package|return|end.*|else|mark_as_advanced");

  private static final Set<String> COMPARISONS =
      Set.of("STREQUAL", "EQUAL", "MATCHES", "IN_LIST", "LESS", "GREATER", "IS_NEWER_THAN");

  private final Map<String, String> fixed;
  private final Map<String, Set<String>> assigned = new HashMap<>();

  /** Variables with values that are not known. */
  private final Set<String> open = new HashSet<>();

  /**
   * @param fixed variables that the files cannot change, such as those of the command line
   */
  CMakeValues(Map<String, String> fixed) {
    this.fixed = Map.copyOf(fixed);
  }

  /** Notes the variable that a command sets, if any, with the values that are known so far. */
  void note(CMakeCommand c, CMakeValues known) {
    List<String> words = c.arguments().stream().map(Argument::text).toList();
    if (words.isEmpty()) {
      return;
    }
    switch (c.name()) {
      case "option", "cmake_dependent_option" ->
          add(words.getFirst(), words.size() > 2 ? known.expand(words.get(2)) : Optional.of("OFF"));
      case "set" -> {
        List<String> values = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
          if (word.equals("CACHE") || word.equals("PARENT_SCOPE")) {
            break;
          }
          values.add(word);
        }
        add(words.getFirst(), known.expand(String.join(";", values)));
      }
      case "if", "elseif", "while" -> {}
      default -> {
        // Any other command may set the variables that its arguments name.
        if (!HARMLESS.matcher(c.name()).matches()) {
          words.forEach(w -> add(w, Optional.empty()));
        }
      }
    }
  }

  private void add(String variable, Optional<String> value) {
    value.ifPresentOrElse(
        v -> assigned.computeIfAbsent(variable, k -> new HashSet<>()).add(v),
        () -> open.add(variable));
  }

  /** Returns the value of a variable if it is known. */
  Optional<String> value(String variable) {
    if (fixed.containsKey(variable)) {
      return Optional.ofNullable(fixed.get(variable));
    }
    Set<String> all = assigned.getOrDefault(variable, Set.of());
    return all.size() == 1 && !open.contains(variable)
        ? all.stream().findFirst()
        : Optional.empty();
  }

  /** Returns a text with the values of its variables; empty if one is not known. */
  Optional<String> expand(String text) {
    Matcher m = VARIABLE.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (m.find()) {
      Optional<String> value = value(m.group(1));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      m.appendReplacement(expanded, Matcher.quoteReplacement(value.get()));
    }
    m.appendTail(expanded);
    return expanded.indexOf("${") >= 0
            || expanded.indexOf("$ENV{") >= 0
            || expanded.indexOf("$<") >= 0
        ? Optional.empty()
        : Optional.of(expanded.toString());
  }

  /** Returns the value of a condition; empty if it is not known. */
  Optional<Boolean> test(List<Argument> condition) {
    return new Reader(condition).or();
  }

  /** Reads a condition from left to right. */
  private final class Reader {
    private final List<Argument> words;
    private int at;

    Reader(List<Argument> words) {
      this.words = words;
    }

    Optional<Boolean> or() {
      Optional<Boolean> left = and();
      while (is("OR")) {
        at++;
        Optional<Boolean> right = and();
        left = decided(left, right, true);
      }
      return left;
    }

    private Optional<Boolean> and() {
      Optional<Boolean> left = not();
      while (is("AND")) {
        at++;
        Optional<Boolean> right = not();
        left = decided(left, right, false);
      }
      return left;
    }

    /** Joins two values of which one decides if it is {@code strong}. */
    private static Optional<Boolean> decided(
        Optional<Boolean> left, Optional<Boolean> right, boolean strong) {
      if (left.equals(Optional.of(strong)) || right.equals(Optional.of(strong))) {
        return Optional.of(strong);
      }
      return left.isPresent() && right.isPresent() ? Optional.of(!strong) : Optional.empty();
    }

    private Optional<Boolean> not() {
      if (is("NOT")) {
        at++;
        return not().map(v -> !v);
      }
      return primary();
    }

    private Optional<Boolean> primary() {
      if (at >= words.size()) {
        return Optional.empty();
      }
      if (is("(")) {
        at++;
        Optional<Boolean> inner = or();
        at++;
        return inner;
      }
      Argument first = words.get(at++);
      if (at < words.size() && isComparison(words.get(at))) {
        String operator = words.get(at++).text();
        Optional<String> right = at < words.size() ? text(words.get(at++)) : Optional.empty();
        return operator.equals("STREQUAL")
            ? text(first).flatMap(l -> right.map(l::equals))
            : Optional.empty();
      }
      boolean unary = at < words.size() && !is("AND") && !is("OR") && !is(")");
      if (unary) {
        at++; // DEFINED, TARGET, EXISTS and other tests of one word
        return Optional.empty();
      }
      return truth(first);
    }

    private static boolean isComparison(Argument a) {
      return !a.quoted()
          && (COMPARISONS.contains(a.text())
              || a.text().startsWith("VERSION_")
              || a.text().startsWith("STR")
              || a.text().endsWith("_EQUAL"));
    }

    private boolean is(String word) {
      return at < words.size() && words.get(at).is(word);
    }

    /** Returns what a word in a comparison means: the value of a variable, or itself. */
    private Optional<String> text(Argument a) {
      return expand(a.text()).flatMap(t -> a.quoted() ? Optional.of(t) : ofName(t));
    }

    private Optional<String> ofName(String word) {
      boolean variable =
          fixed.containsKey(word) || assigned.containsKey(word) || open.contains(word);
      return variable ? value(word) : Optional.of(word);
    }

    private Optional<Boolean> truth(Argument a) {
      Optional<String> word = expand(a.text());
      if (word.isEmpty()) {
        return Optional.empty();
      }
      String text = word.get().toUpperCase(Locale.ROOT);
      if (TRUE.matcher(text).matches() || FALSE.matcher(text).matches()) {
        return Optional.of(TRUE.matcher(text).matches());
      }
      return value(word.get()).map(v -> !FALSE.matcher(v).matches());
    }
  }
}
