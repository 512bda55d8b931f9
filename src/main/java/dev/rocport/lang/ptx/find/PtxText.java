package dev.rocport.lang.ptx.find;

import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text, and the position of each of its characters in the file. */
public final class PtxText {
  /** Stands for a part that is known at run time only, such as a field of an f-string. */
  public static final char HOLE = '\ufffc';

  private final String text;
  private final int[] starts;
  private final int[] ends;

  private PtxText(String text, int[] starts, int[] ends) {
    this.text = text;
    this.starts = starts;
    this.ends = ends;
  }

  /** A file that is all such text: a character a byte. */
  static PtxText of(SourceFile file) {
    return new PtxText(
        new String(file.bytes(), StandardCharsets.ISO_8859_1), new int[0], new int[0]);
  }

  /** This text, which is in another one: its places are those of the other's file. */
  public PtxText within(PtxText outer) {
    int n = text.length();
    int[] s = new int[n];
    int[] e = new int[n];
    for (int i = 0; i < n; i++) {
      s[i] = outer.start(start(i));
      e[i] = outer.end(end(i + 1));
    }
    return new PtxText(text, s, e);
  }

  public String text() {
    return text;
  }

  /** Offset in the file of the first byte of the character at {@code i}. */
  public int start(int i) {
    if (starts.length == 0) {
      return i;
    }
    return i < starts.length ? starts[i] : ends[ends.length - 1];
  }

  /** Offset in the file after the last byte of a stretch that ends before {@code i}. */
  public int end(int i) {
    return starts.length == 0 || i == 0 ? start(i) : ends[Math.min(i, ends.length) - 1];
  }

  /** Puts a text together from the characters of literals. */
  static final class Builder {
    private final StringBuilder text = new StringBuilder();
    private int[] starts = new int[64];
    private int[] ends = new int[64];

    void put(char c, int start, int end) {
      int n = text.length();
      if (n == starts.length) {
        starts = Arrays.copyOf(starts, 2 * n);
        ends = Arrays.copyOf(ends, 2 * n);
      }
      starts[n] = start;
      ends[n] = end;
      text.append(c);
    }

    PtxText build() {
      int n = text.length();
      return new PtxText(text.toString(), Arrays.copyOf(starts, n), Arrays.copyOf(ends, n));
    }
  }
}
