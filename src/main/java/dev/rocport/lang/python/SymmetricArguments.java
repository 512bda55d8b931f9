package dev.rocport.lang.python;

import dev.rocport.lang.python.CustomOperators.Operator;
import dev.rocport.lang.python.CustomOperators.Typed;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds operators that pass an argument to a collective on symmetric memory. */
final class SymmetricArguments {
  private final PythonModules modules;
  private final Producers producers;
  private final Map<String, Collective> known;

  /**
   * In these files.
   *
   * @param known the collectives of PyTorch, by {@code torch.ops.space.name}
   */
  SymmetricArguments(PythonModules modules, Producers producers, Map<String, Collective> known) {
    this.modules = modules;
    this.producers = producers;
    this.known = known;
  }

  /**
   * What an operator passes on.
   *
   * @param always on every path
   * @param atTimes on some paths only
   * @param ownGroup whether it does so in the group that it is given
   */
  record Handed(Set<String> always, Set<String> atTimes, boolean ownGroup) {
    boolean isNothing() {
      return always.isEmpty() && atTimes.isEmpty();
    }

    /** What it passes on, if possible on every path. */
    Set<String> names() {
      return always.isEmpty() ? atTimes : always;
    }
  }

  /**
   * The operator as a collective: one that is registered with Inductor, or that a port registers;
   * empty for any other.
   */
  Optional<Collective> collective(Operator o) {
    Handed handed = of(o);
    if (handed.isNothing() || o.parameters().stream().noneMatch(SymmetricArguments::isGroup)) {
      return Optional.empty();
    }
    if (!o.flags().contains("registered") && !whyNot(o, handed).isEmpty()) {
      return Optional.empty();
    }
    List<Collective.Parameter> list =
        o.parameters().stream()
            .map(
                p ->
                    new Collective.Parameter(
                        p.name(), handed.always().contains(p.name()), false, false))
            .toList();
    return Optional.of(new Collective(o.full(), list, false, false));
  }

  static boolean isGroup(Typed t) {
    return t.name().equals(Collective.GROUP) && t.type().equals("str");
  }

  /**
   * Why an operator cannot be registered; empty if it can: one implementation is seen, which passes
   * the argument on in any case, in the group of the operator.
   */
  static String whyNot(Operator o, Handed handed) {
    if (!o.isWhole()) {
      return "the operator has several implementations, or one that is not visible here";
    }
    if (handed.always().isEmpty()) {
      return "it does so on some paths only";
    }
    return handed.ownGroup() ? "" : "its group_name is not the group of the collective";
  }

  /** What the implementations of an operator pass on. */
  Handed of(Operator o) {
    Set<String> always = new LinkedHashSet<>();
    Set<String> atTimes = new LinkedHashSet<>();
    if (o.composite()) {
      return new Handed(always, atTimes, true);
    }
    boolean ownGroup = true;
    for (Stmt.Function body : o.bodies()) {
      for (At at : modules.tree(modules.at(body)).all()) {
        if (!(at.node() instanceof Expr.Call c) || !Compiled.isSame(Compiled.function(at), body)) {
          continue;
        }
        Collective collective = known.get(producers.operators().of(c.function(), at));
        if (collective == null) {
          continue;
        }
        for (Collective.Parameter p : collective.parameters()) {
          Expr given = p.symmetric() ? collective.given(c, p) : null;
          String name = given == null ? "" : parameter(o, body, given, at);
          if (!name.isEmpty()) {
            (isAlways(body, at) ? always : atTimes).add(name);
          }
          if (p.name().equals(Collective.GROUP)) {
            Expr group = collective.given(c, p);
            ownGroup &= group != null && parameter(o, body, group, at).equals(Collective.GROUP);
          }
        }
      }
    }
    atTimes.removeAll(always);
    return new Handed(always, atTimes, ownGroup);
  }

  /** The schema's name of the parameter that an expression is, never set anew; otherwise empty. */
  private static String parameter(Operator o, Stmt.Function body, Expr x, At at) {
    return x instanceof Expr.Name n
            && at.scope().single(n.id()) instanceof Scope.Other other
            && other.at() instanceof Parameter p
        ? CustomOperators.schemaName(o, body, p)
        : "";
  }

  /** True if a body that runs gets there: no branch around it, and no way out before it. */
  private boolean isAlways(Stmt.Function body, At at) {
    for (At a = at.parent(); a != null && !Compiled.isSame(a.node(), body); a = a.parent()) {
      boolean straight =
          switch (a.node()) {
            case Stmt.Expression s -> true;
            case Stmt.Assign s -> true;
            case Stmt.Keyword s -> s.word().equals("return");
            case Stmt.With s -> true;
            case Expr.Call c -> true;
            case Expr.Attribute t -> true;
            case Expr.Binary b -> true;
            case Argument g -> true;
            default -> false;
          };
      if (!straight) {
        return false;
      }
    }
    int start = at.statement().node().start();
    return modules.tree(at).all().stream()
        .noneMatch(
            a ->
                a.node() instanceof Stmt.Keyword k
                    && !k.word().equals("del")
                    && k.end() <= start
                    && Compiled.isSame(Compiled.function(a), body));
  }
}
