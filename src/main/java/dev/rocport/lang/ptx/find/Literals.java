package dev.rocport.lang.ptx.find;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Reads string literals as their compilers do: the text, and the position of each character. The
 * bytes of a file are read as Latin-1; PTX is ASCII.
 */
public final class Literals {
  private final byte[] b;
  private final PtxText.Builder out = new PtxText.Builder();

  private Literals(byte[] bytes) {
    this.b = bytes;
  }

  /** Adjacent literals of C or C++, raw ones too; all between them is left out. */
  public static PtxText ofC(byte[] bytes, int start, int end) {
    Literals l = new Literals(bytes);
    int i = start;
    while (i < end) {
      byte c = bytes[i];
      if (c == '/' && i + 1 < end && (bytes[i + 1] == '/' || bytes[i + 1] == '*')) {
        i = l.comment(i, end);
      } else if (c == '"') {
        boolean raw = i > start && bytes[i - 1] == 'R';
        i = raw ? l.raw(i, end) : l.quoted(i, 1, end, Escapes.C);
      } else {
        i++;
      }
    }
    return l.out.build();
  }

  /**
   * The literals of Java of one text, in order; what is between them is left out.
   *
   * @param parts literals with their quotes, and the other parts of the text
   */
  public static PtxText ofJava(byte[] bytes, List<JavaPart> parts) {
    Literals l = new Literals(bytes);
    for (JavaPart part : parts) {
      switch (part) {
        case JavaPart.Literal(int start, int end) -> {
          if (end - start >= 6 && bytes[start + 1] == '"' && bytes[start + 2] == '"') {
            l.textBlock(start, end);
          } else {
            l.java(start + 1, end - 1);
          }
        }
        case JavaPart.Said(int start, int end, char c) -> l.out.put(c, start, end);
        case JavaPart.Unknown(int start, int end) -> l.out.put(PtxText.HOLE, start, end);
      }
    }
    return l.out.build();
  }

  /** A text block without the indentation that its lines share, as the Java language has it. */
  private void textBlock(int start, int end) {
    int from = start + 3;
    while (from < end && b[from] != '\n') {
      from++;
    }
    from++;
    int to = end - 3;
    int indent = indentation(from, to);
    int line = from;
    while (line <= to) {
      int next = line;
      while (next < to && b[next] != '\n') {
        next++;
      }
      boolean last = next >= to;
      int text = next > line && b[next - 1] == '\r' ? next - 1 : next;
      int stop = text;
      while (stop > line && isBlank(b[stop - 1])) {
        stop--;
      }
      java(Math.min(stop, line + indent), stop);
      boolean joined = stop > line && b[stop - 1] == '\\' && backslashes(line, stop) % 2 == 1;
      if (!last && !joined) {
        out.put('\n', text, next + 1);
      }
      line = next + 1;
    }
  }

  /** What all lines that say something begin with, and the last one in any case. */
  private int indentation(int from, int to) {
    int least = Integer.MAX_VALUE;
    int line = from;
    while (line <= to) {
      int next = line;
      int text = -1;
      while (next < to && b[next] != '\n') {
        if (text < 0 && !isBlank(b[next])) {
          text = next;
        }
        next++;
      }
      if (text >= 0 || next >= to) {
        least = Math.min(least, (text >= 0 ? text : next) - line);
      }
      line = next + 1;
    }
    return least;
  }

  private static boolean isBlank(byte c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\r';
  }

  private int backslashes(int from, int end) {
    int n = 0;
    while (end - 1 - n >= from && b[end - 1 - n] == '\\') {
      n++;
    }
    return n;
  }

  /** Characters and escapes of Java; one beyond Latin-1 is not known here. */
  private void java(int from, int to) {
    int i = from;
    while (i < to) {
      if (b[i] != '\\') {
        out.put((char) (b[i] & 0xff), i, i + 1);
        i++;
      } else if (i + 1 >= to) {
        return; // the line goes on with the next one
      } else {
        i = javaEscape(i, to);
      }
    }
  }

  private int javaEscape(int at, int to) {
    byte c = b[at + 1];
    switch (c) {
      case 'n' -> out.put('\n', at, at + 2);
      case 't' -> out.put('\t', at, at + 2);
      case 'r' -> out.put('\r', at, at + 2);
      case 'f' -> out.put('\f', at, at + 2);
      case 'b' -> out.put('\b', at, at + 2);
      case 's' -> out.put(' ', at, at + 2);
      case 'u' -> {
        int digits = at + 1;
        while (digits < to && b[digits] == 'u') {
          digits++;
        }
        int end = Math.min(to, digits + 4);
        int value = hex(digits, end);
        out.put(value >= 0 && value < 0x100 ? (char) value : PtxText.HOLE, at, end);
        return end;
      }
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        int end = at + 1;
        int most = c <= '3' ? 3 : 2;
        int value = 0;
        while (end < to && end < at + 1 + most && b[end] >= '0' && b[end] <= '7') {
          value = value * 8 + b[end++] - '0';
        }
        out.put((char) value, at, end);
        return end;
      }
      default -> out.put((char) (c & 0xff), at, at + 2);
    }
    return at + 2;
  }

  /** Adjacent literals of Python with any prefix; a field of an f-string is a hole. */
  public static PtxText ofPython(byte[] bytes, int start, int end) {
    Literals l = new Literals(bytes);
    int prefix = start;
    int i = start;
    while (i < end) {
      byte c = bytes[i];
      if (c == '#') {
        while (i < end && bytes[i] != '\n') {
          i++;
        }
        prefix = i;
      } else if (c == '"' || c == '\'') {
        String letters =
            new String(bytes, prefix, i - prefix, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
        int quotes = i + 2 < end && bytes[i + 1] == c && bytes[i + 2] == c ? 3 : 1;
        boolean raw = letters.indexOf('r') >= 0;
        boolean fields = letters.indexOf('f') >= 0 || letters.indexOf('t') >= 0;
        Escapes e =
            fields
                ? raw ? Escapes.PYTHON_RAW_FIELDS : Escapes.PYTHON_FIELDS
                : raw ? Escapes.PYTHON_RAW : Escapes.PYTHON;
        i = l.quoted(i, quotes, end, e);
        prefix = i;
      } else {
        i++;
        if (!Character.isLetter(c)) {
          prefix = i;
        }
      }
    }
    return l.out.build();
  }

  /**
   * A literal of MLIR or LLVM IR, quotes included: {@code \0A} is a character by its hex digits.
   */
  public static PtxText ofIr(byte[] bytes, int start, int end) {
    Literals l = new Literals(bytes);
    l.quoted(start, 1, end, Escapes.IR);
    return l.out.build();
  }

  private enum Escapes {
    C,
    PYTHON,
    PYTHON_RAW,
    PYTHON_FIELDS,
    PYTHON_RAW_FIELDS,
    IR;

    boolean isRaw() {
      return this == PYTHON_RAW || this == PYTHON_RAW_FIELDS;
    }

    boolean hasFields() {
      return this == PYTHON_FIELDS || this == PYTHON_RAW_FIELDS;
    }
  }

  private int comment(int at, int end) {
    int i = at + 2;
    if (b[at + 1] == '/') {
      while (i < end && b[i] != '\n') {
        i++;
      }
      return i;
    }
    while (i + 1 < end && !(b[i] == '*' && b[i + 1] == '/')) {
      i++;
    }
    return i + 2;
  }

  /** Reads {@code "tag(...)tag"}. */
  private int raw(int quote, int end) {
    int open = quote + 1;
    while (open < end && b[open] != '(') {
      open++;
    }
    int tag = open - quote - 1;
    for (int i = open + 1; i < end; i++) {
      if (b[i] == ')' && closes(i, quote, tag, end)) {
        return i + tag + 2;
      }
      out.put((char) (b[i] & 0xff), i, i + 1);
    }
    return end;
  }

  private boolean closes(int at, int quote, int tag, int end) {
    if (at + tag + 1 >= end || b[at + tag + 1] != '"') {
      return false;
    }
    for (int k = 1; k <= tag; k++) {
      if (b[at + k] != b[quote + k]) {
        return false;
      }
    }
    return true;
  }

  private int quoted(int open, int quotes, int end, Escapes escapes) {
    byte quote = b[open];
    int i = open + quotes;
    while (i < end) {
      byte c = b[i];
      if (c == quote && (quotes == 1 || isTriple(i, end))) {
        return i + quotes;
      }
      if (c == '\\' && i + 1 < end) {
        i = escapes.isRaw() ? keep(i) : escape(i, end, escapes);
      } else if (escapes.hasFields() && (c == '{' || c == '}')) {
        i = field(i, end);
      } else {
        out.put((char) (c & 0xff), i, i + 1);
        i++;
      }
    }
    return end;
  }

  private boolean isTriple(int i, int end) {
    return i + 2 < end && b[i + 1] == b[i] && b[i + 2] == b[i];
  }

  /** In a raw literal, a backslash is literal and escapes a following quote. */
  private int keep(int i) {
    out.put('\\', i, i + 1);
    out.put((char) (b[i + 1] & 0xff), i + 1, i + 2);
    return i + 2;
  }

  /** A brace twice is a brace; else all up to the one that closes the field is a hole. */
  private int field(int i, int end) {
    if (i + 1 < end && b[i + 1] == b[i]) {
      out.put((char) b[i], i, i + 2);
      return i + 2;
    }
    int depth = 0;
    int k = i;
    for (; k < end; k++) {
      if (b[k] == '{') {
        depth++;
      } else if (b[k] == '}' && --depth <= 0) {
        k++;
        break;
      }
    }
    out.put(PtxText.HOLE, i, k);
    return k;
  }

  private int escape(int at, int end, Escapes escapes) {
    byte c = b[at + 1];
    if (escapes == Escapes.IR) {
      int hex = at + 2 < end ? hex(at + 1, at + 3) : -1;
      if (hex >= 0) {
        out.put((char) hex, at, at + 3);
        return at + 3;
      }
    }
    switch (c) {
      case '\n' -> {
        return at + 2;
      }
      case '\r' -> {
        return at + (at + 2 < end && b[at + 2] == '\n' ? 3 : 2);
      }
      case 'n' -> out.put('\n', at, at + 2);
      case 't' -> out.put('\t', at, at + 2);
      case 'r' -> out.put('\r', at, at + 2);
      case 'v' -> out.put('\u000b', at, at + 2);
      case 'f' -> out.put('\f', at, at + 2);
      case 'x' -> {
        int to = at + 2;
        while (to < end && to < at + 4 && hex(to, to + 1) >= 0) {
          to++;
        }
        if (to > at + 2) {
          out.put((char) hex(at + 2, to), at, to);
          return to;
        }
        out.put('x', at, at + 2);
      }
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        int to = at + 1;
        int value = 0;
        while (to < end && to < at + 4 && b[to] >= '0' && b[to] <= '7') {
          value = value * 8 + b[to++] - '0';
        }
        out.put((char) (value & 0xff), at, to);
        return to;
      }
      case '"', '\'', '\\', '?' -> out.put((char) c, at, at + 2);
      default -> {
        if (escapes == Escapes.C) {
          out.put((char) (c & 0xff), at, at + 2);
        } else {
          return keep(at);
        }
      }
    }
    return at + 2;
  }

  /** The number that hex digits spell; -1 if they are none. */
  private int hex(int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(b[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value * 16 + digit;
    }
    return value;
  }
}
