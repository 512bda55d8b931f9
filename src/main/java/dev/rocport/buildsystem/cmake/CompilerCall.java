package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A call of nvcc in a command that runs programs, such as add_custom_command().
 *
 * @param compiler the word that names nvcc
 * @param words the arguments of nvcc, in order
 */
record CompilerCall(Argument compiler, List<Argument> words) {
  private static final Pattern NVCC =
      Pattern.compile(
          "(?s)(.*/)?nvcc|\\$\\{(CMAKE_CUDA_COMPILER|CUDA_NVCC_EXECUTABLE"
              + "|CUDAToolkit_NVCC_EXECUTABLE)\\}");

  /** Words that end the arguments of a program. */
  private static final Set<String> KEYWORDS =
      Set.of(
          "COMMAND",
          "ARGS",
          "OUTPUT",
          "DEPENDS",
          "MAIN_DEPENDENCY",
          "IMPLICIT_DEPENDS",
          "BYPRODUCTS",
          "COMMENT",
          "WORKING_DIRECTORY",
          "DEPFILE",
          "JOB_POOL",
          "JOB_SERVER_AWARE",
          "VERBATIM",
          "APPEND",
          "USES_TERMINAL",
          "COMMAND_EXPAND_LISTS",
          "DEPENDS_EXPLICIT_ONLY",
          "CODEGEN",
          "SOURCES");

  CompilerCall {
    words = List.copyOf(words);
  }

  /** Returns the calls in a command. */
  static List<CompilerCall> in(CMakeCommand c) {
    List<Argument> a = c.arguments();
    List<CompilerCall> calls = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      if (!NVCC.matcher(a.get(i).text()).matches()) {
        continue;
      }
      int end = i + 1;
      while (end < a.size() && (a.get(end).quoted() || !KEYWORDS.contains(a.get(end).text()))) {
        end++;
      }
      calls.add(new CompilerCall(a.get(i), a.subList(i + 1, end)));
    }
    return calls;
  }

  /** Returns the flag that requests a file with device code alone, which a program loads. */
  Optional<Argument> deviceCode() {
    return words.stream().filter(w -> NvccWords.isDeviceCode(w.text())).findFirst();
  }

  /**
   * Returns whether the port makes it a call of the HIP compiler.
   *
   * @param in the command that has the call
   */
  boolean isPorted(CMakeCommand in, CMakeFacts facts) {
    return in.name().startsWith("add_custom_")
        && facts.isCuda()
        && deviceCode().isPresent()
        && hasOutput();
  }

  private boolean hasOutput() {
    return words.stream().anyMatch(w -> w.text().matches("-o|--output-file(=.*)?"));
  }
}
