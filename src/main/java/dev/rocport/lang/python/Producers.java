package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Clause;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Traces tensors to their origin, through names, views, and functions of the files. */
final class Producers {
  static final String SYMM_MEM = "torch.distributed._symmetric_memory";
  static final String OPS = "torch.ops.";
  private static final int DEPTH = 12;

  /** Methods whose result is in the memory of their tensor, always or at times. */
  private static final Set<String> VIEWS =
      Set.of(
          "view",
          "view_as",
          "reshape",
          "flatten",
          "unflatten",
          "squeeze",
          "unsqueeze",
          "transpose",
          "permute",
          "t",
          "narrow",
          "select",
          "expand",
          "expand_as",
          "as_strided",
          "chunk",
          "split",
          "unbind",
          "detach",
          "contiguous",
          "to",
          "cuda",
          "movedim",
          "swapaxes",
          "requires_grad_");

  private static final Set<String> VIEW_ATTRIBUTES = Set.of("T", "mT", "H", "mH", "data", "real");

  private static final Set<String> ALLOCATORS =
      Set.of(
          SYMM_MEM + ".empty",
          SYMM_MEM + "._SymmetricMemory.empty_strided_p2p",
          "torch._C._distributed_c10d._SymmetricMemory.empty_strided_p2p");

  /** Methods of the handle of symmetric memory. */
  private static final Set<String> BUFFERS =
      Set.of("get_buffer", "get_remote_tensor", "get_remote_tensors");

  /** Tensor methods whose result is a new tensor. */
  private static final Set<String> OWN =
      Set.of(
          "abs",
          "add",
          "addmm",
          "bfloat16",
          "bmm",
          "clamp",
          "clone",
          "cos",
          "cumsum",
          "div",
          "double",
          "exp",
          "float",
          "gelu",
          "half",
          "index_select",
          "int",
          "log",
          "long",
          "masked_fill",
          "matmul",
          "mean",
          "mm",
          "mul",
          "neg",
          "new_empty",
          "new_full",
          "new_ones",
          "new_tensor",
          "new_zeros",
          "pow",
          "relu",
          "repeat",
          "rsqrt",
          "sigmoid",
          "silu",
          "sin",
          "softmax",
          "sqrt",
          "square",
          "sub",
          "sum",
          "tanh",
          "type_as",
          "where");

  private final PythonModules modules;
  private final Compiled compiled;
  private final Set<String> customs;
  private final Map<Stmt.Function, String> functions;
  private final OperatorNames operators;

  /**
   * Traces tensors in these files.
   *
   * @param customs operators that the files define, as {@code torch.ops.space.name}
   * @param functions those that are called as functions, with their names
   */
  Producers(PythonModules modules, Set<String> customs, Map<Stmt.Function, String> functions) {
    this.modules = modules;
    this.compiled = modules.compiled();
    this.customs = customs;
    this.functions = functions;
    this.operators = new OperatorNames(modules);
  }

  /** Returns the possible origins of a tensor: several if they depend on the path taken. */
  Set<Producer> of(Expr x, At at) {
    Set<Producer> found = new LinkedHashSet<>();
    trace(x, at, found, 0);
    return found;
  }

  OperatorNames operators() {
    return operators;
  }

  private void trace(Expr x, At at, Set<Producer> found, int depth) {
    if (depth > DEPTH) {
      found.add(new Producer.Unknown(x));
      return;
    }
    switch (x) {
      case Expr.Name n -> name(n, at, found, depth);
      case Expr.Attribute a when VIEW_ATTRIBUTES.contains(a.name()) ->
          trace(a.base(), at, found, depth + 1);
      case Expr.Attribute a -> found.add(attribute(a, at, depth));
      case Expr.Subscript s when isSlice(s.index()) -> trace(s.base(), at, found, depth + 1);
      case Expr.Subscript s -> found.add(new Producer.Unknown(s));
      case Expr.Call c -> call(c, at, found, depth);
      case Expr.Binary b -> found.add(new Producer.BuiltIn(b));
      case Expr.Unary u -> found.add(new Producer.BuiltIn(u));
      case Expr.Conditional c -> {
        trace(c.then(), at, found, depth + 1);
        trace(c.otherwise(), at, found, depth + 1);
      }
      case Expr.Walrus v -> trace(v.value(), at, found, depth + 1);
      default -> found.add(new Producer.Unknown(x));
    }
  }

  /** True for indices that give a view: numbers and slices, not tensors. */
  private static boolean isSlice(Expr index) {
    return switch (index) {
      case Expr.Slice s -> true;
      case Expr.Constant c -> true;
      case Expr.Unary u -> u.operand() instanceof Expr.Constant;
      case Expr.TupleOf t -> t.items().stream().allMatch(Producers::isSlice);
      default -> false;
    };
  }

  // ---- names

  private void name(Expr.Name n, At at, Set<Producer> found, int depth) {
    List<Scope.Binding> all = at.scope().lookup(n.id());
    if (all.isEmpty() || isOfOuterFunction(n, at)) {
      found.add(new Producer.Unknown(n));
      return;
    }
    if (at.scope().own(n.id()).isEmpty() || at.scope().parent == null) {
      found.add(outside(all, n, n.id(), at, depth));
      return;
    }
    List<Scope.Binding> reaching = new ReachingBindings(modules.tree(at)).of(all, at);
    if (reaching.isEmpty()) {
      found.add(new Producer.Unknown(n));
    }
    for (Scope.Binding b : reaching) {
      switch (b) {
        case Scope.Value v -> trace(v.value(), modules.at(v.value()), found, depth + 1);
        case Scope.Imported i -> found.add(outside(List.of(i), n, n.id(), at, depth));
        case Scope.Other o when o.at() instanceof Parameter p -> parameter(p, found, depth);
        case Scope.Other o when o.at() instanceof Stmt.Assign a && a.value().isPresent() ->
            unpacked(a.value().get(), found, depth);
        case Scope.Other o -> found.add(new Producer.Unknown(o.at()));
      }
    }
  }

  /** A variable of a module, here or where it is imported from. */
  private Producer outside(List<Scope.Binding> all, Expr x, String name, At at, int depth) {
    Scope.Binding here = all.size() == 1 ? all.getFirst() : null;
    Scope.Binding from = here instanceof Scope.Imported ? modules.imported(x, at) : here;
    if (from instanceof Scope.Value v && !isSetElsewhere(x)) {
      return new Producer.Outside(v.at(), name, ordinary(v.value(), depth));
    }
    return new Producer.Outside(from == null ? all.getFirst().at() : from.at(), name);
  }

  /** What allocates a value in ordinary memory, if nothing else does; null otherwise. */
  private @Nullable Producer ordinary(Expr value, int depth) {
    Set<Producer> found = new LinkedHashSet<>();
    trace(value, modules.at(value), found, depth + 3);
    return ordinary(found);
  }

  private @Nullable Producer ordinary(Set<Producer> found) {
    boolean all =
        !found.isEmpty() && found.stream().allMatch(p -> isOrdinary(p) && !isInPool(p.at()));
    return all ? found.iterator().next() : null;
  }

  /** Returns whether a tensor is known to be in ordinary memory. */
  static boolean isOrdinary(Producer p) {
    return switch (p) {
      case Producer.BuiltIn b -> true;
      case Producer.Custom c -> true;
      case Producer.Outside o -> o.ordinary() != null;
      default -> false;
    };
  }

  /** True if some code sets an attribute with the name, which may be this variable. */
  private boolean isSetElsewhere(Expr x) {
    String name =
        switch (x) {
          case Expr.Name n -> n.id();
          case Expr.Attribute a -> a.name();
          default -> "";
        };
    return modules.all().stream()
        .anyMatch(
            a ->
                a.node() instanceof Stmt.Assign s
                    && s.targets().stream()
                        .anyMatch(t -> t instanceof Expr.Attribute b && b.name().equals(name)));
  }

  /** True for a variable of a function around this one. */
  private static boolean isOfOuterFunction(Expr.Name n, At at) {
    return at.scope().own(n.id()).isEmpty()
        && !at.scope().lookup(n.id()).equals(at.scope().module().own(n.id()));
  }

  /** {@code a, b = x.chunk(2)}: parts of a view are views; results of an operator are its own. */
  private void unpacked(Expr value, Set<Producer> found, int depth) {
    if (value instanceof Expr.Call) {
      trace(value, modules.at(value), found, depth + 1);
    } else {
      found.add(new Producer.Unknown(value));
    }
  }

  /** A parameter: the arguments that compiled callers pass for it, if visible. */
  private void parameter(Parameter p, Set<Producer> found, int depth) {
    At at = modules.at(p);
    if (!(at.parent() != null && at.parent().node() instanceof Stmt.Function f)
        || compiled.root(f) == null) {
      found.add(new Producer.Outside(p, p.name()));
      return;
    }
    Set<Producer> passed = new LinkedHashSet<>();
    boolean all = true;
    for (At a : compiled.calls(f)) {
      Expr.Call c = (Expr.Call) a.node();
      if (compiled.isRoot(f) || compiled.root(Compiled.function(a)) != null) {
        Expr given = given(c, f, p);
        all &= given != null;
        if (given != null) {
          trace(given, a, passed, depth + 3);
        }
      }
    }
    if (compiled.isRoot(f)) {
      found.add(new Producer.Outside(p, p.name(), all ? ordinary(passed) : null));
    } else if (passed.isEmpty()) {
      found.add(new Producer.Outside(p, p.name()));
    } else {
      found.addAll(passed);
    }
  }

  private static @Nullable Expr given(Expr.Call c, Stmt.Function f, Parameter p) {
    Argument a = PythonTree.keyword(c, p.name());
    if (a == null && p.star().isEmpty()) {
      int index = f.parameters().indexOf(p);
      boolean method =
          c.function() instanceof Expr.Attribute
              && !f.parameters().isEmpty()
              && f.parameters().getFirst().name().equals("self");
      a = PythonWork.positional(c, method ? index - 1 : index);
    }
    return a == null ? null : a.value();
  }

  private Producer attribute(Expr.Attribute a, At at, int depth) {
    String name = modules.tree(at).text(a);
    if (!(a.base() instanceof Expr.Name self && self.id().equals("self"))) {
      Scope.Binding b = modules.imported(a, at);
      return b == null ? new Producer.Outside(a, name) : outside(List.of(b), a, name, at, depth);
    }
    for (At other : modules.tree(at).all()) {
      if (other.node() instanceof Stmt.Assign s
          && s.value().isPresent()
          && s.targets().stream().anyMatch(t -> isSame(t, a))
          && Compiled.isSame(Compiled.classOf(other), Compiled.classOf(at))) {
        return new Producer.Outside(s, name);
      }
    }
    return new Producer.Outside(a, name);
  }

  private static boolean isSame(Expr t, Expr.Attribute a) {
    return t instanceof Expr.Attribute b
        && b.name().equals(a.name())
        && b.base() instanceof Expr.Name n
        && n.id().equals("self");
  }

  // ---- calls

  private void call(Expr.Call c, At at, Set<Producer> found, int depth) {
    String name = operators.of(c.function(), at);
    Stmt.Function own = compiled.target(c.function(), at);
    if (ALLOCATORS.contains(name)) {
      found.add(new Producer.Symmetric(c));
    } else if (customs.contains(name)) {
      found.add(new Producer.Custom(c, name.replace(OPS, "")));
    } else if (name.startsWith(OPS)) {
      operator(c, name.substring(OPS.length()), at, found, depth);
    } else if (name.startsWith("torch.")) {
      torch(c, name, at, found, depth);
    } else if (own != null) {
      function(own, c, found, depth);
    } else if (c.function() instanceof Expr.Attribute a && isTensor(a.base(), at)) {
      method(c, a, at, found, depth);
    } else {
      found.add(new Producer.Unknown(c));
    }
  }

  private void operator(Expr.Call c, String name, At at, Set<Producer> found, int depth) {
    Argument first = PythonWork.positional(c, 0);
    if (name.startsWith("symm_mem.two_shot_all_reduce_")
        && !name.endsWith("out")
        && first != null) {
      trace(first.value(), at, found, depth + 1);
    } else if (name.startsWith("aten.") || name.startsWith("symm_mem.one_shot_all_reduce")) {
      found.add(new Producer.BuiltIn(c));
    } else {
      found.add(new Producer.Custom(c, name));
    }
  }

  private void torch(Expr.Call c, String name, At at, Set<Producer> found, int depth) {
    Argument first = PythonWork.positional(c, 0);
    String last = name.substring(name.lastIndexOf('.') + 1);
    boolean inPlace = last.endsWith("_") && !last.startsWith("_");
    if (first != null && (inPlace || VIEWS.contains(last))) {
      trace(first.value(), at, found, depth + 1);
    } else if (name.startsWith("torch.nn.") && !name.startsWith("torch.nn.functional.")) {
      found.add(new Producer.Unknown(c));
    } else {
      found.add(new Producer.BuiltIn(c));
    }
  }

  private void method(Expr.Call c, Expr.Attribute a, At at, Set<Producer> found, int depth) {
    boolean inPlace = a.name().endsWith("_") && !a.name().startsWith("_");
    if (BUFFERS.contains(a.name())) {
      found.add(new Producer.Symmetric(c));
    } else if (inPlace || VIEWS.contains(a.name())) {
      trace(a.base(), at, found, depth + 1);
    } else if (OWN.contains(a.name())) {
      found.add(new Producer.BuiltIn(c));
    } else {
      found.add(new Producer.Unknown(c));
    }
  }

  /** Returns whether an expression may be a tensor: no module, no {@code self}. */
  private boolean isTensor(Expr base, At at) {
    return switch (base) {
      case Expr.Name n ->
          !n.id().equals("self")
              && !n.id().equals("super")
              && !at.scope().lookup(n.id()).isEmpty()
              && at.scope().lookup(n.id()).stream().noneMatch(b -> b instanceof Scope.Imported);
      case Expr.Call c -> !(c.function() instanceof Expr.Name n && n.id().equals("super"));
      case Expr.Subscript s -> isTensor(s.base(), at);
      case Expr.Binary b -> true;
      case Expr.Attribute a -> VIEW_ATTRIBUTES.contains(a.name()) && isTensor(a.base(), at);
      default -> false;
    };
  }

  /** A function of these files: what it returns. */
  private void function(Stmt.Function f, Expr.Call call, Set<Producer> found, int depth) {
    if (isOperator(f)) {
      found.add(new Producer.Custom(call, functions.getOrDefault(f, f.name()).replace(OPS, "")));
      return;
    }
    boolean any = false;
    for (At a : modules.tree(modules.at(f)).all()) {
      if (a.node() instanceof Stmt.Keyword k
          && k.word().equals("return")
          && k.values().size() == 1
          && Compiled.isSame(Compiled.function(a), f)) {
        any = true;
        trace(k.values().getFirst(), a, found, depth + 3);
      }
    }
    if (!any) {
      found.add(new Producer.Unknown(call));
    }
  }

  private boolean isOperator(Stmt.Function f) {
    At at = modules.at(f);
    return f.decorators().stream()
        .anyMatch(
            d ->
                d instanceof Expr.Call c
                    && modules.qualified(c.function(), at).equals("torch.library.custom_op"));
  }

  /** True inside a {@code with torch.cuda.use_mem_pool(...)}. */
  boolean isInPool(Node n) {
    for (At a = modules.at(n); a != null; a = a.parent()) {
      if (a.node() instanceof Stmt.With with && with.items().stream().anyMatch(i -> isPool(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isPool(Clause.With item) {
    At at = modules.at(item);
    return item.context() instanceof Expr.Call c
        && modules.qualified(c.function(), at).endsWith("use_mem_pool");
  }
}
