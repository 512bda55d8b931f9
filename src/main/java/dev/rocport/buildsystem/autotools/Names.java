package dev.rocport.buildsystem.autotools;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What builds call CUDA's things, and what the port calls ROCm's: {@code autotools/names.tsv}. */
final class Names {
  private static final String HEADER = "kind\tcuda\trocm\tvalue";
  private static final Map<String, Variable> VARIABLES = new LinkedHashMap<>();
  private static final List<String> SWITCHES = new ArrayList<>();
  private static final Set<String> OPTIONS = new LinkedHashSet<>();
  private static final Map<String, String> PARTS = new LinkedHashMap<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("autotools/names.tsv", HEADER).rows()) {
      switch (r.cell(0)) {
        case "variable" -> {
          String[] values = r.cell(3).split("\\|", -1);
          VARIABLES.put(r.cell(1), new Variable(r.cell(2), values[0], values[values.length - 1]));
        }
        case "switch" -> SWITCHES.add(r.cell(1));
        case "option" -> OPTIONS.add(r.cell(1));
        case "part" -> PARTS.put(r.cell(1), r.cell(2));
        default -> throw new dev.rocport.io.InvalidFileException(r.where() + ": no such kind");
      }
    }
  }

  private Names() {}

  /**
   * ROCm's counterpart of a variable.
   *
   * @param value shell text it is made of; empty where AX_CHECK_ROCM sets it
   * @param path the same where the variable is a folder
   */
  record Variable(String name, String value, String path) {}

  static Optional<Variable> variable(String name) {
    return Optional.ofNullable(VARIABLES.get(name));
  }

  /** True for a conditional or macro that says that CUDA is in use. */
  static boolean isSwitch(String name) {
    return SWITCHES.stream()
        .anyMatch(
            s ->
                s.startsWith("*")
                    ? name.equals(s.substring(1)) || name.endsWith("_" + s.substring(1))
                    : name.equals(s));
  }

  /** True for an option of configure that turns CUDA on. */
  static boolean isOption(String name) {
    return OPTIONS.contains(name);
  }

  /** True for names that have to do with CUDA. */
  static boolean isCuda(String name) {
    return PARTS.keySet().stream().anyMatch(name::contains);
  }

  /** The name with its parts replaced. */
  static String twin(String name) {
    String twin = name;
    for (Map.Entry<String, String> part : PARTS.entrySet()) {
      twin = twin.replace(part.getKey(), part.getValue());
    }
    return twin;
  }

  /** The counterpart of a file's name, its folder kept: {@code cuda_lt.sh} is {@code hip_lt.sh}. */
  static String file(String path) {
    int slash = path.lastIndexOf('/') + 1;
    String name = path.substring(slash);
    String twin = name.replace("nvcc", "hipcc").replace("cuda", "hip").replace("CUDA", "HIP");
    return path.substring(0, slash) + (twin.equals(name) ? "hip_" + name : twin);
  }
}
