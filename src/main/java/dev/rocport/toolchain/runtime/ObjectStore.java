package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Object files under the hash of all that goes into them: the compiler, its flags, the source and
 * what that includes with quotation marks. Used by one build at a time.
 */
final class ObjectStore {
  private static final Pattern INCLUDE =
      Pattern.compile("^\\s*#\\s*include\\s+\"([^\"]+)\"", Pattern.MULTILINE);

  private final Path folder;
  private final String compiler;

  /**
   * @param compiler text that differs where the same sources make other objects
   */
  ObjectStore(Path folder, String compiler) {
    this.folder = folder;
    this.compiler = compiler;
  }

  /** Writes the object of a source to a file. */
  @FunctionalInterface
  interface Compile {
    void to(Path object) throws IOException, ToolchainException;
  }

  /**
   * The object of a source.
   *
   * @param generated where headers are that are not beside what includes them
   * @param compile makes it where it is not there
   */
  Path object(Path source, Path generated, Compile compile) throws IOException, ToolchainException {
    MessageDigest digest = Sha256.digest();
    digest.update(compiler.getBytes(StandardCharsets.UTF_8));
    Set<Path> seen = new LinkedHashSet<>(Set.of(source));
    add(source, generated, seen, digest);
    Path object = folder.resolve(Sha256.hex(digest.digest()).substring(0, 32) + ".o");
    if (Files.exists(object)) {
      Files.setLastModifiedTime(object, FileTime.from(Instant.now()));
      return object;
    }
    Files.createDirectories(folder);
    Path fresh = folder.resolve(object.getFileName() + ".tmp");
    try {
      compile.to(fresh);
      return Files.move(fresh, object, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Forgets what was not asked for since then. */
  void forgetBefore(Instant time) throws IOException {
    for (Path object : Folders.list(folder)) {
      if (Files.getLastModifiedTime(object).toInstant().isBefore(time)) {
        Files.deleteIfExists(object);
      }
    }
  }

  private static void add(Path file, Path generated, Set<Path> seen, MessageDigest digest)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    digest.update(Sha256.of(bytes).getBytes(StandardCharsets.UTF_8));
    Matcher include = INCLUDE.matcher(new String(bytes, StandardCharsets.UTF_8));
    while (include.find()) {
      for (Path where : List.of(file.resolveSibling(""), generated)) {
        Path header = where.resolve(include.group(1)).normalize();
        if (Files.isRegularFile(header)) {
          if (seen.add(header)) {
            add(header, generated, seen, digest);
          }
          break;
        }
      }
    }
  }
}
