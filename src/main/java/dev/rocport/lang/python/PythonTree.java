package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.Scope.Binding;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Children;
import dev.rocport.lang.python.syntax.Clause;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The nodes of a file, each with its scope, and the meaning of the names in it. */
final class PythonTree {
  private static final int DEPTH = 8;

  /** Words of a condition that asks which platform this is. */
  private static final Pattern PLATFORM =
      Pattern.compile(
          "(?<![a-z])(hip|rocm|amd|cdna|xpu|mps|tpu)(?![a-z])|version\\.cuda|gfx[0-9a-f]{2}|__hip");

  /** Functions that may set any variable of a module. */
  private static final Set<String> UNSEEN = Set.of("exec", "globals", "vars", "execfile");

  private final SourceFile file;
  private final PythonFile parsed;
  private final Scope module = new Scope(null, false);
  private final List<At> all = new ArrayList<>();
  private @Nullable Boolean unseen;
  private final Set<String> imported = new HashSet<>();
  private final IdentityHashMap<Node, At> places = new IdentityHashMap<>();

  private PythonTree(SourceFile file, PythonFile parsed) {
    this.file = file;
    this.parsed = parsed;
  }

  static PythonTree of(SourceFile file, PythonFile parsed) {
    PythonTree tree = new PythonTree(file, parsed);
    parsed.body().forEach(s -> tree.visit(s, null, tree.module));
    return tree;
  }

  /** All nodes, each before those inside it, in the order of the source. */
  List<At> all() {
    return all;
  }

  /** Returns the path of the file. */
  String path() {
    return file.path();
  }

  /** Returns the path and line of a node. */
  String line(Node node) {
    return file.path() + ":" + file.line(node.start());
  }

  /** Returns whether a node is one of this tree. */
  boolean has(Node node) {
    return places.containsKey(node);
  }

  /** The place of a node of this tree. */
  At at(Node node) {
    return Objects.requireNonNull(places.get(node));
  }

  List<Stmt> body() {
    return parsed.body();
  }

  Scope module() {
    return module;
  }

  String text(Node node) {
    return file.text(node.start(), node.end());
  }

  // ---- scopes

  private void visit(Node node, @Nullable At parent, Scope scope) {
    At at = new At(node, parent, scope);
    all.add(at);
    places.put(node, at);
    switch (node) {
      case Stmt.Import i -> i.names().forEach(n -> imported.add(PythonProject.root(n.name())));
      case Stmt.ImportFrom f when f.level() == 0 -> imported.add(PythonProject.root(f.module()));
      default -> {}
    }
    switch (node) {
      case Stmt.Function f -> {
        scope.bind(f.name(), new Scope.Other(f));
        f.decorators().forEach(d -> visit(d, at, scope));
        Scope inner = new Scope(scope, false);
        parameters(f.parameters(), at, scope, inner);
        f.types().forEach(t -> visit(t, at, scope));
        f.returns().ifPresent(r -> visit(r, at, scope));
        f.body().forEach(s -> visit(s, at, inner));
      }
      case Expr.Lambda l -> {
        Scope inner = new Scope(scope, false);
        parameters(l.parameters(), at, scope, inner);
        visit(l.body(), at, inner);
      }
      case Stmt.ClassOf c -> {
        scope.bind(c.name(), new Scope.Other(c));
        c.decorators().forEach(d -> visit(d, at, scope));
        c.types().forEach(t -> visit(t, at, scope));
        c.bases().forEach(b -> visit(b, at, scope));
        Scope inner = new Scope(scope, true);
        c.body().forEach(s -> visit(s, at, inner));
      }
      case Expr.Comprehension c -> {
        Scope inner = new Scope(scope, false);
        c.clauses().forEach(f -> bindTarget(f.target(), inner, null, f));
        Children.of(c).forEach(n -> visit(n, at, inner));
      }
      default -> {
        bindings(node, scope);
        Children.of(node).forEach(n -> visit(n, at, scope));
      }
    }
  }

  private void parameters(List<Parameter> parameters, At at, Scope scope, Scope inner) {
    for (Parameter p : parameters) {
      if (!p.name().isEmpty()) {
        inner.bind(p.name(), new Scope.Other(p));
      }
      visit(p, at, scope);
    }
  }

  private static void bindings(Node node, Scope scope) {
    switch (node) {
      case Stmt.Assign a -> {
        boolean plain = a.op().equals("=") && a.targets().size() == 1 && a.value().isPresent();
        if (a.annotation().isEmpty() || a.value().isPresent()) {
          a.targets().forEach(t -> bindTarget(t, scope, plain ? a.value().get() : null, a));
        }
      }
      case Stmt.Import i ->
          i.names()
              .forEach(
                  n ->
                      scope.bind(
                          n.bound(),
                          new Scope.Imported(n.as().isEmpty() ? n.bound() : n.name(), i)));
      case Stmt.ImportFrom f -> {
        String from = ".".repeat(f.level()) + f.module();
        String dot = f.module().isEmpty() ? "" : ".";
        f.names().forEach(n -> scope.bind(n.bound(), new Scope.Imported(from + dot + n.name(), f)));
      }
      case Stmt.For f -> bindTarget(f.target(), scope, null, f);
      case Stmt.Scope s -> scope.leave(s.names());
      case Stmt.Keyword k when k.word().equals("del") ->
          k.values().forEach(v -> bindTarget(v, scope, null, k));
      case Clause.With w -> w.target().ifPresent(t -> bindTarget(t, scope, null, w));
      case Clause.Except e -> {
        if (!e.name().isEmpty()) {
          scope.bind(e.name(), new Scope.Other(e));
        }
      }
      case Clause.Case c -> c.captures().forEach(n -> scope.bind(n.id(), new Scope.Other(c)));
      case Expr.Walrus w -> {
        Scope s = scope;
        scope.bind(w.target().id(), new Scope.Value(w.value(), s, w));
      }
      case Stmt.TypeAlias t -> scope.bind(t.name().id(), new Scope.Other(t));
      default -> {}
    }
  }

  private static void bindTarget(Expr target, Scope scope, @Nullable Expr value, Node at) {
    switch (target) {
      case Expr.Name n ->
          scope.bind(
              n.id(), value == null ? new Scope.Other(at) : new Scope.Value(value, scope, at));
      case Expr.TupleOf t -> t.items().forEach(x -> bindTarget(x, scope, null, at));
      case Expr.ListOf l -> l.items().forEach(x -> bindTarget(x, scope, null, at));
      case Expr.Starred s -> bindTarget(s.value(), scope, null, at);
      default -> {}
    }
  }

  // ---- meaning

  /**
   * The full name of what an expression denotes, as {@code torch.compile}, whatever the file calls
   * it; empty if that is not seen.
   */
  String qualified(Expr x, Scope scope) {
    return qualified(x, scope, 0);
  }

  private String qualified(Expr x, Scope scope, int depth) {
    if (depth > DEPTH) {
      return "";
    }
    return switch (x) {
      case Expr.Name n -> name(n, scope, depth);
      case Expr.Attribute a -> {
        String base = qualified(a.base(), scope, depth + 1);
        yield base.isEmpty() ? "" : base + "." + a.name();
      }
      case Expr.Call c -> read(c, scope, depth);
      default -> "";
    };
  }

  /** {@code getattr(object, "name")}. */
  private String read(Expr.Call c, Scope scope, int depth) {
    Argument object = PythonWork.positional(c, 0);
    Argument name = PythonWork.positional(c, 1);
    if (object == null
        || name == null
        || !(c.function() instanceof Expr.Name f)
        || !f.id().equals("getattr")
        || !scope.lookup("getattr").isEmpty()) {
      return "";
    }
    String base = qualified(object.value(), scope, depth + 1);
    return base.isEmpty() ? "" : string(name.value(), scope).map(n -> base + "." + n).orElse("");
  }

  private String name(Expr.Name n, Scope scope, int depth) {
    List<Binding> all = scope.lookup(n.id());
    if (all.isEmpty()) {
      return n.id();
    }
    Set<String> found = new HashSet<>();
    for (Binding b : all) {
      switch (b) {
        case Scope.Imported i -> found.add(i.qualified());
        case Scope.Value v when isNothing(v.value()) -> {} // where an import failed
        case Scope.Value v -> found.add(qualified(v.value(), v.scope(), depth + 1));
        case Scope.Other o -> {
          return "";
        }
      }
    }
    return found.size() == 1 ? found.iterator().next() : "";
  }

  private static boolean isNothing(Expr x) {
    return x instanceof Expr.Constant c && (c.text().equals("None") || c.text().equals("False"));
  }

  /** What a name was set to, if it is set once; the expression itself where it is not a name. */
  Expr resolved(Expr x, Scope scope) {
    Expr now = x;
    Scope in = scope;
    for (int i = 0; i < DEPTH && now instanceof Expr.Name n; i++) {
      if (!(in.single(n.id()) instanceof Scope.Value v)
          || (v.scope() == module && setsNamesUnseen())) {
        return now;
      }
      now = v.value();
      in = v.scope();
    }
    return now;
  }

  /** True if the module's variables may be set by code that is not here, as by {@code exec}. */
  private boolean setsNamesUnseen() {
    if (unseen == null) {
      unseen =
          all.stream()
              .anyMatch(
                  a ->
                      a.node() instanceof Expr.Call c
                          && c.function() instanceof Expr.Name n
                          && UNSEEN.contains(n.id())
                          && a.scope().lookup(n.id()).isEmpty());
    }
    return unseen;
  }

  /** The string that an expression is known to be. */
  Optional<String> string(Expr x, Scope scope) {
    return resolved(x, scope) instanceof Expr.Text t ? t.value() : Optional.empty();
  }

  static Optional<String> literal(Expr x) {
    return x instanceof Expr.Text t ? t.value() : Optional.empty();
  }

  /** The argument of a keyword; null if it is not given by name. */
  static @Nullable Argument keyword(Expr.Call call, String name) {
    for (Argument a : call.arguments()) {
      if (a.name().equals(name)) {
        return a;
      }
    }
    return null;
  }

  /** True if the program has asked already which platform it is on. */
  boolean isDecided(At at) {
    Node below = at.node();
    if (below instanceof Expr.Conditional c && asksPlatform(text(c.condition()))) {
      return true;
    }
    for (At a = at.parent(); a != null; below = a.node(), a = a.parent()) {
      Expr condition = condition(a.node());
      if (condition != null && condition != below && asksPlatform(text(condition))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Expr condition(Node node) {
    return switch (node) {
      case Stmt.If i -> i.condition();
      case Expr.Conditional c -> c.condition();
      case Stmt.While w -> w.condition();
      case Expr.Logical l -> l.operands().getFirst();
      default -> null;
    };
  }

  /** True if a name gets its value in code that checks the platform. */
  boolean isSetByPlatform(Expr x, Scope scope) {
    return x instanceof Expr.Name n
        && scope.lookup(n.id()).stream()
            .anyMatch(
                b ->
                    isDecided(at(b.at()))
                        || (b instanceof Scope.Value v && isDecided(at(v.value()))));
  }

  /** True if the module gives the name torch to nothing but torch. */
  boolean isOnlyTorch() {
    return module.own("torch").stream().allMatch(PythonTree::isTorch);
  }

  private static boolean isTorch(Binding b) {
    return b instanceof Scope.Imported i && i.qualified().equals("torch");
  }

  /** True if torch was imported by its name on each way to a statement of a function. */
  boolean isTorchBefore(Stmt statement) {
    At at = at(statement);
    for (Scope s = at.scope(); s != null; s = s.parent) {
      List<Binding> own = s.isClass ? List.of() : s.own("torch");
      if (!own.isEmpty()) {
        return own.stream().allMatch(PythonTree::isTorch)
            && own.stream().anyMatch(b -> isBefore(at(b.at()), at));
      }
    }
    return false;
  }

  /** True if a statement of some block has run when one after it in or below that block runs. */
  static boolean isBefore(At first, At then) {
    if (first.node().end() > then.node().start()) {
      return false;
    }
    if (first.parent() == null) {
      return true;
    }
    for (At a = then; a.parent() != null; a = a.parent()) {
      if (a.parent().node() == first.parent().node()) {
        return switch (first.parent().node()) {
          case Stmt.Function f -> true;
          case Stmt.With w -> true;
          case Stmt.If i -> i.body().contains(first.node()) == i.body().contains(a.node());
          case Stmt.Try t -> t.body().contains(first.node()) && t.body().contains(a.node());
          case Clause.Except e -> true;
          default -> false;
        };
      }
    }
    return false;
  }

  /** True if some import names a package or what is in it. */
  boolean imports(String root) {
    return imported.contains(root);
  }

  static boolean asksPlatform(String condition) {
    return PLATFORM.matcher(condition.toLowerCase(Locale.ROOT)).find();
  }
}
