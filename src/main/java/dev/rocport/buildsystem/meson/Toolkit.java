package dev.rocport.buildsystem.meson;

import dev.rocport.commandline.NvccWords;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The CUDA toolkit and its libraries in Meson projects. */
final class Toolkit {
  /** pkg-config names, which end in the CUDA version. */
  private static final Pattern PACKAGE =
      Pattern.compile("(cuda|CUDA|CUDAToolkit|\\w+?)(?:-\\d+\\.\\d+)?");

  private static final Pattern FOLDER =
      Pattern.compile(
          "(-I|-L|-isystem|-Wl,-rpath,|)(?:/usr/local|/opt)/cuda(?:-[\\d.]+)?(?:/(.*))?");

  /** The CUDA version that ported version conditions assume. */
  static final String VERSION = "'12.8'";

  private Toolkit() {}

  /** The ROCm counterpart of an NVIDIA library. */
  record Library(String name, String problem) {}

  /** Returns whether a dependency is the toolkit or one of its libraries. */
  static boolean isOne(String dependency) {
    Matcher m = PACKAGE.matcher(dependency);
    return m.matches()
        && (m.group(1).matches("cuda|CUDA|CUDAToolkit") || library(m.group(1)).isPresent());
  }

  /** Returns the library that a dependency names; empty for the toolkit itself. */
  static String ofPackage(String dependency) {
    Matcher m = PACKAGE.matcher(dependency);
    return m.matches() && !m.group(1).matches("cuda|CUDA|CUDAToolkit") ? m.group(1) : "";
  }

  /** Returns what to link for an NVIDIA library; empty if it is not one. */
  static Optional<Library> library(String name) {
    List<NvccWords.Change> changes = NvccWords.changes(List.of("-l" + name.replace("CUDA::", "")));
    if (changes.isEmpty()) {
      return Optional.empty();
    }
    NvccWords.Change c = changes.getFirst();
    if (!c.words().isEmpty() && !c.words().getFirst().startsWith("-l")) {
      return Optional.empty(); // a flag that looks like a library
    }
    String hip = c.words().isEmpty() ? "" : c.words().getFirst().substring(2);
    return Optional.of(new Library(hip, c.problem()));
  }

  /** Returns the counterpart of a toolkit folder, alone or after a flag; empty for other words. */
  static Optional<String> folder(String word) {
    Matcher m = FOLDER.matcher(word);
    if (!m.matches()) {
      return Optional.empty();
    }
    String below = m.group(2) == null ? "" : m.group(2).replaceAll("/$", "");
    String rocm =
        below.isEmpty()
            ? "rocm"
            : MesonNames.of(MesonNames.Kind.FOLDER, below)
                .map(e -> "rocm / '" + e.rocm() + "'")
                .orElse("");
    if (rocm.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(m.group(1).isEmpty() ? rocm : "'%s' + %s".formatted(m.group(1), rocm));
  }
}
