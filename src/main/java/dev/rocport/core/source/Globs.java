package dev.rocport.core.source;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Patterns over paths, as {@code .gitignore} means them: {@code *} stands for anything but a slash,
 * {@code **} for anything, {@code ?} for one character, {@code [a-z]} for one of a set, {@code
 * {a,b}} for either; a pattern without a slash matches at every depth, one with a slash is anchored
 * at the root; a folder that matches includes everything in it.
 */
public final class Globs {
  public static final Globs NONE = new Globs(List.of());

  private final List<Pattern> patterns;

  private Globs(List<Pattern> patterns) {
    this.patterns = patterns;
  }

  /**
   * Compiles patterns.
   *
   * @throws IllegalArgumentException if a pattern makes no sense; the message names it
   */
  public static Globs of(List<String> globs) {
    List<Pattern> patterns = new ArrayList<>();
    for (String glob : globs) {
      try {
        patterns.add(Pattern.compile(regex(glob), Pattern.DOTALL));
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
    for (Pattern p : patterns) {
      if (p.matcher(path).matches()) {
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
