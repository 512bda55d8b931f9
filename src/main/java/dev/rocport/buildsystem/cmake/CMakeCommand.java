package dev.rocport.buildsystem.cmake;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A command in a CMake file.
 *
 * @param name name in lower case
 * @param start offset of the name
 * @param end offset after the closing parenthesis
 * @param arguments arguments in order; nested parentheses are separate arguments
 */
public record CMakeCommand(String name, int start, int end, List<Argument> arguments) {
  /**
   * An argument.
   *
   * @param text text without quotes or brackets, unexpanded
   * @param quoted whether it was in quotes or brackets, so it is not a keyword
   * @param start offset of its first byte, including the quote
   * @param end offset after its last byte
   */
  public record Argument(String text, boolean quoted, int start, int end) {
    public boolean is(String keyword) {
      return !quoted && text.equals(keyword);
    }
  }

  public CMakeCommand {
    arguments = List.copyOf(arguments);
  }

  /** Returns the property that set_property() sets or get_property() reads. */
  Optional<Argument> property() {
    for (int i = 0; i + 1 < arguments.size(); i++) {
      if (arguments.get(i).is("PROPERTY")) {
        return Optional.of(arguments.get(i + 1));
      }
    }
    return Optional.empty();
  }

  /** Returns the property names in set_target_properties() and similar commands. */
  List<Argument> pairs() {
    List<Argument> names = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).is("PROPERTIES")) {
        for (int k = i + 1; k + 1 < arguments.size(); k += 2) {
          names.add(arguments.get(k));
        }
      }
    }
    return names;
  }

  /** Returns the start and end of the values in set(), list(APPEND) or string(APPEND). */
  int[] values() {
    int from = name.equals("set") ? 1 : 2;
    int to = from;
    while (to < arguments.size()
        && !arguments.get(to).is("CACHE")
        && !arguments.get(to).is("PARENT_SCOPE")) {
      to++;
    }
    return to > from
        ? new int[] {arguments.get(from).start(), arguments.get(to - 1).end()}
        : new int[] {end - 1, end - 1};
  }

  /** Returns the commands of a file in order; empty if it is not in the CMake language. */
  public static Optional<List<CMakeCommand>> of(String text) {
    Lexer lexer = new Lexer(text);
    return lexer.commands() ? Optional.of(lexer.commands) : Optional.empty();
  }

  private static final class Lexer {
    private final String text;
    private final List<CMakeCommand> commands = new ArrayList<>();
    private int at;

    Lexer(String text) {
      this.text = text;
      this.at = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
    }

    boolean commands() {
      while (true) {
        blanks();
        if (at >= text.length()) {
          return true;
        }
        if (placeholder()) {
          continue;
        }
        int start = at;
        while (at < text.length() && isName(text.charAt(at))) {
          at++;
        }
        int end = at;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
          at++;
        }
        if (end == start || at >= text.length() || text.charAt(at) != '(') {
          return false;
        }
        at++;
        List<Argument> arguments = new ArrayList<>();
        if (!arguments(arguments)) {
          return false;
        }
        String name = text.substring(start, end).toLowerCase(Locale.ROOT);
        commands.add(new CMakeCommand(name, start, at, arguments));
      }
    }

    /** Skips placeholders of configure_file(), such as {@code @PACKAGE_INIT@}. */
    private boolean placeholder() {
      int end = text.charAt(at) == '@' ? at + 1 : text.length();
      while (end < text.length() && isName(text.charAt(end))) {
        end++;
      }
      boolean is = end < text.length() && text.charAt(end) == '@' && end > at + 1;
      at = is ? end + 1 : at;
      return is;
    }

    /** Reads arguments up to the closing parenthesis. */
    private boolean arguments(List<Argument> arguments) {
      int depth = 1;
      while (true) {
        blanks();
        if (at >= text.length()) {
          return false;
        }
        char c = text.charAt(at);
        int start = at;
        if (c == '(' || c == ')') {
          at++;
          depth += c == '(' ? 1 : -1;
          if (depth == 0) {
            return true;
          }
          arguments.add(new Argument(String.valueOf(c), false, start, at));
        } else if (c == '"') {
          if (!quoted()) {
            return false;
          }
          arguments.add(new Argument(text.substring(start + 1, at - 1), true, start, at));
        } else if (c == '[' && bracket(at) >= 0) {
          int level = bracket(at);
          int close = text.indexOf("]" + "=".repeat(level) + "]", at);
          if (close < 0) {
            return false;
          }
          String inside = text.substring(at + level + 2, close);
          at = close + level + 2;
          arguments.add(new Argument(inside, true, start, at));
        } else {
          if (!unquoted()) {
            return false;
          }
          arguments.add(new Argument(text.substring(start, at), false, start, at));
        }
      }
    }

    private boolean quoted() {
      at++;
      while (at < text.length() && text.charAt(at) != '"') {
        at += text.charAt(at) == '\\' ? 2 : 1;
      }
      at++;
      return at <= text.length();
    }

    /** Reads an unquoted argument. In old files, it can contain quotes and make variables. */
    private boolean unquoted() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '"') {
          if (!quoted()) {
            return false;
          }
        } else if (c == '$' && text.startsWith("$(", at)) {
          int close = text.indexOf(')', at);
          if (close < 0) {
            return false;
          }
          at = close + 1;
        } else if (Character.isWhitespace(c) || c == '(' || c == ')' || c == '#') {
          return true;
        } else {
          at += c == '\\' ? 2 : 1;
        }
      }
      return false;
    }

    /** Skips white space and comments. */
    private void blanks() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
          at++;
        } else if (c == '#') {
          int level = bracket(at + 1);
          int close = level < 0 ? -1 : text.indexOf("]" + "=".repeat(level) + "]", at);
          int line = text.indexOf('\n', at);
          at = level < 0 ? line : close < 0 ? -1 : close + level + 2;
          at = at < 0 ? text.length() : at;
        } else {
          return;
        }
      }
    }

    /** Returns the number of equal signs of the bracket that opens here; -1 if none does. */
    private int bracket(int from) {
      if (from >= text.length() || text.charAt(from) != '[') {
        return -1;
      }
      int i = from + 1;
      while (i < text.length() && text.charAt(i) == '=') {
        i++;
      }
      return i < text.length() && text.charAt(i) == '[' ? i - from - 1 : -1;
    }

    private static boolean isName(char c) {
      return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }
  }
}
