package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The interpreters that a user may mean: the one named, else those of the environment. */
final class Pythons {
  /** Requirements that could install another PyTorch, or CUDA code. */
  private static final String REQUIRED =
      "(?i)(torch|torchvision|torchaudio|triton|pytorch[-_.]triton|nvidia[-_.]|cuda[-_.]|flash[-_.]attn)";

  private Pythons() {}

  /**
   * Asks them; each interpreter once.
   *
   * @param named the path of {@code --python}; empty to look for them
   */
  static List<Python> of(Machine machine, String named, String installed) {
    Map<String, String> paths = new LinkedHashMap<>();
    if (named.isEmpty()) {
      machine.program("python3").ifPresent(p -> paths.putIfAbsent(p, "PATH"));
      machine.program("python").ifPresent(p -> paths.putIfAbsent(p, "PATH"));
      for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
        Optional.of(machine.variable(variable) + "/bin/python")
            .filter(p -> p.startsWith("/") && machine.isProgram(p))
            .ifPresent(p -> paths.putIfAbsent(p, variable));
      }
    } else {
      paths.put(named, "--python");
    }
    List<Python> pythons = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    paths.forEach(
        (path, from) -> {
          Python p = PythonReader.ask(machine, path, from, REQUIRED, installed);
          // python and python3 of one environment are the same Python.
          if (!p.answered() || seen.add(p.prefix())) {
            pythons.add(p);
          }
        });
    return List.copyOf(pythons);
  }
}
