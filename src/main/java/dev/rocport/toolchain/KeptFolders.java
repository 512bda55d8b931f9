package dev.rocport.toolchain;

import dev.rocport.io.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/** Folders that are created once and kept until they are unused for a month. */
public final class KeptFolders {
  private static final Duration KEPT = Duration.ofDays(30);

  private KeptFolders() {}

  /** Notes that a folder is in use. */
  public static void touch(Path folder) throws IOException {
    if (Files.isWritable(folder)) {
      Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
    }
  }

  /** What was last used before this time is forgotten. */
  public static Instant oldest() {
    return Instant.now().minus(KEPT);
  }

  /** Deletes unused children of a folder whose names match. */
  public static void forgetOld(Path parent, Predicate<String> names) throws IOException {
    Instant oldest = oldest();
    for (Path child : Folders.list(parent)) {
      if (names.test(String.valueOf(child.getFileName()))
          && Files.getLastModifiedTime(child, LinkOption.NOFOLLOW_LINKS)
              .toInstant()
              .isBefore(oldest)) {
        Folders.delete(child);
      }
    }
  }
}
