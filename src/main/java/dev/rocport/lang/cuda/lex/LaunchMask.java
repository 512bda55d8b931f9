package dev.rocport.lang.cuda.lex;

/** Writes launches so that a C++ parser reads them, at the same offsets. */
public final class LaunchMask {
  private LaunchMask() {}

  /** The file's bytes with {@code <<<} and {@code >>>} of launches as brackets between blanks. */
  public static byte[] mask(Tokens t) {
    byte[] bytes = t.file().bytes().clone();
    for (int i = 0; i < Math.min(t.start(0), bytes.length); i++) {
      if (bytes[i] < 0) {
        bytes[i] = ' '; // a byte order mark, which the parser would take for a name
      }
    }
    Launches launches = Launches.of(t);
    for (int n = 0; n < launches.count(); n++) {
      int close = launches.close(n);
      if (close > 0) {
        write(t, bytes, launches.open(n), "(  ");
        write(t, bytes, close, "  )");
      }
    }
    return bytes;
  }

  private static void write(Tokens t, byte[] bytes, int first, String text) {
    for (int k = 0; k < text.length(); k++) {
      bytes[t.start(first + k)] = (byte) text.charAt(k);
    }
  }
}
