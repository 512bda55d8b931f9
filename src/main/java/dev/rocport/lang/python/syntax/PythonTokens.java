package dev.rocport.lang.python.syntax;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The tokens of a file, without comments and blank lines. Offsets are bytes.
 *
 * <p>A string is one token with its prefix and quotes, an f-string with all its nested parts too.
 */
final class PythonTokens {
  static final byte NAME = 0;
  static final byte NUMBER = 1;
  static final byte STRING = 2;
  static final byte OP = 3;

  /** The end of a logical line; empty at the end of a file whose last line has no line end. */
  static final byte NEWLINE = 4;

  static final byte INDENT = 5;
  static final byte DEDENT = 6;
  static final byte END = 7;

  private final byte[] bytes;
  private byte[] kinds = new byte[256];
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private int count;

  PythonTokens(byte[] bytes) {
    this.bytes = bytes;
  }

  void add(byte kind, int start, int end) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    kinds[count] = kind;
    starts[count] = start;
    ends[count++] = end;
  }

  int count() {
    return count;
  }

  byte kind(int i) {
    return kinds[i];
  }

  int start(int i) {
    return starts[i];
  }

  int end(int i) {
    return ends[i];
  }

  String text(int i) {
    return new String(bytes, starts[i], ends[i] - starts[i], StandardCharsets.UTF_8);
  }

  /** True for a name or operator of exactly this ASCII text. */
  boolean is(int i, String text) {
    int n = text.length();
    if (ends[i] - starts[i] != n || (kinds[i] != NAME && kinds[i] != OP)) {
      return false;
    }
    for (int k = 0; k < n; k++) {
      if (bytes[starts[i] + k] != text.charAt(k)) {
        return false;
      }
    }
    return true;
  }

  /** True for an operator of one character. */
  boolean is(int i, char op) {
    return kinds[i] == OP && ends[i] - starts[i] == 1 && bytes[starts[i]] == op;
  }

  /** True if the token is one of these words. */
  boolean isOneOf(int i, List<String> words) {
    for (String word : words) {
      if (is(i, word)) {
        return true;
      }
    }
    return false;
  }
}
