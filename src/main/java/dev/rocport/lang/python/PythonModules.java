package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Python files that are analyzed together, so that a name of one is followed into another. Nothing
 * changes once they are made, so several workers can use them.
 */
final class PythonModules {
  /** How many modules may pass a name on. */
  private static final int DEPTH = 4;

  private final PythonImports imports;
  private final SortedMap<String, PythonTree> trees;
  private final IdentityHashMap<Scope, PythonTree> byScope = new IdentityHashMap<>();
  private final List<At> all;
  private @Nullable Compiled compiled;
  private @Nullable SymmetricUses symmetric;

  /**
   * Files of one tree.
   *
   * @param trees the files by path
   */
  PythonModules(PythonImports imports, Map<String, PythonTree> trees) {
    this.imports = imports;
    this.trees = new TreeMap<>(trees);
    this.trees.values().forEach(t -> byScope.put(t.module(), t));
    this.all = this.trees.values().stream().flatMap(t -> t.all().stream()).toList();
  }

  /** Returns the file at a path, which must be one of these. */
  PythonTree tree(String path) {
    return Objects.requireNonNull(trees.get(path));
  }

  /** Returns the file that a place is in. */
  PythonTree tree(At at) {
    return Objects.requireNonNull(byScope.get(at.scope().module()));
  }

  /** Returns all nodes of all files, file by file. */
  List<At> all() {
    return all;
  }

  /** Returns the place of a node of one of the files. */
  At at(Node node) {
    for (PythonTree t : trees.values()) {
      if (t.has(node)) {
        return t.at(node);
      }
    }
    throw new IllegalArgumentException("no node of these files");
  }

  /** Returns the files. */
  Collection<PythonTree> trees() {
    return Collections.unmodifiableCollection(trees.values());
  }

  /**
   * Returns the collectives on symmetric memory of these files.
   *
   * @param known those of PyTorch, the same in each call
   */
  synchronized SymmetricUses symmetric(Map<String, Collective> known) {
    SymmetricUses found = symmetric;
    if (found == null) {
      found = new SymmetricUses(this, known);
      symmetric = found;
    }
    return found;
  }

  /** Returns what {@code torch.compile} compiles in these files. */
  synchronized Compiled compiled() {
    Compiled known = compiled;
    if (known == null) {
      known = new Compiled(this);
      compiled = known;
    }
    return known;
  }

  /** Returns the full name of an expression in its file. */
  String qualified(Expr x, At at) {
    return tree(at).qualified(x, at.scope());
  }

  /**
   * Returns what an expression denotes in another of the files, if it is bound once there and names
   * lead to it; null otherwise.
   */
  Scope.@Nullable Binding imported(Expr x, At at) {
    String name = PythonWork.names(x, at) ? qualified(x, at) : "";
    return find(tree(at), name, 0);
  }

  private Scope.@Nullable Binding find(PythonTree from, String name, int depth) {
    int dot = name.lastIndexOf('.');
    if (dot < 0 || depth > DEPTH) {
      return null;
    }
    String before = name.substring(0, dot);
    String module = before.replace(".", "").isEmpty() ? before + "." : before;
    String path = imports.file(from.path(), module).orElse("");
    PythonTree tree = trees.get(path);
    return tree == null
        ? null
        : switch (tree.module().single(name.substring(dot + 1))) {
          case Scope.Imported i -> find(tree, i.qualified(), depth + 1);
          case null -> null;
          case Scope.Binding b -> b;
        };
  }
}
