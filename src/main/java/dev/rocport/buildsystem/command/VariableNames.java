package dev.rocport.buildsystem.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names that variables get in the port. */
final class VariableNames {
  private final Syntax syntax;
  private final Map<String, String> renames = new LinkedHashMap<>();

  VariableNames(Syntax syntax) {
    this.syntax = syntax;
  }

  /** Chooses names that the project does not use. */
  void choose(Set<String> mentioned, List<String> commands) {
    boolean first = true;
    for (Map.Entry<String, String> root : RocmNames.ROOTS.entrySet()) {
      if (mentioned.contains(root.getKey())) {
        rename(root.getKey(), first ? CommandPort.ROCM_PATH : root.getValue(), mentioned, commands);
        first = false;
      }
    }
    for (Map<String, String> table : List.of(RocmNames.COMPILERS, RocmNames.FLAGS)) {
      table.forEach(
          (cuda, rocm) -> {
            if (mentioned.contains(cuda) && !rocm.isEmpty()) {
              rename(cuda, rocm, mentioned, commands);
            }
          });
    }
  }

  private void rename(String from, String to, Set<String> mentioned, List<String> commands) {
    boolean computed =
        commands.stream().anyMatch(c -> syntax.prefixes(c).stream().anyMatch(from::startsWith));
    if (!mentioned.contains(to) && !renames.containsValue(to) && !computed) {
      renames.put(from, to);
    }
  }

  /** Returns the ported names of variables by their original names. */
  Map<String, String> renames() {
    return renames;
  }
}
