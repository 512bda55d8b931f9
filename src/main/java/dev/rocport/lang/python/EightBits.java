package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.PythonFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the files of a program do with 8-bit floating-point types. Files of one package belong
 * together, and so do packages and scripts that import each other, if they all use such types: what
 * one of them creates, another may compare.
 */
final class EightBits {
  private static final String TYPES = "torch.float8_";

  /**
   * Uses of the types, as the path and line of one.
   *
   * @param aware a type that only AMD GPUs have, such as {@code float8_e4m3fnuz}; or empty
   * @param named a type that identifies the type of existing data; or empty
   */
  record Uses(String aware, String named) {
    static final Uses NONE = new Uses("", "");

    Uses and(Uses other) {
      return new Uses(aware.isEmpty() ? other.aware : aware, named.isEmpty() ? other.named : named);
    }

    /** Returns the uses in a file. */
    static Uses of(SourceFile file, PythonTree tree) {
      Uses all = NONE;
      for (At at : tree.all()) {
        if (at.node() instanceof Expr.Attribute a && a.name().endsWith("fnuz")) {
          all = all.and(new Uses(place(file, at), ""));
        } else if (at.node() instanceof Expr x
            && isName(at)
            && PythonWork.names(x, at)
            && tree.qualified(x, at.scope()).startsWith(TYPES)) {
          all = all.and(new Uses("", place(file, at)));
        }
      }
      return all;
    }

    /** The lines of a notebook's code are not those of its text. */
    private static String place(SourceFile file, At at) {
      return Notebook.isNotebook(file.path())
          ? file.path()
          : file.path() + ":" + file.line(at.node().start());
    }
  }

  private final PythonImports imports;

  /** Uses by the path of the file. */
  private final Map<String, Uses> files = new TreeMap<>();

  /** Uses by package, or by path for a script; null while it is not known. */
  private final Map<String, Uses> groups = new HashMap<>();

  private final Map<String, String> joined = new HashMap<>();

  EightBits(PythonImports imports) {
    this.imports = imports;
  }

  /** Notes the uses in a file. */
  void note(String path, byte[] bytes, String text) {
    if (!text.contains("float8_") || Notebook.isNotebook(path)) {
      return;
    }
    PythonFile parsed = PythonFile.parse(bytes);
    if (parsed.problems().isEmpty()) {
      SourceFile file = new SourceFile(path, bytes);
      files.put(path, Uses.of(file, PythonTree.of(file, parsed)));
    }
  }

  /**
   * Finds out which files belong together.
   *
   * @param imported the files that each file imports
   */
  void join(Map<String, Set<String>> imported) {
    groups.clear();
    joined.clear();
    files.keySet().forEach(f -> joined.put(group(f), group(f)));
    imported.forEach((from, all) -> all.forEach(to -> join(group(from), group(to))));
    files.forEach((path, uses) -> groups.merge(root(group(path)), uses, Uses::and));
  }

  private void join(String one, String other) {
    if (joined.containsKey(one) && joined.containsKey(other)) {
      joined.put(root(one), root(other));
    }
  }

  private String root(String group) {
    String root = group;
    while (!joined.getOrDefault(root, root).equals(root)) {
      root = joined.getOrDefault(root, root);
    }
    return root;
  }

  private String group(String path) {
    String folder = PythonImports.folder(path);
    return imports.isPackage(folder) ? imports.top(path) : path;
  }

  /** Returns the uses in all files that a file belongs together with. */
  Uses of(String path) {
    return groups.getOrDefault(root(group(path)), Uses.NONE);
  }

  /** Returns the files that use the types, in order. */
  Set<String> paths() {
    return files.keySet();
  }

  /**
   * True for what is compared, listed or looked up: the type that some data has, not one to compute
   * with.
   */
  static boolean isName(At at) {
    return at.parent() != null
        && switch (at.parent().node()) {
          case Expr.Comparison c -> true;
          case Expr.TupleOf t -> true;
          case Expr.ListOf l -> true;
          case Expr.SetOf s -> true;
          case Expr.Dict d -> true;
          default -> false;
        };
  }
}
