package dev.rocport.build.compile;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the compiler says about one place.
 *
 * @param level how much it matters
 * @param path as the compiler spells it; empty where it names none
 * @param line 1-based; 0 where it names none
 * @param column 1-based, in bytes; 0 where it names none
 * @param message one line
 * @param related notes, in order, and the includes that lead there, innermost first
 * @param sides the targets, or {@code host}, that it was said for
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
