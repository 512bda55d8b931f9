package dev.rocport.lang.cuda.embedded;

import dev.rocport.rules.Changes;
import java.util.List;

/**
 * Ported kernel source from a string in another file.
 *
 * @param changes the changes of the source as a separate file, for {@link Changes#adopt}
 * @param shims rocport headers that it needs, without {@code rocport/}
 */
public record Kernel(Changes changes, List<String> shims) {
  public Kernel {
    shims = List.copyOf(shims);
  }
}
