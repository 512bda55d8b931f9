package dev.rocport.core.source;

import dev.rocport.io.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One file in memory: its bytes are authoritative, everything else is derived.
 *
 * <p>Not thread-safe for the first calls of {@link #line} and {@link #hash}; a file belongs to one
 * worker.
 */
public final class SourceFile {
  private final String path;
  private final byte[] bytes;
  private final Encoding encoding;
  private int[] lineStarts = {};
  private String hash = "";

  /**
   * @param path the path as reports show it: relative to the tree's root, with {@code /}
   * @param bytes the content; not copied, must not be changed afterwards
   */
  public SourceFile(String path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
    this.encoding = Encoding.of(bytes);
  }

  /** A file of UTF-8 text, for snippets. */
  public static SourceFile of(String path, String text) {
    return new SourceFile(path, text.getBytes(StandardCharsets.UTF_8));
  }

  public String path() {
    return path;
  }

  /** The content itself, not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return bytes.length;
  }

  /** Returns the SHA-256 of the content, see {@link Sha256}. */
  public String hash() {
    if (hash.isEmpty()) {
      hash = Sha256.of(bytes);
    }
    return hash;
  }

  public Encoding encoding() {
    return encoding;
  }

  /**
   * The bytes from {@code start} to {@code end} as text; bytes that are not UTF-8 stay readable.
   */
  public String text(int start, int end) {
    return new String(
        bytes,
        start,
        end - start,
        encoding == Encoding.EIGHT_BIT ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** 1-based line of a byte offset. */
  public int line(int offset) {
    int at = Arrays.binarySearch(starts(), offset);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** 1-based column of a byte offset, counted in bytes. */
  public int column(int offset) {
    return offset - starts()[line(offset) - 1] + 1;
  }

  /** Number of lines; a last line without a line end counts. */
  public int lines() {
    int[] s = starts();
    return s[s.length - 1] == bytes.length && bytes.length > 0 ? s.length - 1 : s.length;
  }

  /** Offset of the first byte of a 1-based line. */
  public int lineStart(int line) {
    return starts()[line - 1];
  }

  /** Offset just after the last byte of a 1-based line, its line end not included. */
  public int lineEnd(int line) {
    int[] s = starts();
    int end = line < s.length ? s[line] : bytes.length;
    int start = s[line - 1];
    if (end > start && bytes[end - 1] == '\n') {
      end--;
    }
    if (end > start && bytes[end - 1] == '\r') {
      end--;
    }
    return end;
  }

  /** The line end that this file uses first: {@code "\r\n"} or {@code "\n"}. */
  public String newline() {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        return i > 0 && bytes[i - 1] == '\r' ? "\r\n" : "\n";
      }
    }
    return "\n";
  }

  /**
   * The same text with each lone carriage return, the line end of old Macs, as a line feed, at the
   * same offsets: compilers end a line there, comments included. This file itself where there is
   * none.
   */
  public SourceFile withLineFeeds() {
    int at = loneReturn(0);
    if (at < 0) {
      return this;
    }
    byte[] view = bytes.clone();
    for (; at >= 0; at = loneReturn(at + 1)) {
      view[at] = '\n';
    }
    return new SourceFile(path, view);
  }

  /** Returns whether an ASCII text occurs anywhere in the bytes. */
  public boolean holds(String text) {
    byte first = (byte) text.charAt(0);
    int last = bytes.length - text.length();
    for (int i = 0; i <= last; i++) {
      int k = bytes[i] == first ? 1 : 0;
      while (k > 0 && k < text.length()) {
        k = bytes[i + k] == text.charAt(k) ? k + 1 : 0;
      }
      if (k > 0) {
        return true;
      }
    }
    return false;
  }

  /** True if some line ends in a line feed. */
  public boolean hasLineFeeds() {
    for (byte b : bytes) {
      if (b == '\n') {
        return true;
      }
    }
    return false;
  }

  /** The next carriage return of a run that no line feed ends, or -1. */
  private int loneReturn(int from) {
    int i = from;
    while (i < bytes.length) {
      if (bytes[i] != '\r') {
        i++;
        continue;
      }
      int end = i + 1;
      while (end < bytes.length && bytes[end] == '\r') {
        end++;
      }
      if (end == bytes.length || bytes[end] != '\n') {
        return i;
      }
      i = end;
    }
    return -1;
  }

  private int[] starts() {
    if (lineStarts.length == 0) {
      int count = 1;
      for (byte b : bytes) {
        count += b == '\n' ? 1 : 0;
      }
      int[] s = new int[count];
      int k = 1;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          s[k++] = i + 1;
        }
      }
      lineStarts = s;
    }
    return lineStarts;
  }
}
