package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Children;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The lines of a Python file that import or set its gates. */
final class GateDefinitions {
  /** What the modules have beside the gate. */
  private static final Set<String> HELPERS =
      Set.of(
          "alloc_conf",
          "compile_arguments",
          "compile_mode",
          "compile_options",
          "fp8_e4m3",
          "fp8_e5m2",
          "gcn_arch",
          "rocm_atomic_spin_wait",
          "rocm_atomic_write",
          "rocm_get_tid",
          "symm_mem_custom_op",
          "symm_mem_out_variant",
          "symm_mem_pool",
          "symm_mem_result");

  private final SourceFile file;
  private final PythonLines lines;
  private final PythonTree tree;
  private final BitSet cut;
  private final Map<String, Set<Node>> found = new TreeMap<>();
  private final SortedSet<String> imports = new TreeSet<>();

  /**
   * Finds them.
   *
   * @param cut the offsets that go; {@link #cut} adds to them
   */
  GateDefinitions(SourceFile file, PythonLines lines, PythonTree tree, BitSet cut) {
    this.file = file;
    this.lines = lines;
    this.tree = tree;
    this.cut = cut;
    find();
  }

  /** What sets each gate, by the gate's name. */
  Map<String, Set<Node>> found() {
    return found;
  }

  /** The names of the gates. */
  Set<String> names() {
    return found.keySet();
  }

  /** The modules that gates come from. */
  SortedSet<String> imports() {
    return imports;
  }

  private void find() {
    for (At a : tree.all()) {
      switch (a.node()) {
        case Stmt.ImportFrom f when isGateModule(f.module()) && isPlain(f, a) -> {
          for (Stmt.Alias n : f.names()) {
            if (n.name().equals(Gate.GATE)) {
              found.computeIfAbsent(n.bound(), x -> new HashSet<>()).add(f);
            }
          }
        }
        case Stmt.Assign s when isDefinition(s) && isAlone(s, a) ->
            found.computeIfAbsent(tree.text(s.targets().getFirst()), x -> new HashSet<>()).add(s);
        default -> {}
      }
    }
    // Nothing else in the file may give the name another meaning.
    for (At a : tree.all()) {
      found
          .entrySet()
          .removeIf(
              e ->
                  a.scope().own(e.getKey()).stream().anyMatch(b -> !e.getValue().contains(b.at())));
    }
    for (Set<Node> all : found.values()) {
      for (Node n : all) {
        if (n instanceof Stmt.ImportFrom f) {
          imports.add(lastName(f.module()));
        }
      }
    }
  }

  /**
   * Takes out the definitions that nothing but gates needs; one that the program reads stays where
   * it is.
   *
   * @param resolved what gates have been taken out of
   */
  void cut(Set<Node> resolved) {
    Set<String> read = new HashSet<>();
    for (At a : tree.all()) {
      if (a.node() instanceof Expr.Name n && !cut.get(n.start()) && !isTarget(n)) {
        read.add(n.id());
      }
    }
    found.forEach(
        (name, all) -> {
          if (!read.contains(name)) {
            all.forEach(n -> cutLines(n.start(), n.end()));
          }
        });
    for (At a : tree.all()) {
      switch (a.node()) {
        case Stmt.Import i when !found.isEmpty() && isForBareGate(i) ->
            cutLines(i.start(), i.end());
        case Stmt.ImportFrom f
            when isGateModule(f.module())
                && isHelpers(f)
                && isAlone(f, a)
                && f.names().stream().noneMatch(n -> read.contains(n.name())) ->
            cutLines(f.start(), f.end());
        case Stmt.Import i when isForGate(i) && isNeeded(i, a, resolved) ->
            cutLines(i.start(), i.end());
        default -> {}
      }
    }
  }

  private boolean isTarget(Expr.Name name) {
    return found.getOrDefault(name.id(), Set.of()).stream()
        .anyMatch(n -> n instanceof Stmt.Assign a && a.targets().contains(name));
  }

  /** True for an import of torch that a gate of the module needs, where torch comes soon anyway. */
  private boolean isNeeded(Stmt.Import i, At at, Set<Node> resolved) {
    if (at.parent() != null || !isAlone(i, at) || !tree.isOnlyTorch()) {
      return false;
    }
    for (Stmt s : tree.body()) {
      if (s != i && (ImportStatements.importsTorch(s) || isTorchBehindGate(s, resolved))) {
        return true;
      }
      boolean passes =
          s.start() <= i.start()
              || ImportStatements.isIndifferent(s)
              || cut.get(s.start())
              || resolved.contains(s)
              || found.values().stream().anyMatch(all -> all.contains(s));
      if (!passes) {
        return false;
      }
    }
    return false;
  }

  /** True for a gate of whose branches the original one imports torch. */
  private static boolean isTorchBehindGate(Stmt s, Set<Node> resolved) {
    return s instanceof Stmt.If gate
        && resolved.contains(gate)
        && gate.otherwise().stream().anyMatch(ImportStatements::importsTorch);
  }

  /** True if nothing else is on its line, and the line is not in a class body. */
  private boolean isAlone(Stmt s, At at) {
    int line = file.line(s.start());
    String text = file.text(lines.start(line), file.lineEnd(line)).strip();
    boolean comment = text.equals(Gate.IMPORT_FOR_GATE);
    int before = line == 1 ? 0 : file.lineEnd(line - 1);
    return !at.scope().isClass
        && (at.parent() == null
            || Children.of(at.parent().node()).stream().filter(c -> c instanceof Stmt).count() > 1)
        && file.line(s.end()) == line
        && (comment || text.equals(tree.text(s)))
        && (before == 0 || file.bytes()[before - 1] != '\\');
  }

  /** True if the gate and what gates call is all that is imported. */
  private boolean isPlain(Stmt.ImportFrom f, At at) {
    return isAlone(f, at)
        && f.names().stream()
            .allMatch(
                n ->
                    n.name().equals(Gate.GATE)
                        || (n.as().isEmpty() && HELPERS.contains(n.name()) && isFree(n.name())));
  }

  /** True if a name of a helper is nothing else in this file. */
  private boolean isFree(String helper) {
    return tree.all().stream()
        .flatMap(a -> a.scope().own(helper).stream())
        .allMatch(b -> b.at() instanceof Stmt.ImportFrom f && isGateModule(f.module()));
  }

  private boolean isForGate(Stmt.Import i) {
    int line = file.line(i.start());
    return file.text(i.start(), file.lineEnd(line)).equals(Gate.IMPORT_FOR_GATE);
  }

  /** True for the import of a gate's names that nothing else uses. */
  private boolean isForBareGate(Stmt.Import i) {
    int line = file.line(i.start());
    return BareGate.importedBy(file.text(lines.start(line), file.lineEnd(line)))
        .filter(gate -> tree.all().stream().noneMatch(a -> uses(a, gate)))
        .isPresent();
  }

  private boolean uses(At a, BareGate gate) {
    return a.node() instanceof Expr.Name n && gate.names().contains(n.id()) && !cut.get(n.start());
  }

  private static boolean isGateModule(String module) {
    return Gate.MODULES.contains(lastName(module));
  }

  private static String lastName(String module) {
    return module.substring(module.lastIndexOf('.') + 1);
  }

  /** An import of what gated expressions call, and of nothing else. */
  private boolean isHelpers(Stmt.ImportFrom f) {
    return f.names().stream()
        .allMatch(n -> n.as().isEmpty() && HELPERS.contains(n.name()) && isFree(n.name()));
  }

  private boolean isDefinition(Stmt.Assign s) {
    return s.targets().size() == 1
        && s.op().equals("=")
        && s.targets().getFirst() instanceof Expr.Name
        && s.annotation().isEmpty()
        && s.value().isPresent()
        && Gate.isDefinition(tree.text(s.value().get()));
  }

  private void cutLines(int start, int end) {
    cut.set(lines.start(file.line(start)), lines.next(end));
  }
}
