package dev.rocport.io.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The folders in which programs are looked for: {@code PATH}. */
public final class SearchPath {
  private static final String DEFAULT = "/usr/bin:/bin";

  private SearchPath() {}

  /**
   * Returns the program that a name without a slash means, as the system looks for it.
   *
   * @param environment has the {@code PATH}
   */
  public static Optional<Path> find(String name, Map<String, String> environment) {
    return Stream.of(environment.getOrDefault("PATH", DEFAULT).split(":"))
        .filter(f -> !f.isEmpty())
        .map(f -> Path.of(f, name))
        .filter(SearchPath::isProgram)
        .findFirst();
  }

  /** Returns whether a file is one that can be started. */
  public static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** Returns the folders with absolute paths: others mean something else in each folder. */
  public static List<Path> folders(Map<String, String> environment) {
    return Stream.of(environment.getOrDefault("PATH", "").split(":"))
        .filter(f -> f.startsWith("/"))
        .map(Path::of)
        .toList();
  }
}
