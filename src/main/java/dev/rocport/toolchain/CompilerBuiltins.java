package dev.rocport.toolchain;

import dev.rocport.io.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The library of a clang with the functions that its code calls, such as {@code __truncsfbf2} for
 * bfloat16 on the host. The libgcc of the machine may be too old to have all of them; hipcc links
 * the library, too.
 */
final class CompilerBuiltins {
  /** Below the folder of a version; by the name of the platform, or of the processor. */
  private static final List<String> PLACES =
      List.of(
          "lib/linux/libclang_rt.builtins-x86_64.a",
          "lib/x86_64-unknown-linux-gnu/libclang_rt.builtins.a",
          "lib/x86_64-pc-linux-gnu/libclang_rt.builtins.a");

  private CompilerBuiltins() {}

  /** The library; empty if the compiler comes without it. */
  static Optional<Path> of(Path clang) {
    Path versions = clang.resolveSibling("../lib/clang").normalize();
    if (!Files.isDirectory(versions)) {
      return Optional.empty();
    }
    try {
      return Folders.list(versions).stream()
          .flatMap(v -> PLACES.stream().map(v::resolve))
          .filter(Files::isRegularFile)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
