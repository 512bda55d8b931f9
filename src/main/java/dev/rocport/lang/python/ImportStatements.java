package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Stmt;
import java.util.Set;

/** Classifies statements that import modules. */
final class ImportStatements {
  /** Packages that import torch themselves. */
  private static final Set<String> IMPORT_TORCH =
      Set.of("torch", "torchvision", "torchaudio", "flash_attn", "xformers");

  /** Modules for which the order of their import and that of torch does not matter. */
  private static final Set<String> INDIFFERENT =
      Set.of(
          "__future__",
          "abc",
          "argparse",
          "collections",
          "contextlib",
          "copy",
          "dataclasses",
          "datetime",
          "enum",
          "flash_attn",
          "functools",
          "glob",
          "importlib",
          "inspect",
          "io",
          "itertools",
          "json",
          "logging",
          "math",
          "operator",
          "os",
          "pathlib",
          "pickle",
          "platform",
          "py3nvml",
          "pynvml",
          "random",
          "re",
          "shutil",
          "string",
          "sys",
          "tempfile",
          "textwrap",
          "time",
          "traceback",
          "types",
          "typing",
          "typing_extensions",
          "warnings");

  private ImportStatements() {}

  /** Returns whether a statement imports torch, or a package that does. */
  static boolean importsTorch(Stmt s) {
    return switch (s) {
      case Stmt.Import i ->
          i.names().stream().anyMatch(n -> IMPORT_TORCH.contains(PythonProject.root(n.name())));
      case Stmt.ImportFrom f ->
          f.level() == 0 && IMPORT_TORCH.contains(PythonProject.root(f.module()));
      default -> false;
    };
  }

  /** Returns whether a statement imports from triton. */
  static boolean importsTriton(Stmt s) {
    return switch (s) {
      case Stmt.Import i ->
          i.names().stream().anyMatch(n -> PythonProject.root(n.name()).equals("triton"));
      case Stmt.ImportFrom f -> f.level() == 0 && PythonProject.root(f.module()).equals("triton");
      default -> false;
    };
  }

  /** Returns whether a statement only imports, if need be with an alternative. */
  static boolean isImport(Stmt s) {
    return switch (s) {
      case Stmt.Import i -> true;
      case Stmt.ImportFrom f -> true;
      case Stmt.Try t ->
          t.body().stream().allMatch(ImportStatements::isImport)
              && t.handlers().stream()
                  .allMatch(h -> h.body().stream().allMatch(ImportStatements::isImport));
      default -> false;
    };
  }

  /** Returns whether a statement imports only modules that torch may precede or follow. */
  static boolean isIndifferent(Stmt s) {
    return switch (s) {
      case Stmt.Import i ->
          i.names().stream().allMatch(n -> INDIFFERENT.contains(PythonProject.root(n.name())));
      case Stmt.ImportFrom f ->
          f.level() == 0 && INDIFFERENT.contains(PythonProject.root(f.module()));
      default -> false;
    };
  }
}
