package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A repository on the disk of the machine that audits it.
 *
 * @param root its root
 * @param temporary what is deleted afterwards; null if the source itself is read
 */
record Checkout(Path root, @Nullable Path temporary) implements AutoCloseable {
  static Checkout of(Source source, WorkSettings settings)
      throws Failure, IOException, InterruptedException {
    if (source.kind() == Source.Kind.FOLDER) {
      return new Checkout(folder(Path.of(source.location())), null);
    }
    Path temporary = Files.createTempDirectory("rocport-fleet-");
    try {
      return new Checkout(fetch(source, settings, temporary), temporary);
    } catch (Failure | IOException | InterruptedException | RuntimeException e) {
      Folders.delete(temporary);
      throw e;
    }
  }

  private static Path fetch(Source source, WorkSettings settings, Path temporary)
      throws Failure, IOException, InterruptedException {
    Path folder = temporary.resolve("content");
    if (source.kind() == Source.Kind.GIT) {
      GitClone.of(source, folder, settings.timeLimit(), settings.sizeLimitBytes());
      return folder;
    }
    Files.createDirectory(folder);
    return TarContent.unpack(
        archive(source, settings, temporary), folder, settings.sizeLimitBytes());
  }

  private static Path archive(Source source, WorkSettings settings, Path temporary)
      throws Failure, IOException, InterruptedException {
    if (source.kind() == Source.Kind.ARCHIVE) {
      return Path.of(source.location());
    }
    Path copy = temporary.resolve(source.key() + SourceList.archiveEnd(source.location()));
    RemoteArchive.fetch(source, copy, settings);
    return copy;
  }

  private static Path folder(Path folder) throws Failure {
    if (!Files.exists(folder)) {
      throw new Failure(Failure.Kind.UNREADABLE, "no such folder");
    }
    if (!Files.isDirectory(folder)) {
      throw new Failure(
          Failure.Kind.UNREADABLE, "neither a folder nor an archive (.tar, .tar.gz, .tgz)");
    }
    if (!Files.isReadable(folder) || !Files.isExecutable(folder)) {
      throw new Failure(Failure.Kind.UNREADABLE, "permission denied");
    }
    return folder;
  }

  @Override
  public void close() throws IOException {
    if (temporary != null) {
      Folders.delete(temporary);
    }
  }
}
