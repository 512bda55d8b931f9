package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ContentHash;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.Manifest;
import dev.rocport.toolchain.provision.Toolchains;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The compiled libraries of the HIP runtime in a release: a folder whose name is the hash of their
 * inputs. It serves every toolchain with the same headers, on any Linux with glibc 2.34 or newer;
 * with other headers the runtime is compiled where it is used.
 */
public final class CompiledRuntime {
  /** The folder in {@code hip-runtime} that holds them. */
  static final String FOLDER = "compiled";

  /** Device code in headers only, which no library of the runtime includes. */
  private static final List<String> UNUSED = List.of("hipcub", "rocprim", "thrust");

  private CompiledRuntime() {}

  /** The libraries for a toolchain, where the installation has them. */
  static Optional<Path> find(Toolchain toolchain, Path sources) throws IOException {
    Path all = sources.resolve(FOLDER);
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    return Optional.of(all.resolve(key(toolchain, sources))).filter(Files::isDirectory);
  }

  /** A hash of the sources, the headers and the libraries to make; none of this machine. */
  static String key(Toolchain toolchain, Path sources) throws IOException {
    ContentHash hash = new ContentHash();
    hash.add(toolchain.targets() + " " + toolchain.libraries());
    for (String part : List.of("src", "triton")) {
      hash.add(sources, Folders.files(sources.resolve(part)));
    }
    Path include = toolchain.include().toRealPath();
    for (Path folder : Folders.list(include)) {
      if (!UNUSED.contains(String.valueOf(folder.getFileName()))) {
        hash.add(include, Folders.files(folder));
      }
    }
    // The names that programs load a library by
    try (Stream<Path> libraries = Files.list(toolchain.lib())) {
      hash.add(libraries.map(l -> String.valueOf(l.getFileName())).sorted().toList().toString());
    }
    return hash.name();
  }

  /** Copies a folder with its links. */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, to.resolve(from.relativize(file)), LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Compiles the runtime of this rocport for a release, with a toolchain that takes nothing from
   * the machine.
   *
   * @param args the folder to make, which holds nothing yet
   */
  public static void main(String[] args) throws IOException, ToolchainException {
    ToolchainRequest request = ToolchainRequest.defaults().withAllOfItsOwn();
    Toolchain toolchain =
        Toolchains.require(request, line -> System.err.println("release: " + line));
    Path sources = HipRuntime.installation().resolve("hip-runtime");
    Path out = Path.of(args[0]).toAbsolutePath();
    Path made = out.resolve(key(toolchain, sources));
    Path work = Files.createTempDirectory(Files.createDirectories(out), ".work-");
    try {
      new RuntimeBuild(toolchain, sources, HipRuntime.installation()).forRelease(made, work);
      Files.copy(toolchain.root().resolve(Manifest.FILE), made.resolve(Manifest.FILE));
    } finally {
      Folders.delete(work);
    }
    Glibc.check(made, toolchain);
  }
}
