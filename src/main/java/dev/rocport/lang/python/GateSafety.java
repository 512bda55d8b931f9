package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Children;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that a file without its gates behaves as the file with its gates false: the gate is
 * defined wherever it is read, the removed code has no effect by its mere presence, and the
 * remaining code parses as before.
 */
final class GateSafety {
  private final SourceFile file;
  private final PythonTree tree;
  private final BitSet cut;
  private final IdentityHashMap<Node, List<? extends Node>> resolved;

  /**
   * For one file.
   *
   * @param cut the offsets that go
   * @param resolved the replacement of each gate
   */
  GateSafety(
      SourceFile file,
      PythonTree tree,
      BitSet cut,
      IdentityHashMap<Node, List<? extends Node>> resolved) {
    this.file = file;
    this.tree = tree;
    this.cut = cut;
    this.resolved = resolved;
  }

  // ---- the gate is known

  /**
   * To be asked before the definitions are cut.
   *
   * @param definitions those of each gate's name
   * @return empty, or where a gate may not be known
   */
  String uses(Map<String, Set<Node>> definitions) {
    for (Set<Node> all : definitions.values()) {
      for (Node n : all) {
        if (!(n instanceof Stmt.Assign a)) {
          continue;
        }
        Optional<BareGate> bare = a.value().map(tree::text).flatMap(BareGate::of);
        if (bare.isPresent() && !hasNames(a, bare.get())) {
          return "sets a gate on line " + line(n) + ", where os might not be imported yet";
        }
        if (bare.isEmpty() && !hasTorch(a)) {
          return "reads torch.version on line "
              + line(n)
              + ", where torch might not be imported yet";
        }
      }
    }
    Map<String, Map<Scope, List<At>>> places = new HashMap<>();
    definitions.forEach(
        (name, all) -> {
          Map<Scope, List<At>> byScope = places.computeIfAbsent(name, x -> new IdentityHashMap<>());
          for (Node d : all) {
            At at = tree.at(d);
            byScope.computeIfAbsent(at.scope(), x -> new ArrayList<>()).add(at);
          }
        });
    for (At a : tree.all()) {
      if (a.node() instanceof Expr.Name n && cut.get(n.start())) {
        Map<Scope, List<At>> all = places.get(n.id());
        if (all != null && !isServed(all, a)) {
          return "has a gate on line " + line(n) + " where " + n.id() + " may not be defined yet";
        }
      }
    }
    return "";
  }

  /** True if the names of a gate are what its own import makes them. */
  private boolean hasNames(Stmt.Assign definition, BareGate gate) {
    return gate.names().stream()
        .allMatch(
            name ->
                tree.module().single(name) instanceof Scope.Imported i
                    && i.qualified().equals(name.substring(1))
                    && PythonTree.isBefore(tree.at(i.at()), tree.at(definition)));
  }

  private boolean hasTorch(Stmt.Assign definition) {
    if (!tree.at(definition).scope().isAtImport()) {
      return tree.isTorchBefore(definition);
    }
    return tree.isOnlyTorch()
        && tree.module().own("torch").stream()
            .anyMatch(b -> PythonTree.isBefore(tree.at(b.at()), tree.at(definition)));
  }

  private static boolean isServed(Map<Scope, List<At>> definitions, At use) {
    for (Scope s = use.scope(); s != null; s = s.parent) {
      List<At> here = definitions.get(s);
      if (here != null) {
        return here.stream().anyMatch(d -> PythonTree.isBefore(d, use));
      }
    }
    return false;
  }

  // ---- what goes has no effect

  /** Empty, or what of the cut acts though it is never run. */
  String effects() {
    for (int line = 1; line <= Math.min(2, file.lines()); line++) {
      int start = file.lineStart(line);
      if (cut.get(start) && file.text(start, file.lineEnd(line)).contains("coding")) {
        return "declares an encoding on line " + line + ", in the gated part";
      }
    }
    String first = first(tree.body());
    if (!first.isEmpty()) {
      return first;
    }
    Set<Scope> scopes = Collections.newSetFromMap(new IdentityHashMap<>());
    for (At a : tree.all()) {
      String found = effect(a);
      if (!found.isEmpty()) {
        return found + " on line " + line(a.node()) + ", in the gated part";
      }
      String of =
          switch (a.node()) {
            case Stmt.Function f -> first(f.body());
            case Stmt.ClassOf c -> first(c.body());
            default -> "";
          };
      if (!of.isEmpty()) {
        return of;
      }
      scopes.add(a.scope());
    }
    Map<String, List<At>> names = new HashMap<>();
    for (At a : tree.all()) {
      if (a.node() instanceof Expr.Name n && !cut.get(n.start())) {
        names.computeIfAbsent(n.id(), x -> new ArrayList<>()).add(a);
      }
    }
    for (Scope s : scopes) {
      String name = s.isClass || s.parent == null ? "" : madeLocal(s, names);
      if (!name.isEmpty()) {
        return "binds "
            + name
            + " only in the gated part, which makes it a local name in the"
            + " whole function";
      }
    }
    return "";
  }

  private String effect(At at) {
    Node n = at.node();
    if (n instanceof Expr.Text t && !t.parts().isEmpty() && !cut.get(t.start())) {
      int next = cut.nextSetBit(t.start());
      return next >= 0 && next < t.end() ? "has a gate inside an f-string" : "";
    }
    if (!cut.get(n.start()) || resolved.containsKey(n)) {
      return "";
    }
    boolean top = at.scope().isAtImport();
    return switch (n) {
      case Expr.Walrus w -> "has :=";
      case Expr.Yield y ->
          top || !isElsewhere(at) ? "has a yield, which makes the function a generator" : "";
      case Expr.Await w -> isAsync(at) ? "" : "has an await";
      case Stmt.Scope s -> "has " + s.word();
      case Stmt.Keyword k when k.word().equals("return") && top -> "has a return";
      case Stmt.Plain p when !p.word().equals("pass") && !isInLoop(at) -> "has " + p.word();
      case Stmt.ImportFrom f when f.module().equals("__future__") -> "has an import of __future__";
      case Stmt.ImportFrom f when !top && f.names().stream().anyMatch(x -> x.name().equals("*")) ->
          "imports all names";
      default -> "";
    };
  }

  private boolean isElsewhere(At yield) {
    return tree.all().stream()
        .anyMatch(
            a ->
                a.scope() == yield.scope()
                    && a.node() instanceof Expr.Yield y
                    && !cut.get(y.start()));
  }

  private static boolean isAsync(At at) {
    for (At a = at.parent(); a != null; a = a.parent()) {
      if (a.node() instanceof Stmt.Function f) {
        return f.async();
      }
    }
    return false;
  }

  private static boolean isInLoop(At at) {
    for (At a = at.parent(); a != null; a = a.parent()) {
      switch (a.node()) {
        case Stmt.For f -> {
          return true;
        }
        case Stmt.While w -> {
          return true;
        }
        case Stmt.Function f -> {
          return false;
        }
        case Stmt.ClassOf c -> {
          return false;
        }
        default -> {}
      }
    }
    return false;
  }

  /** What has to come first in its body must do so with the gates too. */
  private String first(List<Stmt> body) {
    boolean before = false;
    for (Stmt s : body) {
      if (cut.get(s.start())) {
        before = true;
        List<? extends Node> left = resolved.getOrDefault(s, List.of());
        if (!left.isEmpty()) {
          return isFirst(left.getFirst()) ? late(s) : "";
        }
      } else {
        return before && isFirst(s) ? late(s) : "";
      }
    }
    return "";
  }

  private String late(Node n) {
    return "has a gate before a statement that must come first, on line " + line(n);
  }

  private static boolean isFirst(Node n) {
    return (n instanceof Stmt.Expression e && e.value() instanceof Expr.Text)
        || (n instanceof Stmt.ImportFrom f && f.module().equals("__future__"));
  }

  /** A name that is a function's own only for what goes, and is used in what stays; or empty. */
  private String madeLocal(Scope scope, Map<String, List<At>> names) {
    for (Map.Entry<String, List<Scope.Binding>> e : scope.own().entrySet()) {
      if (e.getValue().stream().allMatch(b -> cut.get(b.at().start()) && isGone(b.at()))
          && names.getOrDefault(e.getKey(), List.of()).stream()
              .anyMatch(a -> isUse(a, e.getKey(), scope))) {
        return e.getKey();
      }
    }
    return "";
  }

  /** False for a statement that only began with a gate's line. */
  private boolean isGone(Node n) {
    return cut.nextClearBit(n.start()) >= n.end();
  }

  private static boolean isUse(At at, String name, Scope scope) {
    for (Scope s = at.scope(); s != null; s = s.parent) {
      if (s == scope) {
        return true;
      }
      if (s.own().containsKey(name)) {
        return false;
      }
    }
    return false;
  }

  // ---- what stays is read as it was

  private record Place(Class<? extends Node> kind, int start, int depth) {}

  /** Empty, or where what is left is read differently than it is with the gates. */
  String structure(byte[] rest) {
    PythonFile parsed = PythonFile.parse(rest);
    if (!parsed.problems().isEmpty()) {
      return "is not valid Python without its gates: " + parsed.problems().getFirst().message();
    }
    int[] left = new int[file.length() + 1];
    for (int i = 0; i < file.length(); i++) {
      left[i + 1] = left[i] + (cut.get(i) ? 0 : 1);
    }
    List<Place> with = new ArrayList<>();
    tree.body().forEach(s -> withGates(s, 0, left, with));
    List<Place> without = new ArrayList<>();
    parsed.body().forEach(s -> plain(s, 0, without));
    for (int i = 0; i < Math.min(with.size(), without.size()); i++) {
      if (!with.get(i).equals(without.get(i))) {
        return other(rest, without.get(i).start());
      }
    }
    return with.size() == without.size() ? "" : other(rest, rest.length);
  }

  private static String other(byte[] rest, int at) {
    SourceFile left = new SourceFile("", rest);
    return "changes its meaning without its gates, from line "
        + left.line(Math.min(at, Math.max(0, rest.length - 1)))
        + " of the remaining text";
  }

  private void withGates(Node node, int depth, int[] left, List<Place> into) {
    List<? extends Node> instead = resolved.get(node);
    if (instead != null) {
      instead.forEach(n -> withGates(n, depth, left, into));
    } else if (node.end() > node.start() && isGone(node)) {
      return;
    } else {
      into.add(new Place(node.getClass(), left[node.start()], depth));
      Children.of(node).forEach(n -> withGates(n, depth + 1, left, into));
    }
  }

  private static void plain(Node node, int depth, List<Place> into) {
    into.add(new Place(node.getClass(), node.start(), depth));
    Children.of(node).forEach(n -> plain(n, depth + 1, into));
  }

  private int line(Node n) {
    return file.line(n.start());
  }
}
