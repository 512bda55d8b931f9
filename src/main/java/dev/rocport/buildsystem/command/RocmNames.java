package dev.rocport.buildsystem.command;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.LinkedHashMap;
import java.util.Map;

/** What makefiles and scripts call CUDA's things: {@code make/names.tsv}. */
final class RocmNames {
  /** Variables with the folder of CUDA, and ROCm's names for them. */
  static final Map<String, String> ROOTS = new LinkedHashMap<>();

  /** Variables that hold nvcc. */
  static final Map<String, String> COMPILERS = new LinkedHashMap<>();

  /** Variables that hold its flags; an empty name keeps theirs. */
  static final Map<String, String> FLAGS = new LinkedHashMap<>();

  /** Programs of NVIDIA's, and what to know about them. */
  static final Map<String, String> TOOLS = new LinkedHashMap<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("make/names.tsv", "kind\tcuda\trocm\treason").rows()) {
      switch (r.cell(0)) {
        case "root" -> ROOTS.put(r.cell(1), r.cell(2));
        case "compiler" -> COMPILERS.put(r.cell(1), r.cell(2));
        case "flags" -> FLAGS.put(r.cell(1), r.cell(2));
        case "tool" -> TOOLS.put(r.cell(1), r.cell(3));
        default -> throw new InvalidFileException(r.where() + ": no such kind");
      }
    }
  }

  private RocmNames() {}
}
