package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A new folder below {@code installs}, which gets its name once all in it was tried; until then
 * nothing that others read has changed. Gone with all that is in it where that does not happen.
 */
final class Staging implements AutoCloseable {
  private static final String PREFIX = ".staging-";

  private final Path home;
  private final Path installs;
  private final Path folder;
  private final Thread cleaner;

  private Staging(Path home, Path installs, Path folder) {
    this.home = home;
    this.installs = installs;
    this.folder = folder;
    this.cleaner = Thread.ofPlatform().unstarted(() -> quietlyDelete(folder));
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** A new one in a toolchain home; the caller holds its {@link InstallLock}. */
  static Staging in(Path home) throws IOException {
    Path installs = Files.createDirectories(home.resolve("installs"));
    // Remains of an installation that was killed.
    for (Path p : Folders.list(installs)) {
      if (String.valueOf(p.getFileName()).startsWith(PREFIX)) {
        quietlyDelete(p);
      }
    }
    return new Staging(home, installs, Files.createTempDirectory(installs, PREFIX).toRealPath());
  }

  Path folder() {
    return folder;
  }

  /** For downloads and trials; not there any more in what is published. */
  Path scratch() {
    return folder.resolve(".work");
  }

  /** Where the folder will be under a name. */
  Path target(String name) throws IOException {
    return installs.toRealPath().resolve(name);
  }

  /** Refuses early: apt itself waits forever when the disk fills up while it writes its lists. */
  void room(long bytes) throws IOException, ToolchainException {
    // Files.getFileStore needs a mount point, which a chroot does not have
    long free = folder.toFile().getUsableSpace();
    if (free < bytes) {
      throw new ToolchainException(
          "an installation needs up to %d MB of disk space, but %s has only %d MB: free some space, or"
                  .formatted(bytes / 1_000_000, home, free / 1_000_000)
              + " set ROCPORT_TOOLCHAIN to a folder on another disk");
    }
  }

  /**
   * Moves the folder to its final name, replacing an older one of that name.
   *
   * @param link name in the home of the link to the folder in use
   */
  void publish(String name, String link) throws IOException {
    Folders.delete(scratch());
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path target = installs.resolve(name);
    if (Files.exists(target)) {
      Path old = Files.createTempDirectory(installs, PREFIX + "old-");
      Files.move(target, old.resolve(name));
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
      Folders.delete(old);
    } else {
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    }
    Path fresh = home.resolve("." + link + "-new");
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, Path.of("installs").resolve(name));
    Files.move(
        fresh,
        home.resolve(link),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() {
    quietlyDelete(folder);
    if (!Thread.currentThread().isInterrupted()) {
      try {
        Runtime.getRuntime().removeShutdownHook(cleaner);
      } catch (IllegalStateException e) {
        // Already shutting down: the hook runs.
      }
    }
  }

  private static void quietlyDelete(Path folder) {
    for (int attempt = 0; attempt < 3; attempt++) {
      try {
        Folders.delete(folder);
        return;
      } catch (IOException e) {
        // Another program may still be writing there; the next installation cleans up.
      }
    }
  }
}
