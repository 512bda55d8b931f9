package dev.rocport.cuda;

/** Writes launches so that a C++ parser reads them, at the same offsets. */
final class LaunchMask {
  private LaunchMask() {}

  /** The file's bytes with {@code <<<} and {@code >>>} of launches as brackets between blanks. */
  static byte[] mask(Tokens t) {
    byte[] bytes = t.file().bytes().clone();
    Launches launches = Launches.of(t);
    for (int n = 0; n < launches.count(); n++) {
      int close = launches.close(n);
      if (close > 0) {
        write(bytes, t.start(launches.open(n)), "(  ");
        write(bytes, t.start(close), "  )");
      }
    }
    return bytes;
  }

  private static void write(byte[] bytes, int at, String text) {
    for (int k = 0; k < text.length(); k++) {
      bytes[at + k] = (byte) text.charAt(k);
    }
  }
}
