package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * Makes an unpacked compiler run where its libraries are not installed: one script a program that
 * sets the library path and starts the real program beside it. The scripts find their folder
 * themselves, so the tree can be moved.
 */
final class CompilerWrapper {
  private static final List<String> PROGRAMS =
      List.of(
          "clang",
          "clang++",
          "clang-offload-bundler",
          "ld.lld",
          "lld",
          "llvm-ar",
          "llvm-nm",
          "llvm-objcopy",
          "llvm-objdump",
          "llvm-ranlib",
          "llvm-readelf",
          "llvm-strip");

  private CompilerWrapper() {}

  /**
   * Writes the scripts into {@code bin} of the compiler's folder.
   *
   * @param compiler where the packages were unpacked
   * @param sysroot a C library beside or in that folder to run the programs with, where the
   *     machine's own is too old
   * @return the C++ driver
   * @throws ToolchainException when the packages hold no compiler
   */
  static Path install(Path compiler, Optional<Path> sysroot)
      throws IOException, ToolchainException {
    Path llvm = llvm(compiler);
    Path libs =
        Folders.list(compiler.resolve("usr/lib")).stream()
            .filter(p -> p.toString().endsWith("-linux-gnu"))
            .findFirst()
            .orElse(compiler.resolve("usr/lib"));
    String triple = String.valueOf(libs.getFileName());
    Path bin = Files.createDirectories(compiler.resolve("bin"));
    for (String program : PROGRAMS) {
      if (Files.exists(llvm.resolve("bin").resolve(program))) {
        Path script = bin.resolve(program);
        Files.writeString(
            script,
            """
            #!/bin/sh
            f=$0
            case $f in /*) [ ! -L "$f" ] ;; *) false ;; esac || f=$(readlink -f "$f")
            d=${f%/*}/..
            """
                + start(compiler, sysroot)
                    .replace("TRIPLE", triple)
                    .replace("LLVM", String.valueOf(llvm.getFileName()))
                    .replace("PROGRAM", program));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    return bin.resolve("clang++");
  }

  private static String start(Path compiler, Optional<Path> sysroot) {
    if (sysroot.isEmpty()) {
      return """
      LD_LIBRARY_PATH=$d/usr/lib/TRIPLE:$d/lib/TRIPLE${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
      export LD_LIBRARY_PATH
      exec "$d/usr/lib/LLVM/bin/PROGRAM" "$@"
      """;
    }
    // The driver starts itself again by the name that --argv0 gives, not as the loader
    return """
    s=$d/SYSROOT
    case PROGRAM:${1-} in
      clang*:-cc1*) ;;
      clang:* | clang++:*) set -- -no-canonical-prefixes -resource-dir "$(echo "$d"/usr/lib/LLVM/lib/clang/*)" "$@" ;;
    esac
    l=$s/lib64/ld-linux-x86-64.so.2
    test -e "$l" || l=$s/usr/lib64/ld-linux-x86-64.so.2
    exec "$l" \\
      --library-path "$s/lib/TRIPLE:$s/usr/lib/TRIPLE:$d/usr/lib/TRIPLE:$d/lib/TRIPLE" \\
      --argv0 "$0" "$d/usr/lib/LLVM/bin/PROGRAM" "$@"
    """
        .replace("SYSROOT", compiler.relativize(sysroot.get()).toString());
  }

  private static Path llvm(Path compiler) throws IOException, ToolchainException {
    for (Path p : Folders.list(compiler.resolve("usr/lib"))) {
      if (Files.exists(p.resolve("bin/clang++"))) {
        return p;
      }
    }
    throw new ToolchainException("the compiler packages contain no usr/lib/llvm-N/bin/clang++");
  }
}
