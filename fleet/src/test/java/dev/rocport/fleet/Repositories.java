package dev.rocport.fleet;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Small repositories with CUDA, for tests. */
final class Repositories {
  private static final String SOURCE =
      """
      #include <cuda_runtime.h>
      __global__ void k(float* p) { p[threadIdx.x] *= 2; }
      int main() {
        float* p;
        cudaMalloc(&p, 1024);
        k<<<1, 256>>>(p);
        cudaDeviceSynchronize();
        return 0;
      }
      """;

  private static final String PTX =
      """
      __global__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }
      """;

  private Repositories() {}

  /**
   * Makes a repository.
   *
   * @param kernels number of files with a kernel
   * @param ptx number of files with PTX that is not ported
   */
  static Path folder(Path root, int kernels, int ptx) throws IOException {
    Files.createDirectories(root.resolve("src"));
    for (int i = 0; i < kernels; i++) {
      Files.writeString(root.resolve("src/k" + i + ".cu"), SOURCE);
    }
    for (int i = 0; i < ptx; i++) {
      Files.writeString(root.resolve("src/ptx" + i + ".cu"), PTX);
    }
    Files.writeString(root.resolve("README.md"), "# A test\n");
    return root;
  }

  /** Makes a repository of more than a megabyte, whose folders use what others define. */
  static Path large(Path root) throws IOException {
    folder(root, 2, 1);
    Files.createDirectories(root.resolve("common"));
    Files.writeString(
        root.resolve("common/own.cuh"),
        """
        #pragma once
        inline int cudaMallocHost(void** p, int n) { return n + (*p == nullptr); }
        __device__ inline int total(int v) {
          for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
          return v;
        }
        """);
    for (int i = 0; i < 12; i++) {
      StringBuilder text = new StringBuilder("#include \"../common/own.cuh\"\n");
      for (int k = 0; text.length() < 100_000; k++) {
        text.append(
            """
            __global__ void k%d_%d(int* p) { p[0] = total(p[threadIdx.x]); }
            // A comment as long as those of other people, which nobody reads to its end.
            int run%d_%d(int* p, void** q) {
              k%d_%d<<<1, 32>>>(p);
              cudaDeviceSynchronize();
              return cudaMallocHost(q, 3);
            }
            """
                .formatted(i, k, i, k, i, k));
      }
      Files.createDirectories(root.resolve("unit" + i));
      Files.writeString(root.resolve("unit" + i + "/k.cu"), text);
    }
    return root;
  }

  /** What an archive contains, beyond files. */
  interface Content {
    void write(TarArchiveOutputStream tar) throws IOException;
  }

  /** Makes an archive. */
  static Path archive(Path file, Content content) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
    if (!file.toString().endsWith(".tar")) {
      out = new GZIPOutputStream(out);
    }
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      content.write(tar);
    }
    return file;
  }

  static void file(TarArchiveOutputStream tar, String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setSize(bytes.length);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  /** Adds a symbolic link. */
  static void link(TarArchiveOutputStream tar, String name, String target) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
    entry.setLinkName(target);
    tar.putArchiveEntry(entry);
    tar.closeArchiveEntry();
  }

  /** Adds the files of a folder. */
  static void folder(TarArchiveOutputStream tar, Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path f : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = folder.getFileName() + "/" + folder.relativize(f);
        file(tar, name, Files.readString(f));
      }
    }
  }

  /** Makes a Git repository with one commit. */
  static Path git(Path root) throws IOException, InterruptedException {
    folder(root, 1, 1);
    run(root, "git", "init", "--quiet", "--initial-branch=main");
    run(root, "git", "add", ".");
    run(
        root,
        "git",
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@example.org",
        "commit",
        "--quiet",
        "-m",
        "Add files");
    return root;
  }

  static void run(Path folder, String... command) throws IOException, InterruptedException {
    Process p = new ProcessBuilder(List.of(command)).directory(folder.toFile()).inheritIO().start();
    if (p.waitFor() != 0) {
      throw new IOException(String.join(" ", command));
    }
  }
}
