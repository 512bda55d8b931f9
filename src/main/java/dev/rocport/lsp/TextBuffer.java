package dev.rocport.lsp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;

/**
 * The text of an open document. Positions count lines from 0 and UTF-16 code units; a line ends at
 * {@code \n}, {@code \r\n} or {@code \r}. Immutable.
 */
final class TextBuffer {
  private final String text;
  private final int version;
  private final int[] lines;
  private final byte[] bytes;

  TextBuffer(String text, int version) {
    this.text = text;
    this.version = version;
    this.lines = lines(text);
    this.bytes = text.getBytes(StandardCharsets.UTF_8);
  }

  String text() {
    return text;
  }

  int version() {
    return version;
  }

  /** The text as UTF-8; not a copy. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the text after a change by the client. */
  TextBuffer with(TextDocumentContentChangeEvent change, int newVersion) {
    Range range = change.getRange();
    if (range == null) {
      return new TextBuffer(change.getText(), newVersion);
    }
    int start = offset(range.getStart());
    int end = Math.max(start, offset(range.getEnd()));
    return new TextBuffer(
        text.substring(0, start) + change.getText() + text.substring(end), newVersion);
  }

  /** Returns the index in the text; a position behind the end of a line means its end. */
  int offset(Position p) {
    if (p.getLine() < 0 || p.getLine() >= lines.length) {
      return p.getLine() < 0 ? 0 : text.length();
    }
    int start = lines[p.getLine()];
    return Math.min(start + Math.max(0, p.getCharacter()), lineEnd(p.getLine()));
  }

  /** Returns the place of an index of the text. */
  Position position(int offset) {
    int found = Arrays.binarySearch(lines, offset);
    int line = found >= 0 ? found : -found - 2;
    return new Position(line, offset - lines[line]);
  }

  /** Returns the index of the character at a byte of the text in UTF-8. */
  int index(int byteOffset) {
    if (bytes.length == text.length()) {
      return Math.min(byteOffset, text.length());
    }
    int at = 0;
    int i = 0;
    while (i < text.length() && at < byteOffset) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      at += pair ? 4 : Character.isSurrogate(c) || c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      i += pair ? 2 : 1;
    }
    return i;
  }

  /** Returns the index after the last character of a line, its line end excluded. */
  int lineEnd(int line) {
    int end = line + 1 < lines.length ? lines[line + 1] : text.length();
    int start = lines[line];
    while (end > start && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return end;
  }

  /** Number of lines. */
  int lines() {
    return lines.length;
  }

  /** Returns the text of a line without its line end; empty if there is no such line. */
  String line(int line) {
    return line < 0 || line >= lines.length ? "" : text.substring(lines[line], lineEnd(line));
  }

  private static int[] lines(String text) {
    int[] found = new int[16];
    int n = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean ends =
          c == '\n' || (c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n'));
      if (ends) {
        found = n == found.length ? Arrays.copyOf(found, 2 * n) : found;
        found[n++] = i + 1;
      }
    }
    return Arrays.copyOf(found, n);
  }
}
