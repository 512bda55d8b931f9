package dev.rocport.verify;

import dev.rocport.io.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The working folder of a verification: a user's folder that is kept, or a temporary one. */
public final class WorkFolder implements AutoCloseable {
  private final Path path;
  private final Optional<TemporaryFolder> temporary;

  private WorkFolder(Path path, Optional<TemporaryFolder> temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  /**
   * A folder.
   *
   * @param kept the folder that stays; empty for one that does not
   */
  public static WorkFolder of(Optional<Path> kept) throws IOException {
    if (kept.isPresent()) {
      return new WorkFolder(Files.createDirectories(kept.get()).toRealPath(), Optional.empty());
    }
    TemporaryFolder temporary = TemporaryFolder.create("rocport-verify");
    return new WorkFolder(temporary.path(), Optional.of(temporary));
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    if (temporary.isPresent()) {
      temporary.get().close();
    }
  }
}
