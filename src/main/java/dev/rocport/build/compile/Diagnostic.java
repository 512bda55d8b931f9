package dev.rocport.build.compile;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A diagnostic of the compiler for one location.
 *
 * @param level severity
 * @param path path as the compiler prints it; empty if there is none
 * @param line 1-based line; 0 if there is none
 * @param column 1-based column in bytes; 0 if there is none
 * @param message text, one line
 * @param related notes, in order, and includes that lead to the location, innermost first
 * @param sides targets, or {@code host}, for which it was reported
 */
public record Diagnostic(
    Level level,
    String path,
    int line,
    int column,
    String message,
    List<Diagnostic> related,
    SortedSet<String> sides) {

  public enum Level {
    NOTE,
    WARNING,
    ERROR
  }

  public Diagnostic {
    related = List.copyOf(related);
  }

  public boolean isError() {
    return level == Level.ERROR;
  }

  boolean isSameAs(Diagnostic other) {
    return level == other.level
        && line == other.line
        && column == other.column
        && path.equals(other.path)
        && message.equals(other.message);
  }

  Diagnostic alsoOn(SortedSet<String> more) {
    SortedSet<String> all = new TreeSet<>(sides);
    all.addAll(more);
    return new Diagnostic(level, path, line, column, message, related, all);
  }
}
