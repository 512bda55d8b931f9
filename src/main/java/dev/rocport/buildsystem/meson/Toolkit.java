package dev.rocport.buildsystem.meson;

import dev.rocport.commandline.NvccWords;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CUDA's toolkit and its libraries, as projects name them. */
final class Toolkit {
  /** How pkg-config calls them: with the version of CUDA. */
  private static final Pattern PACKAGE =
      Pattern.compile("(cuda|CUDA|CUDAToolkit|\\w+?)(?:-\\d+\\.\\d+)?");

  private static final Pattern FOLDER =
      Pattern.compile(
          "(-I|-L|-isystem|-Wl,-rpath,|)(?:/usr/local|/opt)/cuda(?:-[\\d.]+)?(?:/(.*))?");

  /** The CUDA whose branches ported code takes: conditions on its version count as for it. */
  static final String VERSION = "'12.8'";

  private Toolkit() {}

  /** The library of ROCm that stands for one of NVIDIA's. */
  record Library(String name, String problem) {}

  /** The toolkit, or one of its libraries, by the name of a dependency. */
  static boolean isOne(String dependency) {
    Matcher m = PACKAGE.matcher(dependency);
    return m.matches()
        && (m.group(1).matches("cuda|CUDA|CUDAToolkit") || library(m.group(1)).isPresent());
  }

  /** The library that such a dependency is; empty for the toolkit itself. */
  static String ofPackage(String dependency) {
    Matcher m = PACKAGE.matcher(dependency);
    return m.matches() && !m.group(1).matches("cuda|CUDA|CUDAToolkit") ? m.group(1) : "";
  }

  /** What is linked for a library of NVIDIA's; empty if it is none of them. */
  static Optional<Library> library(String name) {
    List<NvccWords.Change> changes = NvccWords.changes(List.of("-l" + name.replace("CUDA::", "")));
    if (changes.isEmpty()) {
      return Optional.empty();
    }
    NvccWords.Change c = changes.getFirst();
    if (!c.words().isEmpty() && !c.words().getFirst().startsWith("-l")) {
      return Optional.empty(); // a flag that begins like a library
    }
    String hip = c.words().isEmpty() ? "" : c.words().getFirst().substring(2);
    return Optional.of(new Library(hip, c.problem()));
  }

  /** What stands for a folder of the toolkit's, alone or behind a flag; empty for other words. */
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
