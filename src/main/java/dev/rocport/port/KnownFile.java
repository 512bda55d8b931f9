package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of one file in the state of a port.
 *
 * @param path relative path in the output, with {@code /}
 * @param source its path in the original; empty for rocport's own headers
 * @param made the original and the output of the last port
 * @param pending a port that must be merged by hand
 * @param edited the file in place was edited by hand before it was ported again; in an output
 *     folder, the file existed before and a person merged the port into it
 * @param shims headers of rocport that it includes
 * @param result the reported result
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
   * An original and its output.
   *
   * @param original SHA-256 of the original
   * @param output SHA-256 of the ported content; empty if rocport wrote nothing
   * @param key identifies the rules, options and project of the port
   */
  record Made(String original, String output, String key) {}

  KnownFile {
    shims = List.copyOf(shims);
  }

  /** Returns the same file after a person has merged the pending port. */
  KnownFile settled() {
    return pending == null
        ? this
        : new KnownFile(
            path, source, pending, null, edited || made.output().isEmpty(), shims, result);
  }
}
