package dev.rocport.build.check;

import dev.rocport.io.PathText;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains why a header is not found: a package to install, or a folder that was not ported. */
final class MissingHeaders {
  private static final List<TsvTable.Row> ROWS =
      BuiltInText.table("toolchain/headers.tsv", "header\tpackage\tfolder").rows();

  /** Endings of files that {@code configure_file} and configure read. */
  private static final List<String> TEMPLATES = List.of(".in", ".cmake", ".cmake.in", ".cmakein");

  private final Optional<Path> original;

  /** All files of the original; null until a header asks for them. */
  private @Nullable List<Path> files;

  /**
   * @param original the tree that was ported; empty if it is not there
   */
  MissingHeaders(Optional<Path> original) {
    this.original = original.map(o -> o.toAbsolutePath().normalize());
  }

  /**
   * Returns what to say about a header.
   *
   * @param header the name in the include
   * @param source the file with the include, relative to the original
   */
  String explain(String header, String source) {
    String missing = "'" + header + "' is not found";
    return outside(header, source)
        .map(f -> missing + "; it is %s, outside the folder that was ported".formatted(f))
        .or(() -> template(header).map(t -> missing + "; the build makes it from %s".formatted(t)))
        .or(() -> installable(header).map(p -> missing + "; " + p))
        .orElse(missing);
  }

  /**
   * Returns whether the original has the header in a folder {@code cuda} and nothing has it in a
   * folder {@code hip}, which a macro of Thrust names.
   *
   * @param header the name in the include
   */
  boolean isForCuda(String header) {
    String cuda = header.replace("/hip/", "/cuda/");
    if (original.isEmpty() || cuda.equals(header)) {
      return false;
    }
    try {
      return files(original.get()).stream().anyMatch(f -> f.endsWith(cuda));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns the file of the original from which CMake or configure makes a header. */
  private Optional<String> template(String header) {
    if (original.isEmpty() || header.contains("..")) {
      return Optional.empty();
    }
    String name = header.substring(header.lastIndexOf('/') + 1);
    List<String> names = TEMPLATES.stream().map(t -> name + t).toList();
    return files(original.get()).stream()
        .filter(f -> names.contains(f.getFileName() + ""))
        .map(f -> PathText.of(original.get().relativize(f)))
        .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
  }

  /** Returns all files of the original, none if it cannot be read. */
  private List<Path> files(Path root) {
    List<Path> known = files;
    if (known == null) {
      try (Stream<Path> all = Files.walk(root)) {
        known = all.toList();
      } catch (IOException | UncheckedIOException e) {
        known = List.of();
      }
      files = known;
    }
    return known;
  }

  /** Returns the file that an include with {@code ..} names if the port does not include it. */
  private Optional<Path> outside(String header, String source) {
    if (original.isEmpty() || !header.contains("../")) {
      return Optional.empty();
    }
    Path root = original.get();
    try {
      Path file = root.resolve(source).resolveSibling(header).normalize();
      return Files.isRegularFile(file) && !file.startsWith(root)
          ? Optional.of(file)
          : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> installable(String header) {
    Optional<TsvTable.Row> best =
        ROWS.stream()
            .filter(r -> isFor(r.cell(0), header))
            .max(Comparator.comparingInt(r -> r.cell(0).length()));
    return best.map(
        row -> {
          String folder = row.cell(2).isEmpty() ? "" : " in /usr/include/%s".formatted(row.cell(2));
          return row.cell(1).isEmpty()
              ? "no Debian package has it"
              : "the Debian package %s has it%s".formatted(row.cell(1), folder);
        });
  }

  private static boolean isFor(String name, String header) {
    return name.endsWith("/") ? header.startsWith(name) : header.equals(name);
  }
}
