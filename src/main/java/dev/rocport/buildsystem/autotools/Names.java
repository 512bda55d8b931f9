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

/** CUDA names in autotools builds and their ROCm counterparts: {@code autotools/names.tsv}. */
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
        default -> throw new dev.rocport.io.InvalidFileException(r.where() + ": unknown kind");
      }
    }
  }

  private Names() {}

  /**
   * The ROCm counterpart of a variable.
   *
   * @param value shell text of its value; empty if AX_CHECK_ROCM sets it
   * @param path the same if the variable is a folder
   */
  record Variable(String name, String value, String path) {}

  static Optional<Variable> variable(String name) {
    return Optional.ofNullable(VARIABLES.get(name));
  }

  /** Returns true for a conditional or macro that enables CUDA code. */
  static boolean isSwitch(String name) {
    return SWITCHES.stream()
        .anyMatch(
            s ->
                s.startsWith("*")
                    ? name.equals(s.substring(1)) || name.endsWith("_" + s.substring(1))
                    : name.equals(s));
  }

  /** Returns true for a configure option that turns CUDA on. */
  static boolean isOption(String name) {
    return OPTIONS.contains(name);
  }

  /** Returns true for names that are related to CUDA. */
  static boolean isCuda(String name) {
    return PARTS.keySet().stream().anyMatch(name::contains);
  }

  /** Returns the name with its CUDA parts replaced. */
  static String twin(String name) {
    String twin = name;
    for (Map.Entry<String, String> part : PARTS.entrySet()) {
      twin = twin.replace(part.getKey(), part.getValue());
    }
    return twin;
  }

  /**
   * Returns the counterpart of a file name in the same folder: {@code cuda_lt.sh} is {@code
   * hip_lt.sh}.
   */
  static String file(String path) {
    int slash = path.lastIndexOf('/') + 1;
    String name = path.substring(slash);
    String twin = name.replace("nvcc", "hipcc").replace("cuda", "hip").replace("CUDA", "HIP");
    return path.substring(0, slash) + (twin.equals(name) ? "hip_" + name : twin);
  }
}
