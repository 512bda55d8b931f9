package dev.rocport.lang.python;

import dev.rocport.lang.python.CustomOperators.Operator;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The collectives on symmetric memory of several files, and the operators of these files whose
 * results compiled functions pass to them.
 */
final class SymmetricUses {
  /** What is done so that the result of an operator is in symmetric memory. */
  enum Remedy {
    NONE,
    /** An out variant: Inductor allocates the result. */
    OUT,
    /** The operator runs with the memory pool of symmetric memory. */
    POOL
  }

  /** How a collective gets the result of an operator. */
  private enum Use {
    /** Inductor lowers the collective, and copies what it does not allocate. */
    LOWERED,
    /** A registered operator: Inductor allocates its argument, or only warns. */
    REGISTERED,
    /** The graph ends before the collective. */
    BROKEN
  }

  private final PythonModules modules;
  private final IdentityHashMap<PythonTree, CustomOperators> byFile = new IdentityHashMap<>();
  private final Map<String, Operator> operators = new TreeMap<>();

  /** Operators that several files define. */
  private final Set<String> several = new TreeSet<>();

  private final IdentityHashMap<Stmt.Function, String> functions = new IdentityHashMap<>();
  private final Map<String, Collective> collectives;
  private final Producers producers;
  private final SymmetricArguments arguments;
  private final Map<String, Set<Use>> uses = new TreeMap<>();

  /**
   * Finds them.
   *
   * @param known the collectives of PyTorch, by {@code torch.ops.space.name}
   */
  SymmetricUses(PythonModules modules, Map<String, Collective> known) {
    this.modules = modules;
    Set<String> names = new LinkedHashSet<>();
    for (PythonTree tree : modules.trees()) {
      CustomOperators own = new CustomOperators(tree);
      byFile.put(tree, own);
      names.addAll(own.names());
      for (Operator o : own.all()) {
        if (operators.put(o.full(), o) != null) {
          several.add(o.full());
        }
        if (o.at() instanceof Stmt.Function f) {
          functions.put(f, Producers.OPS + o.full());
        }
      }
    }
    this.producers = new Producers(modules, names, functions);
    this.collectives = new LinkedHashMap<>(known);
    this.arguments = new SymmetricArguments(modules, producers, known);
    for (Operator o : operators.values()) {
      arguments.collective(o).ifPresent(c -> this.collectives.put(Producers.OPS + c.name(), c));
    }
    Compiled compiled = modules.compiled();
    for (At at : modules.all()) {
      if (at.node() instanceof Expr.Call c) {
        Compiled.Root root = compiled.root(Compiled.function(at));
        Collective collective = root == null || root.dynamic() ? null : of(c, at);
        if (collective != null) {
          note(collective, c, at);
        }
      }
    }
  }

  private void note(Collective collective, Expr.Call c, At at) {
    Use use = collective.breaks() ? Use.BROKEN : collective.copies() ? Use.LOWERED : Use.REGISTERED;
    for (Collective.Parameter p : collective.parameters()) {
      Expr given = p.symmetric() && !p.left() ? collective.given(c, p) : null;
      if (given != null) {
        for (Producer producer : producers.of(given, at)) {
          if (producer instanceof Producer.Custom custom) {
            uses.computeIfAbsent(custom.operator(), x -> EnumSet.noneOf(Use.class)).add(use);
          }
        }
      }
    }
  }

  Producers producers() {
    return producers;
  }

  SymmetricArguments arguments() {
    return arguments;
  }

  /** The operators that a file defines. */
  CustomOperators operators(PythonTree tree) {
    CustomOperators own = byFile.get(tree);
    return own == null ? new CustomOperators(tree) : own;
  }

  /** The collective that a call is; null if it is none. */
  @Nullable Collective of(Expr.Call c, At at) {
    Stmt.Function own = modules.compiled().target(c.function(), at);
    String name = own == null ? null : functions.get(own);
    return collectives.get(name == null ? producers.operators().of(c.function(), at) : name);
  }

  /**
   * What a port does for the result of an operator.
   *
   * @param operator its name without {@code torch.ops}
   */
  Remedy remedy(String operator) {
    Operator o = operators.get(operator);
    Set<Use> all = uses.getOrDefault(operator, Set.of());
    if (o == null
        || several.contains(operator)
        || all.isEmpty()
        || !o.isWhole()
        || o.seats().isEmpty()) {
      return Remedy.NONE;
    }
    if (o.flags().contains(CustomOperators.OUT)) {
      return all.contains(Use.BROKEN) ? Remedy.NONE : Remedy.OUT;
    }
    if (all.contains(Use.BROKEN)) {
      return Remedy.POOL;
    }
    if (o.returnsTensor()) {
      // An out variant that copies gains nothing where Inductor copies, too.
      return all.contains(Use.REGISTERED) || allocation(o) != null ? Remedy.OUT : Remedy.NONE;
    }
    return all.contains(Use.REGISTERED) ? Remedy.POOL : Remedy.NONE;
  }

  /** The call that allocates the result of an operator; null if it is not the only one. */
  Expr.@Nullable Call allocation(Operator o) {
    Stmt.Function body = o.bodies().getFirst();
    PythonTree tree = modules.tree(modules.at(body));
    List<At> returned =
        tree.all().stream()
            .filter(
                a ->
                    a.node() instanceof Stmt.Keyword k
                        && k.word().equals("return")
                        && Compiled.isSame(Compiled.function(a), body))
            .toList();
    if (returned.size() != 1
        || !(returned.getFirst().node() instanceof Stmt.Keyword k)
        || !Compiled.isSame(body.body().getLast(), k)
        || k.values().size() != 1
        || !(k.values().getFirst() instanceof Expr.Name n)
        || !(returned.getFirst().scope().single(n.id()) instanceof Scope.Value v)
        || !(CustomOperators.plain(v.value(), tree) instanceof Expr.Call c)
        || body.body().stream().noneMatch(s -> Compiled.isSame(s, v.at()))) {
      return null;
    }
    return SymmetricResults.ALLOCATORS.contains(tree.qualified(c.function(), v.scope()))
            || (c.function() instanceof Expr.Attribute a
                && a.name().equals("new_empty")
                && a.base() instanceof Expr.Name)
        ? c
        : null;
  }
}
