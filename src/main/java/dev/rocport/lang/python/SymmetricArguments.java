package dev.rocport.lang.python;

import dev.rocport.lang.python.CustomOperators.Operator;
import dev.rocport.lang.python.CustomOperators.Typed;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds operators of the file that pass an argument to a collective on symmetric memory, and
 * registers these arguments with Inductor if the torch version supports it.
 */
final class SymmetricArguments {
  static final String RULE = "PY-SYMM-MEM-ARGS";
  private static final String REGISTER = "register_symm_mem_args";

  private final PythonWork w;
  private final Producers producers;
  private final Map<String, Collective> known;

  SymmetricArguments(PythonWork w, Producers producers, Map<String, Collective> known) {
    this.w = w;
    this.producers = producers;
    this.known = known;
  }

  /** What an operator passes on: on every path, to its own group, and anything at all. */
  private record Handed(Set<String> always, Set<String> atTimes, boolean ownGroup) {}

  /** Registers each operator with Inductor, and returns the operators as collectives. */
  List<Collective> run(CustomOperators operators) {
    List<Collective> own = new ArrayList<>();
    for (Operator o : operators.all()) {
      if (o.composite()) {
        continue;
      }
      Handed handed = handed(o);
      if (handed.always().isEmpty() && handed.atTimes().isEmpty()) {
        continue;
      }
      boolean told = o.flags().contains("registered");
      if (o.parameters().stream().noneMatch(SymmetricArguments::isGroup)) {
        w.review(
            o.at(),
            RULE,
            o.full()
                + " passes "
                + names(handed.always().isEmpty() ? handed.atTimes() : handed.always())
                + " to a collective on symmetric memory, but its schema has no argument \"str"
                + " group_name\": without one, Inductor silently skips the registration (torch"
                + " 2.13, 2.14)");
        continue;
      }
      if (told || (register(o, handed) && w.allows(RULE))) {
        own.add(collective(o, handed));
      }
    }
    return own;
  }

  private static boolean isGroup(Typed t) {
    return t.name().equals(Collective.GROUP) && t.type().equals("str");
  }

  /** Only where all is seen: one implementation, on every path, the operator's own group. */
  private boolean register(Operator o, Handed handed) {
    if (!o.isWhole() || handed.always().isEmpty() || !handed.ownGroup()) {
      Set<String> some = handed.always().isEmpty() ? handed.atTimes() : handed.always();
      String why =
          !o.isWhole()
              ? "the operator has several implementations, or one that is not visible here"
              : handed.always().isEmpty()
                  ? "it does so on some paths only"
                  : "its group_name is not the group of the collective";
      w.review(
          o.at(),
          RULE,
          o.full()
              + " passes "
              + names(some)
              + " to a collective on symmetric memory; it is not"
              + " registered: "
              + why);
      return false;
    }
    String list = "[\"" + String.join("\", \"", handed.always()) + "\"]";
    List<String> lines;
    String owner;
    if (o.library().isEmpty()) {
      String variable = "_symm_mem_" + o.name();
      owner = "torch.library.Library";
      lines =
          List.of(
              variable + " = torch.library.Library(\"" + o.space() + "\", \"FRAGMENT\")",
              variable + "." + REGISTER + "(\"" + o.name() + "\", " + list + ")");
    } else {
      owner = o.library();
      lines = List.of(owner + "." + REGISTER + "(\"" + o.name() + "\", " + list + ")");
    }
    At at = w.tree().at(o.at());
    if (w.tree().isDecided(at)) {
      return false;
    }
    String why =
        o.library().isEmpty() && !isModuleWithTorch(at)
            ? "it is not defined at module level after import torch"
            : w.gates().behind(at, "hasattr(" + owner + ", \"" + REGISTER + "\")", lines, RULE);
    if (!why.isEmpty()) {
      w.review(o.at(), RULE, o.full() + " is not registered: " + why);
      return false;
    }
    return true;
  }

  /** A library that is a local variable would be gone, and its registration with it. */
  private boolean isModuleWithTorch(At at) {
    return at.parent() == null
        && w.tree().module().single("torch") instanceof Scope.Imported i
        && i.qualified().equals("torch")
        && i.at().end() < at.node().start();
  }

  private static Collective collective(Operator o, Handed handed) {
    List<Collective.Parameter> list =
        o.parameters().stream()
            .map(
                p ->
                    new Collective.Parameter(
                        p.name(), handed.always().contains(p.name()), false, false))
            .toList();
    return new Collective(o.full(), list, false, false);
  }

  // ---- what a body does

  private Handed handed(Operator o) {
    Set<String> always = new LinkedHashSet<>();
    Set<String> atTimes = new LinkedHashSet<>();
    boolean ownGroup = true;
    for (Stmt.Function body : o.bodies()) {
      for (At at : w.tree().all()) {
        if (!(at.node() instanceof Expr.Call c) || !isIn(body, at)) {
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
    return w.tree().all().stream()
        .noneMatch(
            a ->
                a.node() instanceof Stmt.Keyword k
                    && !k.word().equals("del")
                    && k.end() <= start
                    && isIn(body, a));
  }

  private boolean isIn(Stmt.Function body, At at) {
    return Compiled.isSame(Compiled.function(at), body);
  }

  private static String names(Set<String> names) {
    return String.join(", ", names);
  }
}
