package dev.rocport.build.compile;

import dev.rocport.build.compile.Diagnostic.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses messages of clang and lld, printed with {@code -fno-caret-diagnostics} and {@code
 * -fno-color-diagnostics}.
 */
public final class DiagnosticParser {
  private static final Pattern PLACED =
      Pattern.compile("^(.+?):(\\d+)(?::(\\d+))?: (fatal error|error|warning|note|remark): (.*)$");
  private static final Pattern INCLUDED =
      Pattern.compile("^(?:In file included|\\s+) from (.+?):(\\d+)(?::\\d+)?[:,]$");
  private static final Pattern UNPLACED =
      Pattern.compile("^(?:\\S*?(?:clang|lld|ld)\\S*: )?(fatal error|error|warning): (.*)$");
  private static final Pattern DRIVER_ECHO =
      Pattern.compile(".*command failed with exit code \\d+ \\(use -v to see invocation\\)");

  /** Message of a location that includes another one. */
  public static final String INCLUDED_HERE = "included here";

  private DiagnosticParser() {}

  /**
   * Returns the diagnostics in the output of a compiler or linker.
   *
   * @param side the compiled target, or {@code host}; empty if unknown
   */
  public static List<Diagnostic> parse(String text, String side) {
    SortedSet<String> sides = new TreeSet<>();
    if (!side.isEmpty()) {
      sides.add(side);
    }
    List<Diagnostic> found = new ArrayList<>();
    List<Diagnostic> chain = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher m = INCLUDED.matcher(line);
      if (m.matches()) {
        chain.addFirst(place(Level.NOTE, m.group(1), number(m.group(2)), 0, INCLUDED_HERE, sides));
        continue;
      }
      m = PLACED.matcher(line);
      if (m.matches() && !m.group(1).contains(": ")) {
        Level level = level(m.group(4));
        // Names such as <inline asm> and <unknown> are not files.
        boolean file = !m.group(1).startsWith("<");
        Diagnostic d =
            file
                ? place(
                    level, m.group(1), number(m.group(2)), number(m.group(3)), m.group(5), sides)
                : place(level, "", 0, 0, m.group(5), sides);
        add(found, level == Level.NOTE ? d : with(d, chain));
        chain.clear();
        continue;
      }
      m = UNPLACED.matcher(line);
      if (m.matches() && !DRIVER_ECHO.matcher(line).matches()) {
        add(found, place(level(m.group(1)), "", 0, 0, m.group(2), sides));
      } else if (line.startsWith(">>> ") && !found.isEmpty()) {
        add(found, place(Level.NOTE, "", 0, 0, line.substring(4), sides));
      }
    }
    return merge(List.of(), found);
  }

  /** Returns whether each diagnostic of a list is also in another one, whatever its sides. */
  static boolean containsAll(List<Diagnostic> all, List<Diagnostic> some) {
    return some.stream().allMatch(d -> all.stream().anyMatch(d::isSameAs));
  }

  /** Merges two lists without duplicates, in order of first occurrence. */
  static List<Diagnostic> merge(List<Diagnostic> first, List<Diagnostic> second) {
    List<Diagnostic> all = new ArrayList<>(first);
    for (Diagnostic d : second) {
      int same = 0;
      while (same < all.size() && !all.get(same).isSameAs(d)) {
        same++;
      }
      if (same < all.size()) {
        all.set(same, all.get(same).alsoOn(d.sides()));
      } else {
        all.add(d);
      }
    }
    return all;
  }

  private static void add(List<Diagnostic> found, Diagnostic d) {
    if (d.level() != Level.NOTE) {
      found.add(d);
    } else if (!found.isEmpty()) {
      Diagnostic last = found.removeLast();
      found.add(with(last, List.of(d)));
    }
  }

  private static Diagnostic with(Diagnostic d, List<Diagnostic> more) {
    List<Diagnostic> related = new ArrayList<>(d.related());
    related.addAll(more);
    return new Diagnostic(
        d.level(), d.path(), d.line(), d.column(), d.message(), related, d.sides());
  }

  private static Diagnostic place(
      Level level, String path, int line, int column, String message, SortedSet<String> sides) {
    return new Diagnostic(level, path, line, column, message, List.of(), sides);
  }

  private static int number(@Nullable String digits) {
    return digits == null || digits.length() > 9 ? 0 : Integer.parseInt(digits);
  }

  private static Level level(String word) {
    return switch (word) {
      case "error", "fatal error" -> Level.ERROR;
      case "warning" -> Level.WARNING;
      default -> Level.NOTE;
    };
  }
}
