package dev.rocport.toolchain.packages;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * One package file.
 *
 * @param group what it is for
 * @param name package name
 * @param version Debian version
 * @param sha256 hash of the file, hexadecimal
 * @param file where it is: a package file, or a folder with the unpacked files
 */
public record Deb(PackageList.Group group, String name, String version, String sha256, Path file) {

  /** Unpacks the files into a folder, which is returned; no maintainer script runs. */
  public Path unpack(Path into) throws IOException, ToolchainException {
    return unpack(into, name -> true);
  }

  /** Unpacks only the regular files whose names are wanted. Files of a folder are linked. */
  Path unpack(Path into, Predicate<String> wanted) throws IOException, ToolchainException {
    Files.createDirectories(into);
    try {
      if (Files.isDirectory(file)) {
        Folders.link(file, into);
      } else {
        DebFile.unpack(file, into, wanted);
      }
    } catch (IOException e) {
      throw new ToolchainException(
          "cannot unpack "
              + file.getFileName()
              + " ("
              + into.toFile().getUsableSpace() / 1_000_000
              + " MB free in "
              + into
              + "): "
              + e.getMessage()
              + "\nFree space or fetch the package again.",
          e);
    }
    return into;
  }
}
