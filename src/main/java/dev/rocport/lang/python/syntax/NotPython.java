package dev.rocport.lang.python.syntax;

import java.io.Serial;

/** Thrown if no grammar rule applies; caught at the next line. */
final class NotPython extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int offset;
  private final String text;

  NotPython(int offset, String text) {
    super(text, null, false, false);
    this.offset = offset;
    this.text = text;
  }

  int offset() {
    return offset;
  }

  String text() {
    return text;
  }
}
