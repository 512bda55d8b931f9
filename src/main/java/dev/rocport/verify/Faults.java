package dev.rocport.verify;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The faults to plant in ports.
 *
 * @param wanted whether any are
 * @param file with the faults; empty for those that each fixture names itself
 */
public record Faults(boolean wanted, Optional<Path> file) {
  public static final Faults NONE = new Faults(false, Optional.empty());

  Optional<Path> of(Fixture fixture) {
    if (!wanted) {
      return Optional.empty();
    }
    return file.isPresent() ? file : fixture.faults().map(fixture.folder()::resolve);
  }
}
