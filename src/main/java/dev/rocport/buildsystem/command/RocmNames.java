package dev.rocport.buildsystem.command;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.LinkedHashMap;
import java.util.Map;

/** CUDA names in makefiles and scripts: {@code make/names.tsv}. */
final class RocmNames {
  /** Variables that hold the CUDA folder, and their ROCm names. */
  static final Map<String, String> ROOTS = new LinkedHashMap<>();

  /** Variables that hold nvcc. */
  static final Map<String, String> COMPILERS = new LinkedHashMap<>();

  /** Variables that hold nvcc flags; an empty name keeps the original name. */
  static final Map<String, String> FLAGS = new LinkedHashMap<>();

  /** NVIDIA programs and the advice for them. */
  static final Map<String, String> TOOLS = new LinkedHashMap<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("make/names.tsv", "kind\tcuda\trocm\treason").rows()) {
      switch (r.cell(0)) {
        case "root" -> ROOTS.put(r.cell(1), r.cell(2));
        case "compiler" -> COMPILERS.put(r.cell(1), r.cell(2));
        case "flags" -> FLAGS.put(r.cell(1), r.cell(2));
        case "tool" -> TOOLS.put(r.cell(1), r.cell(3));
        default -> throw new InvalidFileException(r.where() + ": unknown kind");
      }
    }
  }

  private RocmNames() {}
}
