package dev.rocport.lang.cuda.lex;

import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns bytes into {@link Tokens}. Sees all {@code #if} branches, macro bodies, raw strings and
 * line splices; never fails: unrecognized input becomes a {@link Tokens.Problem}. One scanner with
 * one method for each kind of token; they share its position and its output arrays.
 */
public final class Lexer {

  private static final byte OTHER = 0;
  private static final byte SPACE = 1;
  private static final byte NAME = 2;
  private static final byte DIGIT = 3;
  private static final byte[] CLASS = classes();

  private final SourceFile file;
  private final byte[] b;
  private final int n;
  private int at;
  private int count;
  private byte[] kinds;
  private byte[] flags;
  private int[] starts;
  private int[] ends;
  private int[] hashes;
  private int[] comments = new int[32];
  private int commentInts;
  private final List<Directive> directives = new ArrayList<>();
  private final List<Tokens.Problem> problems = new ArrayList<>();
  private boolean lineStart = true;
  private boolean directive;
  private int directiveFirst;

  private Lexer(SourceFile file) {
    this.file = file;
    this.b = file.bytes();
    this.n = b.length;
    int guess = Math.max(16, n / 5);
    kinds = new byte[guess];
    flags = new byte[guess];
    starts = new int[guess];
    ends = new int[guess];
    hashes = new int[guess];
  }

  /** The tokens of a file whose encoding {@link Encoding#isText}. */
  public static Tokens lex(SourceFile file) {
    Lexer lexer = new Lexer(file);
    lexer.run();
    return lexer.tokens();
  }

  private Tokens tokens() {
    return new Tokens(
        file,
        count,
        Arrays.copyOf(kinds, count),
        Arrays.copyOf(flags, count),
        Arrays.copyOf(starts, count),
        Arrays.copyOf(ends, count),
        Arrays.copyOf(hashes, count),
        Arrays.copyOf(comments, commentInts),
        List.copyOf(directives),
        List.copyOf(problems));
  }

  private void run() {
    at = file.encoding() == Encoding.UTF8_BOM ? 3 : 0;
    while (at < n) {
      byte c = b[at];
      switch (c >= 0 ? CLASS[c] : NAME) {
        case SPACE -> {
          if (c == '\n') {
            endLine();
          }
          at++;
        }
        case NAME -> identifier();
        case DIGIT -> number();
        default -> other(c);
      }
    }
    endLine();
  }

  private void other(byte c) {
    int next = at + 1 < n ? b[at + 1] : 0;
    switch (c) {
      case '\\' -> {
        int splice = spliceLength(at);
        if (splice > 0) {
          at += splice;
        } else {
          add(Tokens.PUNCTUATION, at, at + 1, 0, 0);
          at++;
        }
      }
      case '/' -> {
        if (next == '/') {
          lineComment();
        } else if (next == '*') {
          blockComment();
        } else {
          punctuation(1);
        }
      }
      case '"' -> string(at, at);
      case '\'' -> quoted(at, at, '\'', Tokens.CHARACTER);
      case '.' -> {
        if (next >= '0' && next <= '9') {
          number();
        } else {
          punctuation(1);
        }
      }
      case ':' -> punctuation(next == ':' ? 2 : 1);
      case '-' -> punctuation(next == '>' ? 2 : 1);
      case '#' -> hash();
      default -> punctuation(1);
    }
  }

  private void punctuation(int length) {
    add(Tokens.PUNCTUATION, at, at + length, 0, 0);
    at += length;
  }

  private void hash() {
    if (!lineStart || directive) {
      punctuation(1);
      return;
    }
    directive = true;
    directiveFirst = count;
    punctuation(1);
    skipBlanks();
    if (at < n && (b[at] < 0 || CLASS[b[at]] == NAME)) {
      identifier();
      String name = file.text(starts[count - 1], ends[count - 1]);
      switch (name) {
        case "include", "include_next", "import" -> {
          skipBlanks();
          if (at < n && b[at] == '<') {
            header();
          }
        }
        case "error", "warning" -> skipToLineEnd(); // free text, apostrophes and all
        default -> {}
      }
    }
  }

  private void header() {
    int s = at;
    int e = at + 1;
    while (e < n && b[e] != '>' && b[e] != '\n') {
      e++;
    }
    if (e < n && b[e] == '>') {
      add(Tokens.HEADER, s, e + 1, 0, 0);
      at = e + 1;
    }
  }

  private void skipToLineEnd() {
    while (at < n && b[at] != '\n') {
      int splice = spliceLength(at);
      at += splice > 0 ? splice : 1;
    }
  }

  private void skipBlanks() {
    while (at < n) {
      if (b[at] == ' ' || b[at] == '\t' || b[at] == '\f' || b[at] == 0x0b) {
        at++;
      } else if (b[at] == '\\' && spliceLength(at) > 0) {
        at += spliceLength(at);
      } else if (b[at] == '/' && at + 1 < n && b[at + 1] == '*') {
        blockComment();
      } else {
        return;
      }
    }
  }

  private void endLine() {
    lineStart = true;
    if (directive) {
      directive = false;
      int end = at > 0 && at <= n && at - 1 < n && b[at - 1] == '\r' ? at - 1 : at;
      boolean named = directiveFirst + 1 < count && kinds[directiveFirst + 1] == Tokens.IDENTIFIER;
      String name = named ? file.text(starts[directiveFirst + 1], ends[directiveFirst + 1]) : "";
      directives.add(
          new Directive(name.intern(), directiveFirst, count, starts[directiveFirst], end));
    }
  }

  private void identifier() {
    int s = at;
    int h = 0;
    int all = 0;
    int flag = 0;
    int i = at;
    while (i < n) {
      byte c = b[i];
      if (c < 0 || CLASS[c] >= NAME) {
        h = 31 * h + c;
        all |= c;
        i++;
      } else if (c == '\\' && spliceLength(i) > 0 && continues(i)) {
        i += spliceLength(i);
        flag = Tokens.SPLICED;
      } else {
        break;
      }
    }
    at = i;
    if (i < n && (b[i] == '"' || b[i] == '\'') && i - s <= 3 && isPrefix(s, i)) {
      if (b[i] == '"') {
        string(s, i);
      } else {
        quoted(s, i, '\'', Tokens.CHARACTER);
      }
      return;
    }
    add(Tokens.IDENTIFIER, s, i, all >= 0 ? h : Tokens.text(file, s, i).hashCode(), flag);
  }

  /** True if the identifier continues after the splice at {@code i}. */
  private boolean continues(int i) {
    int k = i + spliceLength(i);
    return k < n && (b[k] < 0 || CLASS[b[k]] >= NAME);
  }

  /** Encoding prefixes of literals: u8, u, U, L, each with R for raw strings. */
  private boolean isPrefix(int s, int e) {
    String p = file.text(s, e);
    return switch (p) {
      case "u8", "u", "U", "L" -> true;
      case "R", "u8R", "uR", "UR", "LR" -> b[e] == '"';
      default -> false;
    };
  }

  private void number() {
    int s = at;
    int i = at;
    while (i < n) {
      byte c = b[i];
      if (c < 0 || CLASS[c] >= NAME || c == '.') {
        i++;
        if ((c == 'e' || c == 'E' || c == 'p' || c == 'P')
            && i < n
            && (b[i] == '+' || b[i] == '-')
            && !isHexWithoutExponent(s, c)) {
          i++;
        }
      } else if (c == '\'' && i + 1 < n && b[i + 1] >= 0 && CLASS[b[i + 1]] >= NAME) {
        i++;
      } else {
        break;
      }
    }
    add(Tokens.NUMBER, s, i, 0, 0);
    at = i;
  }

  /** In {@code 0xe+1} the e is a digit. */
  private boolean isHexWithoutExponent(int s, byte c) {
    return (c == 'e' || c == 'E')
        && s + 1 < n
        && b[s] == '0'
        && (b[s + 1] == 'x' || b[s + 1] == 'X');
  }

  private void string(int s, int quote) {
    if (quote > s && b[quote - 1] == 'R') {
      rawString(s, quote);
    } else {
      quoted(s, quote, '"', Tokens.STRING);
    }
  }

  private void quoted(int s, int quote, char mark, byte kind) {
    int i = quote + 1;
    int flag = 0;
    while (i < n && b[i] != mark) {
      if (b[i] == '\\' && i + 1 < n) {
        int splice = spliceLength(i);
        flag |= splice > 0 ? Tokens.SPLICED : 0;
        i += splice > 0 ? splice : 2;
      } else if (b[i] == '\n') {
        problems.add(new Tokens.Problem(s, "unterminated literal"));
        int e = i > s && b[i - 1] == '\r' ? i - 1 : i;
        add(kind, s, e, 0, flag);
        at = i;
        return;
      } else {
        i++;
      }
    }
    if (i >= n) {
      problems.add(new Tokens.Problem(s, "unterminated literal"));
    }
    at = Math.min(n, i + 1);
    add(kind, s, at, 0, flag);
  }

  private void rawString(int s, int quote) {
    int open = quote + 1;
    while (open < n && open - quote <= 17 && b[open] != '(' && b[open] != '\n') {
      open++;
    }
    if (open >= n || b[open] != '(') {
      quoted(s, quote, '"', Tokens.STRING);
      return;
    }
    int length = open - quote - 1;
    for (int i = open + 1; i < n; i++) {
      if (b[i] == ')'
          && i + length + 1 < n
          && b[i + length + 1] == '"'
          && Arrays.equals(b, i + 1, i + 1 + length, b, quote + 1, open)) {
        at = i + length + 2;
        add(Tokens.STRING, s, at, 0, Tokens.RAW);
        return;
      }
    }
    problems.add(new Tokens.Problem(s, "unterminated raw string"));
    at = n;
    add(Tokens.STRING, s, n, 0, Tokens.RAW);
  }

  private void lineComment() {
    int s = at;
    skipToLineEnd();
    comment(s, at > s && b[at - 1] == '\r' ? at - 1 : at);
  }

  private void blockComment() {
    int s = at;
    int i = at + 2;
    while (i + 1 < n && !(b[i] == '*' && b[i + 1] == '/')) {
      i++;
    }
    if (i + 1 >= n) {
      problems.add(new Tokens.Problem(s, "unterminated comment"));
      at = n;
    } else {
      at = i + 2;
    }
    comment(s, at);
  }

  private void comment(int s, int e) {
    if (commentInts + 2 > comments.length) {
      comments = Arrays.copyOf(comments, 2 * comments.length);
    }
    comments[commentInts++] = s;
    comments[commentInts++] = e;
  }

  /** Length of a backslash with its line end at {@code i}, or 0. */
  private int spliceLength(int i) {
    if (b[i] != '\\') {
      return 0;
    }
    if (i + 1 < n && b[i + 1] == '\n') {
      return 2;
    }
    return i + 2 < n && b[i + 1] == '\r' && b[i + 2] == '\n' ? 3 : 0;
  }

  private void add(byte kind, int s, int e, int hash, int flag) {
    if (count == kinds.length) {
      int size = count + (count >> 1) + 16;
      kinds = Arrays.copyOf(kinds, size);
      flags = Arrays.copyOf(flags, size);
      starts = Arrays.copyOf(starts, size);
      ends = Arrays.copyOf(ends, size);
      hashes = Arrays.copyOf(hashes, size);
    }
    kinds[count] = kind;
    flags[count] = (byte) (flag | (directive ? Tokens.IN_DIRECTIVE : 0));
    starts[count] = s;
    ends[count] = e;
    hashes[count] = hash;
    count++;
    lineStart = false;
  }

  private static byte[] classes() {
    byte[] c = new byte[128];
    Arrays.fill(c, OTHER);
    for (char x : new char[] {' ', '\t', '\n', '\r', '\f', 0x0b}) {
      c[x] = SPACE;
    }
    for (char x = 'a'; x <= 'z'; x++) {
      c[x] = NAME;
      c[x - 'a' + 'A'] = NAME;
    }
    c['_'] = NAME;
    c['$'] = NAME;
    for (char x = '0'; x <= '9'; x++) {
      c[x] = DIGIT;
    }
    return c;
  }
}
