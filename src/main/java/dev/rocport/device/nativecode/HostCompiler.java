package dev.rocport.device.nativecode;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.io.UserFolders;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compiles modules for the host in a process of its own, with limits of time and memory, and keeps
 * the results by content in {@code rocport/native} of the user's cache, a folder that only the user
 * may write.
 */
final class HostCompiler {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** KiB of address space. */
  private static final int MEMORY = 4 << 20;

  private static final List<String> FLAGS =
      List.of(
          "-O1",
          "-march=native",
          // LLVM 19 computes some selects of bitwise operations wrongly (masked vpternlogd).
          "-mno-avx512f",
          "-fPIC",
          "-shared",
          "-nostdlib",
          "-fuse-ld=lld",
          "-w");

  private static final String ENDING = ".so";

  /** Libraries that are kept, of 20 to 130 KB. */
  private static final int MOST = 4000;

  private final Path clang;
  private final Path folder;

  HostCompiler(Path clang) {
    this.clang = clang;
    this.folder = UserFolders.cache(System.getenv()).resolve("native");
  }

  /** Deletes the oldest libraries if there are too many. Loaded ones stay mapped. */
  private void trim() throws IOException {
    Map<Path, FileTime> ages = new HashMap<>();
    for (Path file : Folders.list(folder)) {
      if (file.toString().endsWith(ENDING)) {
        ages.put(file, Files.getLastModifiedTime(file));
      }
    }
    if (ages.size() > MOST) {
      List<Path> oldest = new ArrayList<>(ages.keySet());
      oldest.sort(Comparator.comparing(ages::get));
      for (Path file : oldest.subList(0, MOST / 4)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** What code depends on besides flags and module: this compiler, and what the processor has. */
  private String compiler() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      String processor = lines.filter(l -> l.startsWith("flags")).findFirst().orElse("");
      return clang + "\n" + Files.getLastModifiedTime(clang) + "\n" + processor;
    }
  }

  /** Where the library of a module is kept. */
  private Path library(String module) throws IOException {
    byte[] all = (compiler() + "\n" + FLAGS + "\n" + module).getBytes(StandardCharsets.UTF_8);
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    return folder.resolve(Sha256.hex(Sha256.digest().digest(all)).substring(0, 32) + ENDING);
  }

  /** The library of a module if it is kept. */
  Optional<Path> kept(String module) throws IOException {
    return Optional.of(library(module)).filter(Files::exists);
  }

  /**
   * Compiles a module, unless its library is kept.
   *
   * @return a shared library; empty if the compiler fails or takes too long
   */
  Optional<Path> compile(String module) throws IOException, InterruptedException {
    Path made = library(module);
    if (Files.exists(made)) {
      return Optional.of(made);
    }
    Path work = Files.createTempDirectory(folder, "new");
    try {
      Path source = Files.writeString(work.resolve("wave.ll"), module);
      Path library = work.resolve("wave.so");
      List<String> all =
          new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -v " + MEMORY + "; exec \"$0\" \"$@\""));
      all.add(clang.toString());
      all.addAll(FLAGS);
      all.addAll(List.of("-x", "ir", source.toString(), "-o", library.toString()));
      Exec.Outcome run = Exec.run(all, work, Map.of(), LIMIT);
      if (!run.ok()) {
        return Optional.empty();
      }
      trim();
      Files.move(library, made, StandardCopyOption.ATOMIC_MOVE);
      return Optional.of(made);
    } finally {
      Folders.delete(work);
    }
  }
}
