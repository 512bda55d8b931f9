package dev.rocport.packaging;

import dev.rocport.commandline.NvccWords;
import dev.rocport.packaging.ShellCommand.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A compile command in an image build: nvcc, or cmake with CUDA variables. */
final class BuildCommand {
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*");
  private static final Pattern BEFORE = Pattern.compile("sudo|time|exec|env|ccache|nice");
  private static final Pattern QUERY = Pattern.compile("--version|-V|--help|-h");
  private static final Pattern DROPPED =
      Pattern.compile(
          "-D(CMAKE_CUDA_(HOST_)?COMPILER|CUDA_TOOLKIT_ROOT_DIR|CUDAToolkit_ROOT|CUDA_NVCC_EXECUTABLE)(:\\w+)?=.*");
  private static final Pattern ARCHITECTURES =
      Pattern.compile("-D(CMAKE_CUDA_ARCHITECTURES)(:\\w+)?=.*");

  private BuildCommand() {}

  /**
   * The translation of a word.
   *
   * @param with replacement; empty to delete the word
   * @param problem why manual work is needed; empty if none is
   */
  record Change(Word word, String with, String problem) {}

  /** Returns the changes of a command for ROCm; none if it compiles nothing for CUDA. */
  static List<Change> of(ShellCommand command) {
    List<Word> words = command.words();
    int program = 0;
    while (program < words.size()
        && (ASSIGNMENT.matcher(words.get(program).text()).matches()
            || BEFORE.matcher(words.get(program).text()).matches())) {
      program++;
    }
    if (program == words.size()) {
      return List.of();
    }
    List<Word> rest = words.subList(program + 1, words.size());
    return switch (Paths.name(words.get(program).text())) {
      case "nvcc" -> nvcc(words.get(program), rest);
      case "cmake" -> cmake(rest);
      default -> List.of();
    };
  }

  private static List<Change> nvcc(Word program, List<Word> rest) {
    boolean query = rest.stream().anyMatch(w -> QUERY.matcher(w.text()).matches());
    String hipcc = query ? "hipcc" : "hipcc --offload-arch=gfx90a --offload-arch=gfx942";
    List<Change> changes = new ArrayList<>(List.of(new Change(program, hipcc, "")));
    if (query) {
      return changes;
    }
    for (NvccWords.Change c : NvccWords.changes(rest.stream().map(Word::text).toList())) {
      for (int i = 0; i < c.count(); i++) {
        String with = i == 0 ? String.join(" ", c.words()) : "";
        String kept = c.problem().isEmpty() ? with : rest.get(c.first() + i).text();
        changes.add(new Change(rest.get(c.first() + i), kept, i == 0 ? c.problem() : ""));
      }
    }
    return changes;
  }

  private static List<Change> cmake(List<Word> rest) {
    List<Change> changes = new ArrayList<>();
    for (Word w : rest) {
      Optional<String> flags =
          w.text().startsWith("-DCMAKE_CUDA_")
              ? Optional.of("the CMake language CUDA")
              : Optional.empty();
      if (ARCHITECTURES.matcher(w.text()).matches()) {
        changes.add(new Change(w, "-DCMAKE_HIP_ARCHITECTURES=\"gfx90a;gfx942\"", ""));
      } else if (DROPPED.matcher(w.text()).matches()) {
        changes.add(new Change(w, "", ""));
      } else if (flags.isPresent()) {
        changes.add(new Change(w, w.text(), flags.get() + " becomes HIP in the port"));
      }
    }
    return changes;
  }
}
