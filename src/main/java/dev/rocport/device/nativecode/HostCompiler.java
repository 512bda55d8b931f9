package dev.rocport.device.nativecode;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles modules for the host in a process of its own, with limits of time and memory, unless
 * their libraries are kept. Its priority is that of the waves: in a new process they run at a
 * fraction of the speed that the result has, and compilers of the virtual machine run beside them.
 */
final class HostCompiler {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** KiB of address space. */
  private static final int MEMORY = 4 << 20;

  private static final List<String> FLAGS =
      List.of("-O1", "-march=native", "-fPIC", "-shared", "-nostdlib", "-fuse-ld=lld", "-w");

  private final Path clang;
  private final HostVectors vectors;
  private final Duration limit;

  HostCompiler(Path clang, HostVectors vectors) {
    this(clang, vectors, LIMIT);
  }

  /** A compiler for the vectors of this processor. */
  static HostCompiler here(Path clang) {
    try {
      return new HostCompiler(clang, HostVectors.here());
    } catch (IOException e) {
      // Without a description of the processor, the vectors that all supported ones have.
      return new HostCompiler(clang, HostVectors.AVX2);
    }
  }

  /** A compiler with another limit of time for a module. */
  HostCompiler(Path clang, HostVectors vectors, Duration limit) {
    this.clang = clang;
    this.vectors = vectors;
    this.limit = limit;
  }

  /** What it compiles for. */
  HostVectors vectors() {
    return vectors;
  }

  Path clang() {
    return clang;
  }

  /** What code depends on besides the module: this compiler, its flags, the processor. */
  private String settings() throws IOException {
    return String.join(
        "\n",
        clang.toString(),
        Files.getLastModifiedTime(clang).toString(),
        NativeFolder.processor(),
        vectors.flag,
        FLAGS.toString());
  }

  private String key(String module) throws IOException {
    String all = settings() + "\n" + module;
    return Sha256.of(all.getBytes(StandardCharsets.UTF_8)).substring(0, 32);
  }

  /**
   * Compiles a module.
   *
   * @return a shared library; empty if the compiler fails or takes too long
   */
  Optional<Path> compile(String module) throws IOException, InterruptedException {
    NativeFolder folder = new NativeFolder();
    Path made = folder.library(key(module));
    if (Files.exists(made)) {
      return Optional.of(made);
    }
    Path work = folder.work();
    try {
      Path source = Files.writeString(work.resolve("wave.ll"), module);
      Path library = work.resolve("wave.so");
      List<String> all =
          new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -v " + MEMORY + "; exec \"$0\" \"$@\""));
      all.add(clang.toString());
      all.addAll(FLAGS);
      all.add(vectors.flag);
      all.addAll(List.of("-x", "ir", source.toString(), "-o", library.toString()));
      Exec.Outcome run = Exec.run(all, work, Map.of(), limit);
      if (!run.ok()) {
        return Optional.empty();
      }
      folder.put(library, made);
      return Optional.of(made);
    } finally {
      Folders.delete(work);
    }
  }
}
