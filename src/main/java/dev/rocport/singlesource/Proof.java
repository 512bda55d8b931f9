package dev.rocport.singlesource;

import dev.rocport.core.source.SourceFile;
import java.util.Arrays;

/** Proves that a ported file without its gates is the original, in two ways that must agree. */
final class Proof {
  private Proof() {}

  /**
   * Returns the obstacle; empty if removing the gates gives the original byte for byte.
   *
   * @param original the original file; may have gates of its own
   */
  static String failure(SourceFile original, SourceFile ported) {
    byte[] before = Gates.strip(original);
    byte[] after = Gates.strip(ported);
    if (!Arrays.equals(before, after)) {
      return "without the rocport gates, line "
          + line(after, Arrays.mismatch(before, after))
          + " differs from the original";
    }
    // Resolves gates of any origin as a preprocessor does.
    byte[] old = PreprocessorView.of(original).bytes();
    byte[] view = PreprocessorView.of(ported).bytes();
    if (!Arrays.equals(old, view)) {
      return "in an NVIDIA build, line "
          + line(view, Arrays.mismatch(old, view))
          + " differs from the original";
    }
    return "";
  }

  private static int line(byte[] b, int offset) {
    int line = 1;
    for (int i = 0; i < Math.min(offset, b.length); i++) {
      line += b[i] == '\n' ? 1 : 0;
    }
    return line;
  }
}
