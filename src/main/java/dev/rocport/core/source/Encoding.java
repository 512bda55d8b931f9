package dev.rocport.core.source;

/** The encoding of a file. Only ASCII-compatible encodings can be ported. */
public enum Encoding {
  /** Valid UTF-8, ASCII included. */
  UTF8,
  /** UTF-8 after a byte order mark. */
  UTF8_BOM,
  /** Bytes above 0x7f that are not UTF-8: Latin-1 or a code page; ported byte by byte. */
  EIGHT_BIT,
  /** UTF-16 or UTF-32, detected by a byte order mark or by alternating zero bytes. */
  WIDE,
  /** Zero bytes or an executable's magic: not text. */
  BINARY;

  /**
   * True where identifiers and punctuation are single ASCII bytes, so that the token pass works.
   */
  public boolean isText() {
    return this == UTF8 || this == UTF8_BOM || this == EIGHT_BIT;
  }

  /**
   * Tells the encoding of a whole file.
   *
   * @param bytes the file's content
   */
  public static Encoding of(byte[] bytes) {
    int n = bytes.length;
    if (n >= 2 && (starts(bytes, 0xff, 0xfe) || starts(bytes, 0xfe, 0xff))) {
      return WIDE;
    }
    boolean ascii = true;
    for (int i = 0; i < n; i++) {
      byte b = bytes[i];
      if (b == 0) {
        return looksWide(bytes) ? WIDE : BINARY;
      }
      ascii &= b > 0;
    }
    if (ascii) {
      return UTF8;
    }
    if (!isUtf8(bytes)) {
      return EIGHT_BIT;
    }
    return n >= 3 && starts(bytes, 0xef, 0xbb, 0xbf) ? UTF8_BOM : UTF8;
  }

  private static boolean starts(byte[] bytes, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if ((bytes[i] & 0xff) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  /** Text in UTF-16 without a mark has a zero in nearly every second byte. */
  private static boolean looksWide(byte[] bytes) {
    int n = Math.min(bytes.length & ~1, 512);
    int even = 0;
    int odd = 0;
    for (int i = 0; i < n; i += 2) {
      even += bytes[i] == 0 ? 1 : 0;
      odd += bytes[i + 1] == 0 ? 1 : 0;
    }
    int pairs = n / 2;
    return pairs >= 2
        && (Math.max(even, odd) > pairs * 3 / 4)
        && Math.min(even, odd) < pairs / 8 + 1;
  }

  private static boolean isUtf8(byte[] bytes) {
    int i = 0;
    int n = bytes.length;
    while (i < n) {
      int b = bytes[i] & 0xff;
      int more;
      if (b < 0x80) {
        more = 0;
      } else if (b >= 0xc2 && b < 0xe0) {
        more = 1;
      } else if (b >= 0xe0 && b < 0xf0) {
        more = 2;
      } else if (b >= 0xf0 && b < 0xf5) {
        more = 3;
      } else {
        return false;
      }
      for (int k = 1; k <= more; k++) {
        if (i + k >= n || (bytes[i + k] & 0xc0) != 0x80) {
          return false;
        }
      }
      i += more + 1;
    }
    return true;
  }
}
