package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the Debian archive and its keys in the machine's own apt configuration. */
public final class AptSources {
  private static final Path DEBIAN_KEYS = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");

  private AptSources() {}

  /**
   * Returns the archive to use: {@code DEBIAN_MIRROR} if it is set, otherwise the first enabled
   * Debian archive of the apt sources.
   *
   * @throws ToolchainException if there is no archive or no keyring to verify it with
   */
  public static AptSource debian(Path etcApt, Map<String, String> environment)
      throws ToolchainException {
    AptSource source = archive(etcApt, environment);
    String asked = environment.getOrDefault("DEBIAN_KEYRING", "");
    Path keys =
        asked.isEmpty() ? source.keyring().map(Path::of).orElse(DEBIAN_KEYS) : Path.of(asked);
    if (!Files.isReadable(keys) && asked.isEmpty()) {
      keys = DEBIAN_KEYS;
    }
    if (!Files.isReadable(keys)) {
      throw new ToolchainException(
          "no keys to verify Debian packages with ("
              + keys
              + "): install debian-archive-keyring or set DEBIAN_KEYRING to a keyring file");
    }
    return new AptSource(source.uri(), Optional.of(keys.toString()));
  }

  private static AptSource archive(Path etcApt, Map<String, String> environment)
      throws ToolchainException {
    String mirror = environment.getOrDefault("DEBIAN_MIRROR", "");
    List<AptSource> all = read(etcApt);
    if (!mirror.isBlank()) {
      return all.stream()
          .filter(s -> s.uri().equals(mirror))
          .findFirst()
          .orElse(new AptSource(mirror.strip(), Optional.empty()));
    }
    return all.stream()
        .filter(AptSource::isDebian)
        .findFirst()
        .orElseThrow(
            () ->
                new ToolchainException(
                    "no Debian archive in the apt sources of this machine: set DEBIAN_MIRROR to"
                        + " one, or use 'rocport toolchain install --offline DIR'"));
  }

  /** Every enabled archive, deb822 files first, then the main list, then the other lists. */
  static List<AptSource> read(Path etcApt) throws ToolchainException {
    List<AptSource> all = new ArrayList<>();
    try {
      for (Path p : parts(etcApt, ".sources")) {
        all.addAll(AptSource.parseDeb822(Files.readString(p)));
      }
      Path main = etcApt.resolve("sources.list");
      if (Files.isReadable(main)) {
        all.addAll(AptSource.parseList(Files.readString(main)));
      }
      for (Path p : parts(etcApt, ".list")) {
        all.addAll(AptSource.parseList(Files.readString(p)));
      }
    } catch (IOException e) {
      throw new ToolchainException("cannot read the apt sources: " + e.getMessage(), e);
    }
    return List.copyOf(all);
  }

  private static List<Path> parts(Path etcApt, String ending) throws IOException {
    Path folder = etcApt.resolve("sources.list.d");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(p -> p.toString().endsWith(ending) && Files.isReadable(p))
          .sorted()
          .toList();
    }
  }
}
