package dev.rocport.singlesource;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a CMake condition with some variables false: parentheses, tests, {@code NOT}, then
 * {@code AND} and {@code OR} from left to right, as {@code if()} documents it.
 */
final class CMakeCondition {
  private static final Set<String> UNARY =
      Set.of(
          "EXISTS",
          "COMMAND",
          "POLICY",
          "TARGET",
          "TEST",
          "DEFINED",
          "IS_DIRECTORY",
          "IS_SYMLINK",
          "IS_ABSOLUTE",
          "IS_READABLE",
          "IS_WRITABLE",
          "IS_EXECUTABLE");
  private static final Set<String> BINARY =
      Set.of(
          "EQUAL",
          "LESS",
          "LESS_EQUAL",
          "GREATER",
          "GREATER_EQUAL",
          "STREQUAL",
          "STRLESS",
          "STRLESS_EQUAL",
          "STRGREATER",
          "STRGREATER_EQUAL",
          "VERSION_EQUAL",
          "VERSION_LESS",
          "VERSION_LESS_EQUAL",
          "VERSION_GREATER",
          "VERSION_GREATER_EQUAL",
          "PATH_EQUAL",
          "IN_LIST",
          "IS_NEWER_THAN",
          "MATCHES");

  private final List<Argument> words;
  private final Set<String> off;
  private int at;
  private boolean understood = true;

  private CMakeCondition(List<Argument> words, Set<String> off) {
    this.words = words;
    this.off = off;
  }

  /** Returns true, false, or null if it depends on other variables. */
  static @Nullable Boolean evaluate(List<Argument> words, Set<String> off) {
    CMakeCondition c = new CMakeCondition(words, off);
    Boolean truth = c.chain();
    return (c.understood && c.at == words.size()) ? truth : null;
  }

  private boolean next(String keyword) {
    if (at < words.size() && words.get(at).is(keyword)) {
      at++;
      return true;
    }
    return false;
  }

  private @Nullable Boolean chain() {
    Boolean left = negated();
    while (at < words.size()) {
      if (next("AND")) {
        left = both(left, negated());
      } else if (next("OR")) {
        left = either(left, negated());
      } else {
        return left;
      }
    }
    return left;
  }

  private static @Nullable Boolean both(@Nullable Boolean a, @Nullable Boolean b) {
    if ((a != null && !a) || (b != null && !b)) {
      return false;
    }
    return (a == null || b == null) ? null : Boolean.TRUE;
  }

  private static @Nullable Boolean either(@Nullable Boolean a, @Nullable Boolean b) {
    if ((a != null && a) || (b != null && b)) {
      return true;
    }
    return (a == null || b == null) ? null : Boolean.FALSE;
  }

  private @Nullable Boolean negated() {
    if (next("NOT")) {
      Boolean truth = negated();
      return truth == null ? null : Boolean.valueOf(!truth);
    }
    return primary();
  }

  private @Nullable Boolean primary() {
    if (at >= words.size()) {
      understood = false;
      return null;
    }
    if (next("(")) {
      Boolean inside = chain();
      understood &= next(")");
      return inside;
    }
    Argument word = words.get(at++);
    if (!word.quoted() && UNARY.contains(word.text())) {
      understood &= at++ < words.size();
      return null;
    }
    if (at < words.size() && !words.get(at).quoted() && BINARY.contains(words.get(at).text())) {
      at += 2;
      understood &= at <= words.size();
      return null;
    }
    if (word.is(")") || word.is("AND") || word.is("OR")) {
      understood = false;
      return null;
    }
    boolean isOff =
        word.quoted()
            ? off.stream().anyMatch(v -> word.text().equals("${" + v + "}"))
            : off.contains(word.text());
    return isOff ? Boolean.FALSE : null;
  }
}
