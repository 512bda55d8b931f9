package dev.rocport.buildsystem.autotools;

import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code configure.ac} as a list of statements: whole lines outside macro arguments, shell
 * compounds and here-documents, so lines can be inserted between statements.
 */
final class ConfigureScript {
  private static final Set<String> OPENING = Set.of("if", "case", "do", "{");
  private static final Set<String> CLOSING = Set.of("fi", "esac", "done", "}");

  /** Words after which a command begins. */
  private static final Set<String> LEADING =
      Set.of("then", "else", "elif", "do", "if", "while", "until", "!", "{");

  /** Number of characters at the end of a line that can mark a continuation. */
  private static final int NEAR = 80;

  private static final Pattern HERE = Pattern.compile("<<-?[ \t]*(?:\\[)?[\"'\\\\]?(\\w+)");

  /**
   * A statement.
   *
   * @param first 1-based first line
   * @param last 1-based last line
   * @param code text with comments blanked
   */
  record Statement(int first, int last, String code) {}

  private final SourceFile file;
  private final String text;
  private final String code;
  private final List<Statement> statements = new ArrayList<>();
  private boolean whole;

  /** The last offset whose line was computed; the next query is usually near it. */
  private int known;

  private int knownLine = 1;

  private ConfigureScript(SourceFile file) {
    this.file = file;
    this.text = file.text(0, file.length());
    this.code = M4.code(text);
  }

  static ConfigureScript of(SourceFile file) {
    ConfigureScript script = new ConfigureScript(file);
    script.read();
    return script;
  }

  SourceFile file() {
    return file;
  }

  List<Statement> statements() {
    return statements;
  }

  /** Returns false if brackets or compounds are not closed; the statements are then invalid. */
  boolean isWhole() {
    return whole;
  }

  /** Returns the original lines. */
  String text(Statement s) {
    return file.text(file.lineStart(s.first()), file.lineEnd(s.last()));
  }

  private void read() {
    int quotes = 0;
    int brackets = 0;
    int compounds = 0;
    char shellQuote = 0;
    int from = 0;
    boolean command = true;
    String here = "";
    String pendingHere = "";
    int i = 0;
    while (i < code.length()) {
      char c = code.charAt(i);
      if (!here.isEmpty()) {
        int end = lineEnd(i);
        if (text.substring(i, end).strip().replaceAll("[\\[\\]]", "").equals(here)) {
          here = "";
        }
        i = end;
        if (i < code.length() && !here.isEmpty()) {
          i++;
        }
        continue;
      }
      if (c == '\n') {
        boolean spliced = i > 0 && code.charAt(lastOfLine(i)) == '\\';
        boolean joined =
            code.substring(Math.max(from, i - NEAR), i).stripTrailing().matches("(?s).*(&&|\\|)");
        if (!pendingHere.isEmpty() && quotes == 0) {
          here = pendingHere;
          pendingHere = "";
          i++;
          continue;
        }
        if (quotes == 0
            && brackets == 0
            && compounds == 0
            && shellQuote == 0
            && !spliced
            && !joined) {
          add(from, i);
          from = i + 1;
        }
        command = true;
        i++;
      } else if (c == '\\' && quotes == 0) {
        i += 2;
      } else if (c == '[') {
        quotes++;
        i++;
      } else if (c == ']') {
        quotes--;
        i++;
      } else if (quotes > 0) {
        i++;
      } else if (brackets > 0) {
        brackets += c == '(' ? 1 : c == ')' ? -1 : 0;
        i++;
      } else if (shellQuote != 0) {
        shellQuote = c == shellQuote ? 0 : shellQuote;
        i++;
      } else if (c == '#' && (i == 0 || Character.isWhitespace(code.charAt(i - 1)))) {
        i = lineEnd(i);
      } else if (c == '"' || c == '\'' || c == '`') {
        shellQuote = c == '`' ? 0 : c;
        command = false;
        i++;
      } else if (c == '<' && code.startsWith("<<", i)) {
        Matcher m = HERE.matcher(code).region(i, code.length());
        if (m.lookingAt()) {
          pendingHere = m.group(1);
          i = m.end();
        } else {
          i += 2;
        }
      } else if (isWord(c)) {
        int end = i;
        while (end < code.length() && isWord(code.charAt(end))) {
          end++;
        }
        String word = code.substring(i, end);
        if (end < code.length() && code.charAt(end) == '(' && isName(word)) {
          brackets = 1;
          end++;
        } else if (command && OPENING.contains(word)) {
          compounds++;
        } else if (command && CLOSING.contains(word)) {
          compounds--;
        }
        command = command && LEADING.contains(word);
        i = end;
      } else {
        command = c == ';' || c == '&' || c == '|' || c == '(' || (command && c <= ' ');
        i++;
      }
    }
    add(from, code.length());
    whole = quotes == 0 && brackets == 0 && compounds == 0 && here.isEmpty();
  }

  private int lastOfLine(int newline) {
    int i = newline - 1;
    return i > 0 && code.charAt(i) == '\r' ? i - 1 : i;
  }

  private int lineEnd(int at) {
    int end = code.indexOf('\n', at);
    return end < 0 ? code.length() : end;
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '{' || c == '}' || c == '!';
  }

  private static boolean isName(String word) {
    return word.matches("[A-Za-z_]\\w*");
  }

  /** Adds the text between two offsets, unless it is blank. */
  private void add(int from, int to) {
    if (to <= from || code.substring(from, to).isBlank()) {
      return;
    }
    int first = line(from + leadingBlankLines(from, to));
    statements.add(new Statement(first, line(to - 1), code.substring(from, to)));
  }

  private int leadingBlankLines(int from, int to) {
    int at = from;
    while (at < to && Character.isWhitespace(code.charAt(at))) {
      at++;
    }
    return at - from;
  }

  /**
   * Returns the 1-based line of an offset of the text. Byte and character offsets differ, lines do
   * not.
   */
  private int line(int offset) {
    while (known < offset) {
      knownLine += text.charAt(known) == '\n' ? 1 : 0;
      known++;
    }
    while (known > offset) {
      known--;
      knownLine -= text.charAt(known) == '\n' ? 1 : 0;
    }
    return knownLine;
  }
}
