package dev.rocport.lang.python.syntax;

import static dev.rocport.lang.python.syntax.PythonTokens.DEDENT;
import static dev.rocport.lang.python.syntax.PythonTokens.END;
import static dev.rocport.lang.python.syntax.PythonTokens.INDENT;
import static dev.rocport.lang.python.syntax.PythonTokens.NAME;
import static dev.rocport.lang.python.syntax.PythonTokens.NEWLINE;
import static dev.rocport.lang.python.syntax.PythonTokens.NUMBER;
import static dev.rocport.lang.python.syntax.PythonTokens.OP;
import static dev.rocport.lang.python.syntax.PythonTokens.STRING;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits Python into tokens as the chapter "Lexical analysis" of the language reference specifies;
 * f-strings follow PEP 701, which accepts everything that older versions accept. Bytes above 127
 * count as letters, so any encoding that keeps ASCII will do. One scanner with one method for each
 * kind of token; they share its position and its nesting.
 */
final class Lexer {
  /** Where a replacement field of an f-string has its expression. */
  record Field(int start, int end) {}

  private static final int TAB = 8;
  private static final String[] LONG_OPERATORS = {"**=", "//=", ">>=", "<<=", "..."};
  private static final String[] OPERATORS = {
    "->", ":=", "==", "!=", "<=", ">=", "<>", "<<", ">>", "**", "//", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "@="
  };

  private final byte[] b;
  private final int limit;
  private final PythonTokens tokens;
  private final List<SyntaxProblem> problems;
  private int at;
  private int depth;

  private Lexer(byte[] bytes, int from, int limit, List<SyntaxProblem> problems) {
    this.b = bytes;
    this.at = from;
    this.limit = limit;
    this.tokens = new PythonTokens(bytes);
    this.problems = problems;
  }

  /** The tokens of a file; ends with the last line's NEWLINE, DEDENTs and END. */
  static PythonTokens file(byte[] bytes, List<SyntaxProblem> problems) {
    boolean mark =
        bytes.length > 2
            && bytes[0] == (byte) 0xEF
            && bytes[1] == (byte) 0xBB
            && bytes[2] == (byte) 0xBF;
    Lexer lexer = new Lexer(bytes, mark ? 3 : 0, bytes.length, problems);
    lexer.lines();
    return lexer.tokens;
  }

  /** The tokens of an expression inside a string, as if it stood in parentheses. */
  static PythonTokens expression(byte[] bytes, Field field, List<SyntaxProblem> problems) {
    Lexer lexer = new Lexer(bytes, field.start(), field.end(), problems);
    lexer.depth = 1;
    while (lexer.at < lexer.limit) {
      lexer.token();
    }
    lexer.tokens.add(NEWLINE, lexer.limit, lexer.limit);
    lexer.tokens.add(END, lexer.limit, lexer.limit);
    return lexer.tokens;
  }

  private void lines() {
    int[] indents = new int[16];
    int level = 0;
    boolean lineStart = true;
    while (at < limit) {
      if (lineStart) {
        int first = at;
        int column = indentation();
        if (at >= limit || isBlank()) {
          skipLine();
          continue;
        }
        if (column > indents[level]) {
          if (++level == indents.length) {
            indents = Arrays.copyOf(indents, 2 * level);
          }
          indents[level] = column;
          tokens.add(INDENT, first, at);
        }
        while (column < indents[level]) {
          if (column > indents[level - 1]) {
            problem(at, "the indentation matches no enclosing block");
            indents[level] = column;
          } else {
            level--;
            tokens.add(DEDENT, at, at);
          }
        }
        lineStart = false;
      }
      if (isLineEnd(at)) {
        int start = at;
        at = afterLineEnd(at);
        if (depth == 0) {
          tokens.add(NEWLINE, start, at);
          lineStart = true;
        }
      } else {
        token();
      }
    }
    if (depth > 0) {
      problem(limit, "unclosed bracket");
    }
    if (tokens.count() > 0 && tokens.kind(tokens.count() - 1) != NEWLINE) {
      tokens.add(NEWLINE, limit, limit);
    }
    for (; level > 0; level--) {
      tokens.add(DEDENT, limit, limit);
    }
    tokens.add(END, limit, limit);
  }

  /** The column of a line's first byte that is not a white space, tabs as eight. */
  private int indentation() {
    int column = 0;
    for (; at < limit; at++) {
      switch (b[at]) {
        case ' ' -> column++;
        case '\t' -> column = (column / TAB + 1) * TAB;
        case '\f' -> column = 0;
        case '\\' -> {
          // A line that is continued before it began.
          if (at + 1 < limit && isLineEnd(at + 1)) {
            at = afterLineEnd(at + 1) - 1;
          } else {
            return column;
          }
        }
        default -> {
          return column;
        }
      }
    }
    return column;
  }

  private boolean isBlank() {
    return b[at] == '#' || isLineEnd(at);
  }

  private void skipLine() {
    while (at < limit && !isLineEnd(at)) {
      at++;
    }
    if (at < limit) {
      at = afterLineEnd(at);
    }
  }

  private boolean isLineEnd(int i) {
    return b[i] == '\n' || b[i] == '\r';
  }

  private int afterLineEnd(int i) {
    return b[i] == '\r' && i + 1 < limit && b[i + 1] == '\n' ? i + 2 : i + 1;
  }

  /** Reads one token, or what is between two. */
  private void token() {
    byte c = b[at];
    int start = at;
    if (c == ' ' || c == '\t' || c == '\f' || (depth > 0 && isLineEnd(at))) {
      at++;
    } else if (c == '#') {
      while (at < limit && !isLineEnd(at)) {
        at++;
      }
    } else if (c == '\\' && at + 1 < limit && isLineEnd(at + 1)) {
      at = afterLineEnd(at + 1);
    } else if (isLetter(c)) {
      int quote = at;
      while (quote < limit && quote - at < 3 && isLetter(b[quote])) {
        quote++;
      }
      if (quote < limit && isQuote(b[quote]) && isPrefix(at, quote)) {
        at = string(at, quote);
        tokens.add(STRING, start, at);
      } else {
        while (at < limit && (isLetter(b[at]) || isDigit(b[at]))) {
          at++;
        }
        tokens.add(NAME, start, at);
      }
    } else if (isQuote(c)) {
      at = string(at, at);
      tokens.add(STRING, start, at);
    } else if (isDigit(c) || (c == '.' && at + 1 < limit && isDigit(b[at + 1]))) {
      number();
      tokens.add(NUMBER, start, at);
    } else {
      at += operator();
      if (at - start == 1) {
        switch (c) {
          case '(', '[', '{' -> depth++;
          case ')', ']', '}' -> depth = Math.max(0, depth - 1);
          default -> {
            if (c <= ' ' || c == '$' || c == '?' || c == '`') {
              problem(start, "invalid character");
            }
          }
        }
      }
      tokens.add(OP, start, at);
    }
  }

  private void number() {
    if (b[at] == '0' && at + 1 < limit && "xXoObB".indexOf(b[at + 1]) >= 0) {
      boolean hex = (b[at + 1] | 32) == 'x';
      at += 2;
      while (at < limit && (isDigit(b[at]) || b[at] == '_' || (hex && isHex(b[at])))) {
        at++;
      }
      return;
    }
    digits();
    if (at < limit && b[at] == '.') {
      at++;
      digits();
    }
    if (at + 1 < limit && (b[at] | 32) == 'e') {
      boolean signed = b[at + 1] == '+' || b[at + 1] == '-';
      if (isDigit(b[at + 1]) || (signed && at + 2 < limit && isDigit(b[at + 2]))) {
        at += signed ? 2 : 1;
        digits();
      }
    }
    if (at < limit && (b[at] | 32) == 'j') {
      at++;
    }
  }

  private void digits() {
    while (at < limit && (isDigit(b[at]) || b[at] == '_')) {
      at++;
    }
  }

  private int operator() {
    for (String op : LONG_OPERATORS) {
      if (starts(op)) {
        return 3;
      }
    }
    for (String op : OPERATORS) {
      if (starts(op)) {
        return 2;
      }
    }
    return 1;
  }

  private boolean starts(String op) {
    if (b[at] != op.charAt(0) || at + op.length() > limit) {
      return false;
    }
    for (int k = 1; k < op.length(); k++) {
      if (b[at + k] != op.charAt(k)) {
        return false;
      }
    }
    return true;
  }

  /** The end of the string whose prefix starts and whose quotes are there. */
  private int string(int start, int quote) {
    boolean format = false;
    for (int i = start; i < quote; i++) {
      format |= (b[i] | 32) == 'f' || (b[i] | 32) == 't';
    }
    int end = format ? formatEnd(b, limit, start, quote, null) : -1;
    if (end < 0) {
      end = plainEnd(b, limit, quote);
    }
    if (end < 0) {
      problem(start, "unterminated string");
      end = quote + 1;
      while (end < limit && !isLineEnd(end)) {
        end++;
      }
    }
    return end;
  }

  /** The fields of an f-string token, the ones in format specifications too, in order. */
  static List<Field> fields(byte[] bytes, int start, int end) {
    int quote = start;
    boolean format = false;
    for (; quote < end && !isQuote(bytes[quote]); quote++) {
      format |= (bytes[quote] | 32) == 'f' || (bytes[quote] | 32) == 't';
    }
    if (!format) {
      return List.of();
    }
    List<Field> fields = new ArrayList<>();
    int found = formatEnd(bytes, end, start, quote, fields);
    return found == end ? fields : List.of();
  }

  private static int quotes(byte[] b, int limit, int quote) {
    return quote + 2 < limit && b[quote + 1] == b[quote] && b[quote + 2] == b[quote] ? 3 : 1;
  }

  private static boolean closes(byte[] b, int limit, int i, int quote, int quotes) {
    return b[i] == b[quote]
        && (quotes == 1 || (i + 2 < limit && b[i + 1] == b[i] && b[i + 2] == b[i]));
  }

  private static int plainEnd(byte[] b, int limit, int quote) {
    int quotes = quotes(b, limit, quote);
    for (int i = quote + quotes; i < limit; i++) {
      if (b[i] == '\\') {
        i += i + 2 < limit && b[i + 1] == '\r' && b[i + 2] == '\n' ? 2 : 1;
      } else if (closes(b, limit, i, quote, quotes)) {
        return i + quotes;
      } else if (quotes == 1 && (b[i] == '\n' || b[i] == '\r')) {
        return -1;
      }
    }
    return -1;
  }

  /** The end of an f-string, or -1; adds its fields if a list is given. */
  private static int formatEnd(
      byte[] b, int limit, int start, int quote, @Nullable List<Field> fields) {
    boolean raw = false;
    for (int i = start; i < quote; i++) {
      raw |= (b[i] | 32) == 'r';
    }
    int quotes = quotes(b, limit, quote);
    int i = quote + quotes;
    while (i < limit) {
      byte c = b[i];
      if (closes(b, limit, i, quote, quotes)) {
        return i + quotes;
      } else if (c == '\\') {
        // \N{DASH} names a character; a raw string's backslash guards a quote all the same.
        if (!raw && i + 2 < limit && b[i + 1] == 'N' && b[i + 2] == '{') {
          while (i < limit && b[i] != '}') {
            i++;
          }
          i++;
        } else {
          i += i + 1 < limit && (b[i + 1] == '{' || b[i + 1] == '}') ? 1 : 2;
        }
      } else if (quotes == 1 && (c == '\n' || c == '\r')) {
        return -1;
      } else if (c == '{' && i + 1 < limit && b[i + 1] == '{') {
        i += 2;
      } else if (c == '{') {
        i = fieldEnd(b, limit, i + 1, quote, quotes, fields);
        if (i < 0) {
          return -1;
        }
      } else {
        i++;
      }
    }
    return -1;
  }

  /** The end of a replacement field, after its brace, or -1. */
  private static int fieldEnd(
      byte[] b, int limit, int start, int quote, int quotes, @Nullable List<Field> fields) {
    int depth = 0;
    int i = start;
    while (i < limit) {
      byte c = b[i];
      if (isQuote(c)) {
        int prefix = i;
        while (prefix > start && i - prefix < 2 && isLetter(b[prefix - 1])) {
          prefix--;
        }
        boolean format = false;
        boolean isPrefix = isPrefix(b, prefix, i) && (prefix == start || !isLetter(b[prefix - 1]));
        for (int k = prefix; k < i && isPrefix; k++) {
          format |= (b[k] | 32) == 'f' || (b[k] | 32) == 't';
        }
        i = format ? formatEnd(b, limit, prefix, i, null) : plainEnd(b, limit, i);
        if (i < 0) {
          return -1;
        }
        continue;
      }
      if (c == '#') {
        while (i < limit && b[i] != '\n' && b[i] != '\r') {
          i++;
        }
        continue;
      }
      if (c == '(' || c == '[' || c == '{') {
        depth++;
      } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
        depth--;
      } else if (depth == 0 && (c == '}' || c == ':' || isConversion(b, limit, i))) {
        if (fields != null) {
          fields.add(new Field(start, i));
        }
        while (i < limit && b[i] != '}' && b[i] != ':') {
          i++;
        }
        return i < limit && b[i] == '}' ? i + 1 : specEnd(b, limit, i + 1, quote, quotes, fields);
      } else if (depth == 0 && (c == ')' || c == ']')) {
        return -1;
      }
      i++;
    }
    return -1;
  }

  private static boolean isConversion(byte[] b, int limit, int i) {
    return b[i] == '!' && (i + 1 >= limit || b[i + 1] != '=');
  }

  private static int specEnd(
      byte[] b, int limit, int start, int quote, int quotes, @Nullable List<Field> fields) {
    int i = start;
    while (i >= 0 && i < limit) {
      byte c = b[i];
      if (c == '}') {
        return i + 1;
      } else if (c == '{') {
        i = fieldEnd(b, limit, i + 1, quote, quotes, fields);
      } else if (closes(b, limit, i, quote, quotes)) {
        return -1;
      } else {
        i++;
      }
    }
    return -1;
  }

  private boolean isPrefix(int start, int end) {
    return isPrefix(b, start, end);
  }

  private static boolean isPrefix(byte[] b, int start, int end) {
    int seen = 0;
    for (int i = start; i < end; i++) {
      int letter = "rbuft".indexOf(b[i] | 32);
      if (b[i] < 0 || letter < 0 || (seen & (1 << letter)) != 0) {
        return false;
      }
      seen |= 1 << letter;
    }
    // b, u, f and t exclude each other; u is alone.
    return end - start <= 2 && Integer.bitCount(seen & ~1) <= 1 && ((seen & 4) == 0 || seen == 4);
  }

  private static boolean isQuote(byte c) {
    return c == '"' || c == '\'';
  }

  private static boolean isLetter(byte c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(byte c) {
    return isDigit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
  }

  private void problem(int offset, String message) {
    problems.add(new SyntaxProblem(offset, message));
  }
}
