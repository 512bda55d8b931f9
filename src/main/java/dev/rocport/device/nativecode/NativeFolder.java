package dev.rocport.device.nativecode;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.io.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code rocport/native} of the user's cache, which only the user may write: libraries by content,
 * and what they are compiled of. A library ends in the SHA-256 of what is before, since a damaged
 * one would end the process that loads it; loaders do not read that far.
 */
final class NativeFolder {
  private static final String WORK = "new";
  private static final String LIBRARY = ".so";
  private static final String REGIONS = ".regions";
  private static final int HASH = 32;

  /** Files that are kept, libraries of 20 to 130 KB. */
  private static final int MOST = 4000;

  private final Path folder;

  /** Opens the folder, which need not exist. */
  NativeFolder() throws IOException {
    folder = UserFolders.cache(System.getenv()).resolve("native");
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  /** The library of a key, whether it exists or not. */
  Path library(String key) {
    return folder.resolve(key + LIBRARY);
  }

  /** The functions of a code object. */
  KeptRegions regions(String key) {
    return KeptRegions.shared(folder.resolve(key + REGIONS));
  }

  /** A new folder to work in. */
  Path work() throws IOException {
    return Files.createTempDirectory(folder, WORK);
  }

  /** Moves a library to its place. */
  void put(Path library, Path place) throws IOException {
    trim();
    Files.write(
        library, Sha256.digest().digest(Files.readAllBytes(library)), StandardOpenOption.APPEND);
    Files.move(library, place, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Whether a library is as it was put here. */
  static boolean isWhole(Path library) throws IOException {
    byte[] all = Files.readAllBytes(library);
    if (all.length <= HASH) {
      return false;
    }
    int end = all.length - HASH;
    MessageDigest digest = Sha256.digest();
    digest.update(all, 0, end);
    return Arrays.equals(digest.digest(), Arrays.copyOfRange(all, end, all.length));
  }

  /** Deletes the oldest files if there are too many. Loaded libraries stay mapped. */
  private void trim() throws IOException {
    Map<Path, FileTime> ages = new HashMap<>();
    for (Path file : Folders.list(folder)) {
      if (file.toString().endsWith(LIBRARY) || file.toString().endsWith(REGIONS)) {
        ages.put(file, Files.getLastModifiedTime(file));
      } else if (isAbandoned(file)) {
        Folders.delete(file);
      }
    }
    if (ages.size() > MOST) {
      List<Path> oldest = new ArrayList<>(ages.keySet());
      oldest.sort(Comparator.comparing(ages::get));
      for (Path file : oldest.subList(0, MOST / 4)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** A folder that a process was ended in. */
  private static boolean isAbandoned(Path file) throws IOException {
    Instant old = Instant.now().minus(Duration.ofHours(1));
    return Files.isDirectory(file)
        && String.valueOf(file.getFileName()).startsWith(WORK)
        && Files.getLastModifiedTime(file).toInstant().isBefore(old);
  }

  /** What the processor has, as the system tells it. */
  static String processor() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines.filter(l -> l.startsWith("flags")).findFirst().orElse("");
    }
  }
}
