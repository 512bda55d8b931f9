package dev.rocport.core.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Patterns for paths, with the meaning that they have in {@code .gitignore}: {@code *} stands for
 * anything but a slash, {@code **} for anything, {@code ?} for one character, {@code [a-z]} for one
 * of a set, {@code {a,b}} for either; a pattern without a slash matches at every depth, one with a
 * slash is anchored at the root; a folder that matches includes everything in it.
 */
public final class Globs {
  public static final Globs NONE = new Globs(List.of());

  private static final Pattern SIMPLE = Pattern.compile("(\\*?)([\\w.+-]+)");

  private final List<Predicate<String>> patterns;

  private Globs(List<Predicate<String>> patterns) {
    this.patterns = patterns;
  }

  /**
   * Compiles patterns.
   *
   * @throws IllegalArgumentException if a pattern makes no sense; the message names it
   */
  public static Globs of(List<String> globs) {
    List<Predicate<String>> patterns = new ArrayList<>();
    for (String glob : globs) {
      try {
        patterns.add(matcher(glob));
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException("bad pattern '" + glob + "': " + e.getDescription());
      }
    }
    return patterns.isEmpty() ? NONE : new Globs(List.copyOf(patterns));
  }

  public boolean isEmpty() {
    return patterns.isEmpty();
  }

  /** Whether a pattern names the path or a folder that it is in. */
  public boolean matches(String path) {
    for (Predicate<String> p : patterns) {
      if (p.test(path)) {
        return true;
      }
    }
    return false;
  }

  /** Most patterns are a name or an ending, for which a regular expression is slow. */
  private static Predicate<String> matcher(String glob) {
    Matcher simple = SIMPLE.matcher(glob);
    if (simple.matches()) {
      boolean ending = !simple.group(1).isEmpty();
      String text = simple.group(2);
      return path -> hasName(path, text, ending);
    }
    return Pattern.compile(regex(glob), Pattern.DOTALL).asMatchPredicate();
  }

  /** Returns whether a file or folder of the path has a name, or a name with an ending. */
  private static boolean hasName(String path, String text, boolean ending) {
    for (int at = path.indexOf(text); at >= 0; at = path.indexOf(text, at + 1)) {
      int end = at + text.length();
      boolean right = end == path.length() || path.charAt(end) == '/';
      if (right && (ending || at == 0 || path.charAt(at - 1) == '/')) {
        return true;
      }
    }
    return false;
  }

  private static String regex(String glob) {
    String g = glob.startsWith("./") ? glob.substring(2) : glob;
    g = g.endsWith("/") ? g.substring(0, g.length() - 1) : g;
    StringBuilder out = new StringBuilder();
    if (g.startsWith("/")) {
      g = g.substring(1);
    } else if (!g.contains("/")) {
      out.append("(?:.*/)?");
    }
    int alternatives = 0;
    for (int i = 0; i < g.length(); i++) {
      char c = g.charAt(i);
      switch (c) {
        case '*' -> {
          if (g.startsWith("**/", i)) {
            out.append("(?:.*/)?");
            i += 2;
          } else if (g.startsWith("**", i)) {
            out.append(".*");
            i++;
          } else {
            out.append("[^/]*");
          }
        }
        case '?' -> out.append("[^/]");
        case '[' -> {
          int close = g.indexOf(']', i + 2);
          if (close < 0) {
            throw new IllegalArgumentException("bad pattern '" + glob + "': '[' is not closed");
          }
          String set = g.substring(i + 1, close).replace("\\", "\\\\").replace("[", "\\[");
          out.append('[').append(set.startsWith("!") ? "^" + set.substring(1) : set).append(']');
          i = close;
        }
        case '{' -> {
          alternatives++;
          out.append("(?:");
        }
        case '}' -> out.append(alternatives-- > 0 ? ")" : "\\}");
        case ',' -> out.append(alternatives > 0 ? "|" : ",");
        case '\\' -> out.append(Pattern.quote(++i < g.length() ? g.substring(i, i + 1) : "\\"));
        default -> out.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return out.append("(?:/.*)?").toString();
  }
}
