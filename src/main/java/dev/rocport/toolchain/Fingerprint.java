package dev.rocport.toolchain;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The hash that changes when objects must be compiled again. */
public final class Fingerprint {
  private Fingerprint() {}

  /**
   * Covers the compiler's version, the text of {@code hip_version.h}, the device libraries, the
   * names and sizes of the HIP headers, and the C++ library of a sysroot.
   */
  public static String of(
      String clangVersion, Path include, Path deviceLibs, Optional<Path> sysroot)
      throws IOException {
    MessageDigest digest = Sha256.digest();
    digest.update(clangVersion.getBytes(StandardCharsets.UTF_8));
    digest.update(Files.readAllBytes(include.resolve("hip/hip_version.h")));
    if (sysroot.isPresent()) {
      for (Path cxx : Folders.list(sysroot.get().resolve("usr/include/c++"))) {
        digest.update(String.valueOf(cxx.getFileName()).getBytes(StandardCharsets.UTF_8));
      }
    }
    for (Path folder : List.of(deviceLibs, include.resolve("hip"))) {
      Path real = folder.toRealPath();
      for (Path file : Folders.files(real)) {
        String line = real.relativize(file) + " " + Files.size(file) + "\n";
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        if (line.startsWith("ocml.") || line.startsWith("ockl.")) {
          digest.update(Files.readAllBytes(file));
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }
}
