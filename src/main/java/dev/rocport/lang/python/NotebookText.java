package dev.rocport.lang.python;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds the text of cells, with the origin of each of its bytes. */
final class NotebookText {
  private final byte[] json;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private int size;

  NotebookText(byte[] json) {
    this.json = json;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  int size() {
    return size;
  }

  int[] starts() {
    return Arrays.copyOf(starts, size);
  }

  int[] ends() {
    return Arrays.copyOf(ends, size);
  }

  int end() {
    return ends[size - 1];
  }

  void put(int b, int start, int end) {
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
    }
    bytes.write(b);
    starts[size] = start;
    ends[size++] = end;
  }

  void add(NotebookText other, byte[] as) {
    for (int i = 0; i < as.length; i++) {
      put(as[i], other.starts[i], other.ends[i]);
    }
  }

  /** Adds the value of a JSON string. */
  void string(int quote) {
    int i = quote + 1;
    while (json[i] != '"') {
      if (json[i] != '\\') {
        put(json[i], i, i + 1);
        i++;
        continue;
      }
      switch (json[i + 1]) {
        case 'u' -> i = unicode(i);
        default -> {
          put(escaped(json[i + 1]), i, i + 2);
          i += 2;
        }
      }
    }
  }

  private static int escaped(byte letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> letter;
    };
  }

  private int unicode(int at) {
    int high = hex(at);
    int end = at + 6;
    String text = Character.toString(high);
    if (Character.isHighSurrogate((char) high) && json[end] == '\\' && json[end + 1] == 'u') {
      int low = hex(end);
      if (Character.isLowSurrogate((char) low)) {
        text = Character.toString(Character.toCodePoint((char) high, (char) low));
        end += 6;
      }
    }
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      put(b, at, end);
    }
    return end;
  }

  private int hex(int at) {
    return Integer.parseInt(new String(json, at + 2, 4, StandardCharsets.US_ASCII), 16);
  }
}
