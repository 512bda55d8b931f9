package dev.rocport.singlesource;

import java.nio.charset.StandardCharsets;

/** The lines of rocport gates: each is a whole line, recognized by its full text. */
enum GateLine {
  /** AMD code follows. */
  AMD("#if defined(__HIP_PLATFORM_AMD__) /* rocport */"),
  /** AMD code follows that defines or undefines macros around a condition of the original. */
  GUARD("#if defined(__HIP_PLATFORM_AMD__) /* rocport guard */"),
  /** NVIDIA code follows. */
  NVIDIA("#if !defined(__HIP_PLATFORM_AMD__) /* rocport */"),
  /** The original code follows. */
  ELSE("#else /* rocport */"),
  /** End of a gate. */
  CLOSE("#endif /* rocport */"),
  /** End of a gate and of a file whose last line has no line end. */
  CLOSE_NO_NEWLINE("#endif /* rocport, no newline */"),
  /** Any other line. */
  NONE("");

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // never written after construction
  private final byte[] bytes;

  GateLine(String text) {
    this.text = text;
    this.bytes = text.getBytes(StandardCharsets.US_ASCII);
  }

  String text() {
    return text;
  }

  boolean opens() {
    return this == AMD || this == GUARD || this == NVIDIA;
  }

  boolean closes() {
    return this == CLOSE || this == CLOSE_NO_NEWLINE;
  }

  /** Returns the kind of the line from {@code from} to {@code to}, excluding the line end. */
  static GateLine of(byte[] b, int from, int to) {
    if (to - from < 8 || b[from] != '#') {
      return NONE;
    }
    for (GateLine line : values()) {
      if (line != NONE && java.util.Arrays.equals(b, from, to, line.bytes, 0, line.bytes.length)) {
        return line;
      }
    }
    return NONE;
  }
}
