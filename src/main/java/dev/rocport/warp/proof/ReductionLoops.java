package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Stmt;
import java.util.ArrayList;
import java.util.List;

/** Interprets loops in which each warp combines the results of all warps. */
final class ReductionLoops {
  private final Run run;
  private final Expressions expressions;

  ReductionLoops(Run run, Expressions expressions) {
    this.run = run;
    this.expressions = expressions;
  }

  /**
   * A loop over the warps' results in shared memory: {@code for (int w = 0; w < warps; w++) sum +=
   * part[w];}, which gives the block's.
   */
  boolean overWarps(Frame f, Stmt.For l) {
    if (!(l.init() instanceof Stmt.Let let)
        || !(let.variable().init().orElse(null) instanceof Expr.Literal zero)
        || zero.value() != 0
        || !(l.condition().orElse(null) instanceof Expr.Binary c)
        || !c.op().equals("<")
        || !(c.left() instanceof Expr.Name w)
        || !w.id().equals(let.variable().name())
        || !(l.step().orElse(null) instanceof Expr.Unary u)
        || !u.op().equals("++")) {
      return false;
    }
    Value count = expressions.eval(f, c.right());
    boolean constant =
        count instanceof Value.Const k
            && run.blockSizes.size() == 1
            && k.value() * 32 == run.blockSizes.iterator().next();
    if (!(count instanceof Value.Warps) && !constant) {
      return false;
    }
    List<Expr.Binary> updates = new ArrayList<>();
    if (!updates(l.body(), updates)) {
      return false;
    }
    for (Expr.Binary b : updates) {
      Reduction op =
          switch (b.op()) {
            case "+=" -> Reduction.ADD;
            case "|=" -> Reduction.OR;
            case "&=" -> Reduction.AND;
            case "^=" -> Reduction.XOR;
            default -> null;
          };
      boolean fits =
          op != null
              && b.left() instanceof Expr.Name x
              && f.values.containsKey(x.id())
              && Joins.isIdentity(op, f.get(x.id()))
              && b.right() instanceof Expr.Index i
              && i.index() instanceof Expr.Name at
              && at.id().equals(w.id())
              && expressions.memory().holdsParts(f, i.base(), op, f.integer(x.id()));
      if (!fits) {
        return false;
      }
    }
    if (count instanceof Value.Const k) {
      run.trace.constant(
          Site.Kind.WARPS, k, "(" + k.origin().text() + " * 32 / rocport::wave::size)");
    }
    for (Expr.Binary b : updates) {
      String x = ((Expr.Name) b.left()).id();
      if (f.types.get(x) != Frame.Type.INTEGER && b.op().equals("+=")) {
        run.trace.obstacle(
            Obstacle.Kind.ROUNDING,
            f.function.path(),
            b.at(),
            "a floating-point sum over the warps would be split differently");
      }
      f.set(x, Value.Plain.UNIFORM);
    }
    return true;
  }

  /** The assignments of a body that holds nothing else. */
  private static boolean updates(Stmt s, List<Expr.Binary> out) {
    return switch (s) {
      case Stmt.Block b -> b.list().stream().allMatch(x -> updates(x, out)) && !out.isEmpty();
      case Stmt.Eval e when e.x() instanceof Expr.Binary b && b.assigns() -> out.add(b);
      case Stmt.Eval e when e.x() instanceof Expr.Other o && o.text().equals(",") ->
          o.parts().stream().allMatch(p -> p instanceof Expr.Binary b && b.assigns() && out.add(b));
      default -> false;
    };
  }
}
