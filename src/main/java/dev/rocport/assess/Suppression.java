package dev.rocport.assess;

import dev.rocport.core.result.Finding;
import java.util.function.Predicate;

/**
 * An entry {@code suppress} of the configuration.
 *
 * @param rule the id; {@code *} matches any characters
 * @param glob the files, as written
 * @param files matches the relative paths of the glob
 * @param reason why; may be empty
 * @param file the configuration, relative to the root of the tree
 * @param entry 1-based number of the entry
 */
public record Suppression(
    String rule, String glob, Predicate<String> files, String reason, String file, int entry) {

  /** Returns whether it suppresses a finding. */
  public boolean covers(Finding f) {
    return InlineSuppressions.names(rule, f.rule()) && files.test(f.path());
  }

  String where() {
    return file + ": suppress entry " + entry;
  }
}
