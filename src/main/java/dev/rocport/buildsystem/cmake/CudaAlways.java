package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.util.List;
import java.util.Optional;

/** Commands that require CUDA whatever the options of a project are. */
public final class CudaAlways {
  private CudaAlways() {}

  /**
   * Returns the first command of a list file that requires CUDA, outside of conditions and
   * functions, and before a condition that can end the file.
   *
   * @param commands those of the file, in order
   */
  public static Optional<CMakeCommand> of(List<CMakeCommand> commands) {
    int depth = 0;
    for (CMakeCommand c : commands) {
      switch (c.name()) {
        case "if", "function", "macro", "foreach", "while", "block" -> depth++;
        case "endif", "endfunction", "endmacro", "endforeach", "endwhile", "endblock" -> depth--;
        case "return" -> {
          return Optional.empty();
        }
        default -> {
          if (depth == 0 && requires(c)) {
            return Optional.of(c);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean requires(CMakeCommand c) {
    List<Argument> all = c.arguments();
    return switch (c.name()) {
      case "project" -> all.stream().skip(1).anyMatch(a -> a.is("CUDA"));
      case "enable_language" -> has(all, "CUDA") && !has(all, "OPTIONAL");
      case "find_package" ->
          !all.isEmpty()
              && (all.getFirst().is("CUDA") || all.getFirst().is("CUDAToolkit"))
              && has(all, "REQUIRED");
      default -> false;
    };
  }

  private static boolean has(List<Argument> all, String keyword) {
    return all.stream().anyMatch(a -> a.is(keyword));
  }
}
