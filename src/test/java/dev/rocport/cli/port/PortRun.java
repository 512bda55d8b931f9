package dev.rocport.cli.port;

import dev.rocport.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One command line run inside the test: its exit code and what it printed. */
record PortRun(int code, String out, String err) {
  /** A program whose port has edits, a header of rocport and no errors. */
  static final String KERNEL =
      """
      #include <cuda_runtime.h>
      __global__ void twice(float* x) {
        x[threadIdx.x] *= 2.0f;
      }
      void run(float* x) {
        twice<<<1, 32>>>(x);
        cudaDeviceSynchronize();
      }
      """;

  static PortRun of(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] texts = Stream.of(args).map(Object::toString).toArray(String[]::new);
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), texts);
    return new PortRun(code, out.toString(), err.toString());
  }

  static Path write(Path file, String text) throws IOException {
    return write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  static Path write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  /** Returns path and content of all files in a folder except the state; links as their targets. */
  static SortedMap<String, String> tree(Path root) throws IOException {
    SortedMap<String, String> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(root)) {
      walk.filter(p -> !Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS))
          .filter(p -> !p.startsWith(root.resolve(".rocport")))
          .forEach(p -> files.put(root.relativize(p).toString(), content(p)));
    }
    return files;
  }

  private static String content(Path file) {
    try {
      return Files.isSymbolicLink(file)
          ? "-> " + Files.readSymbolicLink(file)
          : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
