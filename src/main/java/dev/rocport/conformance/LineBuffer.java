package dev.rocport.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The line that a process is writing. Of one that does not end, only the beginning is kept. */
final class LineBuffer {
  static final int MOST = 1 << 22;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  void add(byte b) {
    if (bytes.size() < MOST) {
      bytes.write(b);
    }
  }

  boolean isEmpty() {
    return bytes.size() == 0;
  }

  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Returns the text, and begins the next line. */
  String take() {
    String text = text();
    bytes.reset();
    return text;
  }
}
