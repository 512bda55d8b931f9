package dev.rocport.toolchain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One package file.
 *
 * @param group what it is for
 * @param name package name
 * @param version Debian version
 * @param sha256 hash of the file, hexadecimal
 * @param file where it is
 */
record Deb(PackageList.Group group, String name, String version, String sha256, Path file) {

  /** Unpacks the files into a folder; no maintainer script runs. */
  void unpack(Path into) throws IOException, ToolchainException {
    Files.createDirectories(into);
    ToolRun run =
        ToolRun.of(
            List.of("dpkg-deb", "-x", file.toString(), into.toString()),
            into,
            Map.of(),
            Duration.ofMinutes(10));
    if (!run.ok()) {
      throw new ToolchainException(
          "cannot unpack "
              + file.getFileName()
              + " ("
              + into.toFile().getUsableSpace() / 1_000_000
              + " MB free in "
              + into
              + "):\n"
              + run.tail(4)
              + "Free space or fetch the package again.");
    }
  }
}
