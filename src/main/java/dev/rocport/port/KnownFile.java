package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the state of a port remembers of one file.
 *
 * @param path where it lies in the output, relative, with {@code /}
 * @param source its path in the original; empty for rocport's own headers
 * @param made how the output came to be
 * @param pending a port that waits for a person to merge it
 * @param edited the file in place was edited by hand before it was ported again; in an output, the
 *     file there was never rocport's: a person merged the port into one that stood there before
 * @param shims headers of rocport that it includes
 * @param result what was reported
 */
record KnownFile(
    String path,
    String source,
    Made made,
    @Nullable Made pending,
    boolean edited,
    List<String> shims,
    FileResult result) {
  /**
   * An original and what it became.
   *
   * @param original SHA-256 of the original
   * @param output SHA-256 of what rocport made of it; empty where rocport wrote nothing
   * @param key rules, options and project it was made with
   */
  record Made(String original, String output, String key) {}

  KnownFile {
    shims = List.copyOf(shims);
  }

  /** The same file once a person has merged what was pending. */
  KnownFile settled() {
    return pending == null
        ? this
        : new KnownFile(
            path, source, pending, null, edited || made.output().isEmpty(), shims, result);
  }
}
