package dev.rocport.buildsystem.shell;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shell script as a list of assignments, commands, comments and here-documents. */
public final class ShellFile {
  private static final Pattern SHELL =
      Pattern.compile("#! ?\\S*/(?:env (?:-S )?)?(ba|da|k|z)?sh\\b.*");
  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "(?:(?:export|local|readonly|declare(?:[ \\t]+-\\w+)*)[ \\t]+)*([A-Za-z_]\\w*)(\\+?=)");

  /** A default for an unset variable: {@code : "${NVCC:=nvcc}"}. */
  private static final Pattern FALLBACK =
      Pattern.compile(":[ \\t]+\"?\\$\\{([A-Za-z_]\\w*):?=([^\"'{}\\n]*)\\}\"?[ \\t]*");

  /** Text after which a command can begin. */
  private static final Pattern STARTS =
      Pattern.compile("(?:[;&|)]|(?<![\\w$-])(?:then|do|else|\\{)[ \\t])$");

  private static final Pattern HERE = Pattern.compile("<<-?[ \\t]*[\"'\\\\]?(\\w+)[\"']?");

  private final SourceFile file;
  private final String text;
  private final List<Part> parts = new ArrayList<>();

  /** Kind of a part. */
  enum Kind {
    ASSIGNMENT,
    COMMAND,
    COMMENT,
    /** The text of a here-document. */
    DATA
  }

  /**
   * A part of the script.
   *
   * @param name the assigned variable; otherwise empty
   * @param value start of the value without quotes and brackets; otherwise the start of the part
   * @param valueEnd end of the value
   */
  record Part(Kind kind, int start, int end, String name, int value, int valueEnd) {}

  private ShellFile(SourceFile file) {
    this.file = file;
    this.text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
  }

  /** Returns true for names without an extension that may be scripts. */
  static boolean maybe(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return !name.contains(".") && name.matches(".*(build|compile|make|nvcc|run|configure).*");
  }

  /** Reads a script; empty if it is not a shell script. */
  static Optional<ShellFile> of(SourceFile file) {
    ShellFile made = new ShellFile(file);
    int end = made.text.indexOf('\n');
    String first = end < 0 ? made.text : made.text.substring(0, end).strip();
    boolean named = BuildFileNames.isShellScript(file.path()) && !first.startsWith("#!");
    if (!named && !SHELL.matcher(first).matches()) {
      return Optional.empty();
    }
    made.read();
    return Optional.of(made);
  }

  SourceFile source() {
    return file;
  }

  /** Returns the text with one character per byte, so offsets are byte offsets. */
  String text() {
    return text;
  }

  List<Part> parts() {
    return parts;
  }

  private void read() {
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
        continue;
      }
      int end = end(at);
      if (c == '#') {
        parts.add(new Part(Kind.COMMENT, at, end, "", at, at));
        at = end;
        continue;
      }
      statement(at, end);
      Matcher here = HERE.matcher(text).region(at, end);
      at = end;
      if (here.find() && !text.startsWith("<<<", here.start())) {
        Matcher close = Pattern.compile("(?m)^\\t*" + here.group(1) + "\\r?$").matcher(text);
        int last = close.find(Math.min(end + 1, text.length())) ? close.end() : text.length();
        parts.add(new Part(Kind.DATA, end, last, "", end, end));
        at = last;
      }
    }
  }

  private void statement(int at, int end) {
    Matcher fallback = FALLBACK.matcher(text).region(at, end);
    if (fallback.matches()) {
      parts.add(
          new Part(
              Kind.ASSIGNMENT, at, end, fallback.group(1), fallback.start(2), fallback.end(2)));
      return;
    }
    Matcher m = ASSIGNMENT.matcher(text).region(at, end);
    if (!m.lookingAt() || !isAlone(m.end(), end)) {
      // X=1 command, or several assignments: words of a command
      int next = assignment(at, end);
      parts.add(new Part(Kind.COMMAND, at, next, "", at, at));
      if (next < end) {
        statement(next, end);
      }
      return;
    }
    int value = m.end();
    int last = word(value, end);
    int rest = blank(last, end);
    char open = value < last ? text.charAt(value) : 0;
    boolean inner = (open == '"' || open == '\'' || open == '(') && last - value > 1;
    boolean simple = (open != '"' && open != '\'') || text.indexOf(open, value + 1) == last - 1;
    int shift = inner && simple ? 1 : 0;
    parts.add(new Part(Kind.ASSIGNMENT, at, last, m.group(1), value + shift, last - shift));
    if (rest < end) {
      if (text.charAt(rest) == '#') {
        parts.add(new Part(Kind.COMMENT, rest, end, "", rest, rest));
      } else {
        int next = rest + 1;
        while (next < end && ";& \t".indexOf(text.charAt(next)) >= 0) {
          next++;
        }
        if (next < end) {
          statement(next, end);
        }
      }
    }
  }

  /** Returns true if the statement ends after the value. */
  private boolean isAlone(int value, int end) {
    int rest = blank(word(value, end), end);
    return rest >= end || ";#&".indexOf(text.charAt(rest)) >= 0;
  }

  private int blank(int from, int to) {
    int i = from;
    while (i < to && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
      i++;
    }
    return i;
  }

  /**
   * Returns the offset of the next assignment in a line: after {@code then}, {@code &&} or the
   * pattern of a case; the end if there is none.
   */
  private int assignment(int from, int to) {
    char quote = 0;
    int depth = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '\\' && quote != '\'') {
        i++;
      } else if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'' || c == '`') {
        quote = c;
      } else if (c == '#' && i > from && Character.isWhitespace(text.charAt(i - 1))) {
        return to;
      } else if (c == '(' || (c == '{' && text.charAt(Math.max(from, i - 1)) == '$')) {
        depth++;
      } else if (depth > 0) {
        depth -= c == ')' || c == '}' ? 1 : 0;
      } else if (STARTS.matcher(text).region(from, i + 1).useTransparentBounds(false).find()) {
        int next = blank(i + 1, to);
        Matcher m = ASSIGNMENT.matcher(text).region(next, to);
        if (m.lookingAt() && isAlone(m.end(), to)) {
          return next;
        }
      }
    }
    return to;
  }

  /** Returns the end of the word that begins here, including brackets and quotes. */
  private int word(int from, int to) {
    int i = from;
    char quote = 0;
    int depth = 0;
    while (i < to) {
      char c = text.charAt(i);
      if (c == '\\' && quote != '\'') {
        i += 2;
        continue;
      }
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'' || c == '`') {
        quote = c;
      } else if (c == '(' || c == '{') {
        depth++;
      } else if (c == ')' || c == '}') {
        depth--;
      } else if (depth <= 0 && (Character.isWhitespace(c) || c == ';' || c == '&')) {
        return i;
      }
      i++;
    }
    return Math.min(i, to);
  }

  /** Returns the end of a logical line, which quotes, brackets and backslashes continue. */
  private int end(int from) {
    int i = from;
    char quote = 0;
    int depth = 0;
    boolean comment = text.charAt(from) == '#';
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\n' && (comment || (quote == 0 && depth <= 0))) {
        return i > from && text.charAt(i - 1) == '\r' ? i - 1 : i;
      }
      if (!comment) {
        if (c == '\\' && quote != '\'') {
          i += text.startsWith("\r\n", i + 1) ? 3 : 2;
          continue;
        }
        if (quote != 0) {
          quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'' || c == '`') {
          quote = c;
        } else if (c == '#' && i > 0 && Character.isWhitespace(text.charAt(i - 1))) {
          comment = true;
        } else if (c == '(' && i > 0 && (text.charAt(i - 1) == '=' || text.charAt(i - 1) == '$')) {
          depth++;
        } else if (c == '(' && depth > 0) {
          depth++;
        } else if (c == ')' && depth > 0) {
          depth--;
        }
      }
      i++;
    }
    return text.length();
  }
}
