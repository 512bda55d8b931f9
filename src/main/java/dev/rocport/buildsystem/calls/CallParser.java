package dev.rocport.buildsystem.calls;

import dev.rocport.buildsystem.calls.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses a build file to statements of words and bracket groups. */
public final class CallParser {
  private static final Set<String> DOUBLE =
      Set.of(
          "+=", "-=", "*=", "/=", "%=", "|=", "==", "!=", "<=", ">=", "->", "//", "**", "<<", ">>");
  private static final int DEEPEST = 200;

  private final Dialect dialect;
  private final String text;
  private int at;
  private int depth;

  /** Start of the line that holds {@link #seen}. */
  private int line;

  private int seen;

  private CallParser(Dialect dialect, String text) {
    this.dialect = dialect;
    this.text = text;
  }

  /** A bracket or string is not closed, or a character is not part of the language. */
  private static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** Returns the statements of a file; empty if it is not in this language. */
  public static Optional<List<Statement>> parse(Dialect dialect, String text) {
    try {
      return Optional.of(new CallParser(dialect, text).statements());
    } catch (Unreadable e) {
      return Optional.empty();
    }
  }

  private List<Statement> statements() throws Unreadable {
    List<Statement> statements = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    while (skip()) {
      char c = text.charAt(at);
      if (c == '\n' || (c == ';' && dialect == Dialect.STARLARK)) {
        at++;
        finish(parts, statements);
      } else {
        parts.add(part());
      }
    }
    finish(parts, statements);
    return statements;
  }

  private void finish(List<Part> parts, List<Statement> statements) {
    if (!parts.isEmpty()) {
      int start = parts.getFirst().start();
      for (; seen < start; seen++) {
        line = text.charAt(seen) == '\n' ? seen + 1 : line;
      }
      statements.add(new Statement(start - line, parts));
      parts.clear();
    }
  }

  /**
   * Skips blanks, comments, continued lines, and line ends in brackets; returns false at the end.
   */
  private boolean skip() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == '\\' && text.startsWith("\n", at + 1)) {
        at += 2;
      } else if (c == '\\' && text.startsWith("\r\n", at + 1)) {
        at += 3;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || (depth > 0 && c == '\n')) {
        at++;
      } else {
        return true;
      }
    }
    return false;
  }

  private Part part() throws Unreadable {
    char c = text.charAt(at);
    if (c == '(' || c == '[' || c == '{') {
      return group(c);
    }
    int start = at;
    int quote = quote();
    if (quote >= 0) {
      string(quote);
      return token(Kind.STRING, start);
    }
    if (isWord(c)) {
      boolean number = Character.isDigit(c);
      while (at < text.length()
          && (isWord(text.charAt(at)) || (number && text.charAt(at) == '.'))) {
        at++;
      }
      return token(number ? Kind.NUMBER : Kind.NAME, start);
    }
    if (")]}".indexOf(c) >= 0 || "+-*/%<>=!.,:?|&^~@".indexOf(c) < 0) {
      throw new Unreadable();
    }
    at += at + 2 <= text.length() && DOUBLE.contains(text.substring(at, at + 2)) ? 2 : 1;
    return token(Kind.OPERATOR, start);
  }

  private Token token(Kind kind, int start) {
    return new Token(kind, start, at, text.substring(start, at));
  }

  private static boolean isWord(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }

  /** Returns the offset of the opening quote of a string that begins here; -1 if none does. */
  private int quote() {
    int i = at;
    while (i < text.length() && i < at + 2 && "rRbBfF".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    boolean opens =
        i < text.length()
            && (text.charAt(i) == '\'' || (text.charAt(i) == '"' && dialect == Dialect.STARLARK));
    return opens ? i : -1;
  }

  private void string(int quote) throws Unreadable {
    String one = text.substring(quote, quote + 1);
    boolean three = text.startsWith(one.repeat(3), quote);
    boolean raw = text.substring(at, quote).toLowerCase(java.util.Locale.ROOT).contains("r");
    String end = three ? one.repeat(3) : one;
    int i = quote + end.length();
    while (!text.startsWith(end, i)) {
      if (i >= text.length() || (!three && text.charAt(i) == '\n' && dialect == Dialect.STARLARK)) {
        throw new Unreadable();
      }
      boolean escapes = text.charAt(i) == '\\' && !raw && !(three && dialect == Dialect.MESON);
      i += escapes ? 2 : 1;
    }
    at = i + end.length();
  }

  private Group group(char open) throws Unreadable {
    int start = at++;
    if (++depth > DEEPEST) {
      throw new Unreadable();
    }
    char close = open == '(' ? ')' : open == '[' ? ']' : '}';
    List<Item> items = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    while (true) {
      if (!skip()) {
        throw new Unreadable();
      }
      char c = text.charAt(at);
      if (c == ',' || c == close) {
        if (!parts.isEmpty()) {
          items.add(item(parts, open));
          parts = new ArrayList<>();
        }
        at++;
        if (c == close) {
          depth--;
          return new Group(start, at, open, items);
        }
      } else {
        parts.add(part());
      }
    }
  }

  private Item item(List<Part> parts, char open) {
    int start = parts.getFirst().start();
    int end = parts.getLast().end();
    boolean named = open == '(' && parts.size() > 1 && parts.get(1).is(dialect.keyword);
    return named && parts.getFirst() instanceof Token t && t.isName()
        ? new Item(start, end, t.text(), parts.subList(2, parts.size()))
        : new Item(start, end, "", parts);
  }
}
