package dev.rocport.lang.cuda.embedded;

import dev.rocport.rules.Changes;
import java.util.List;

/**
 * Kernel source that a string of another file holds, ported.
 *
 * @param changes of the source as a file of its own, to be given to {@link Changes#adopt}
 * @param shims headers of rocport's own that it needs, without {@code rocport/}
 */
public record Kernel(Changes changes, List<String> shims) {
  public Kernel {
    shims = List.copyOf(shims);
  }
}
