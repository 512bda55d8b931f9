package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Compiles the rules folder into the index that the program reads, and copies the tables and
 * templates of builds and of the toolchain next to it: {@code CompileRules IN OUT}.
 */
public final class CompileRules {
  private static final List<String> PLAIN =
      List.of(
          "autotools",
          "bill",
          "bazel",
          "build",
          "cmake",
          "conformance",
          "cuda",
          "docs",
          "doctor",
          "javahost",
          "make",
          "meson",
          "packages",
          "python",
          "toolchain");

  private CompileRules() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[1]);
    Files.createDirectories(out.toAbsolutePath().getParent());
    try {
      RuleLoader.Loaded loaded = RuleLoader.load(Path.of(args[0]));
      try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(out))) {
        RuleIndex.write(loaded, stream);
      }
      for (String folder : PLAIN) {
        copyTables(Path.of(args[0], folder), out.resolveSibling(folder));
      }
    } catch (InvalidFileException e) {
      System.err.println("rules: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void copyTables(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (DirectoryStream<Path> tables =
        Files.newDirectoryStream(from, "*.{tsv,m4,meson,ini,bzl,sh}")) {
      for (Path table : tables) {
        Files.copy(table, to.resolve(table.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
