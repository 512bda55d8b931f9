package dev.rocport.toolchain.provision;

import dev.rocport.io.process.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the machine's own clangs: on {@code PATH} and under {@code /usr/lib/llvm-N}. */
public final class ClangLocator {
  private static final Pattern DRIVER = Pattern.compile("clang\\+\\+(-\\d+)?");
  // Nearest to the release that the device libraries and headers are known to fit.
  private static final int BEST = 19;
  private static final Comparator<Clang> PREFERENCE =
      Comparator.<Clang>comparingInt(c -> Math.abs(c.major() - BEST))
          .thenComparing(c -> c.driver().toString());

  private ClangLocator() {}

  /** Every clang that has what HIP needs, the preferred one first. */
  static List<Clang> usable(Map<String, String> environment) {
    return all(environment).stream().filter(c -> c.lack().isEmpty()).toList();
  }

  /** Every clang that runs, the preferred one first; a program found twice is listed once. */
  public static List<Clang> all(Map<String, String> environment) {
    Map<Path, Clang> found = new LinkedHashMap<>();
    for (Path folder : folders(environment)) {
      for (Path driver : matching(folder)) {
        try {
          Path real = driver.toRealPath();
          if (!found.containsKey(real)) {
            Clang.at(driver).ifPresent(c -> found.put(real, c));
          }
        } catch (IOException e) {
          // A dangling link is not a compiler.
        }
      }
    }
    return found.values().stream().sorted(PREFERENCE).toList();
  }

  private static List<Path> folders(Map<String, String> environment) {
    List<Path> folders = new ArrayList<>(SearchPath.folders(environment));
    try (Stream<Path> lib = Files.list(Path.of("/usr/lib"))) {
      lib.filter(p -> String.valueOf(p.getFileName()).startsWith("llvm-"))
          .sorted()
          .forEach(p -> folders.add(p.resolve("bin")));
    } catch (IOException e) {
      return folders;
    }
    return folders;
  }

  private static List<Path> matching(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(p -> DRIVER.matcher(String.valueOf(p.getFileName())).matches())
          .filter(Files::isExecutable)
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
