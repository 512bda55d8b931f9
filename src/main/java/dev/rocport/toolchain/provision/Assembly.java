package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.Fingerprint;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Gives unpacked packages the layout of a ROCm and finds the parts in it. */
final class Assembly {
  private Assembly() {}

  /**
   * The toolchain in a folder of unpacked packages, before anything was tried.
   *
   * @throws ToolchainException when a part is missing or the headers are too old
   */
  static Toolchain of(Path root, Clang clang, Optional<Path> sysroot)
      throws IOException, ToolchainException {
    Path include = root.resolve("usr/include");
    Path bitcode =
        Folders.find(root.resolve("usr/lib"), "amdgcn/bitcode")
            .orElseThrow(() -> new ToolchainException("the packages contain no device libraries"));
    HipVersion hip = version(include);
    if (!hip.atLeast(HipVersion.OLDEST)) {
      throw new ToolchainException(
          "the HIP headers are version " + hip + ", older than " + HipVersion.OLDEST);
    }
    link(root.resolve("include"), Path.of("usr/include"));
    Files.createDirectories(root.resolve("amdgcn"));
    link(root.resolve("amdgcn/bitcode"), Path.of("..").resolve(root.relativize(bitcode)));
    return new Toolchain(
        Toolchain.Kind.PROVISIONED,
        clang.driver(),
        root,
        root.resolve("include"),
        root.resolve("amdgcn/bitcode"),
        Files.createDirectories(root.resolve("lib")),
        sysroot,
        clang.version(),
        hip,
        List.of(),
        new TreeSet<>(),
        Fingerprint.of(clang.version(), include, bitcode, sysroot));
  }

  /** The version that headers state. */
  static HipVersion version(Path include) throws IOException, ToolchainException {
    Path header = include.resolve("hip/hip_version.h");
    if (!Files.isRegularFile(header)) {
      throw new ToolchainException("no such file or folder: " + header);
    }
    return HipVersion.fromHeader(Files.readString(header))
        .orElseThrow(() -> new ToolchainException(header + " does not state a version"));
  }

  /** Puts the compiler's programs where tools look for them below a ROCm root. */
  static void programs(Toolchain t) throws IOException {
    Path bin = Files.createDirectories(t.root().resolve("bin"));
    Path driver = t.clang();
    Path from = driver.startsWith(t.root()) ? driver : driver.toRealPath();
    Path folder = from.getParent();
    if (folder == null) {
      return;
    }
    Path shown =
        folder.startsWith(t.root()) ? Path.of("..").resolve(t.root().relativize(folder)) : folder;
    for (String name :
        List.of(
            "clang",
            "clang++",
            "ld.lld",
            "lld",
            "clang-offload-bundler",
            "llvm-objdump",
            "llvm-readelf",
            "llvm-objcopy",
            "llvm-ar")) {
      if (Files.exists(folder.resolve(name))) {
        link(bin.resolve(name), shown.resolve(name));
      }
    }
    for (String name : List.of("clang", "clang++")) {
      link(bin.resolve("amd" + name), Path.of(name));
    }
    Files.createDirectories(t.root().resolve("llvm"));
    link(t.root().resolve("llvm/bin"), Path.of("../bin"));
  }

  private static void link(Path at, Path target) throws IOException {
    Files.deleteIfExists(at);
    Files.createSymbolicLink(at, target);
  }
}
