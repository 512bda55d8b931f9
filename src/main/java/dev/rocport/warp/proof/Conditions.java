package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates comparisons, and which lanes and warps they leave active. */
final class Conditions {
  private static final String SIZE = "rocport::wave::size";

  private final Run run;
  private final Expressions expressions;

  Conditions(Run run, Expressions expressions) {
    this.run = run;
    this.expressions = expressions;
  }

  static Value isZero(Guard g) {
    return new Value.Condition(List.of(g), List.of(new Guard.Opaque("not " + g)));
  }

  static Value opaque(Value v) {
    return new Value.Condition(
        List.of(new Guard.Opaque(v.what())), List.of(new Guard.Opaque(v.what())));
  }

  @Nullable Value compare(Frame f, String op, Value l, Value r) {
    if (Arithmetic.is(l, 0) && !(r instanceof Value.Const)) {
      return compare(f, mirrored(op), r, l);
    }
    if (op.equals("!=") || op.equals(">=") || op.equals(">")) {
      String not = op.equals("!=") ? "==" : op.equals(">=") ? "<" : "<=";
      return compare(f, not, l, r) instanceof Value.Condition c
          ? new Value.Condition(c.no(), c.yes())
          : null;
    }
    if (op.equals("==") && Arithmetic.is(r, 0)) {
      switch (l) {
        case Value.Lane x -> {
          return isZero(new Guard.Lane0());
        }
        case Value.Warp x -> {
          return isZero(new Guard.Warp0());
        }
        case Value.ThreadIndex x -> {
          return isZero(new Guard.Thread0());
        }
        case Value.Mask m when m.kind() == Value.Mask.Kind.VOTE -> {
          return new Value.Condition(
              List.of(new Guard.None(m.id())), List.of(new Guard.Some(m.id())));
        }
        default -> {}
      }
    }
    if (op.equals("==")
        && ((l instanceof Value.Lane && r instanceof Value.Leader)
            || (r instanceof Value.Lane && l instanceof Value.Leader))) {
      Value.Leader leader = (Value.Leader) (l instanceof Value.Leader ? l : r);
      return leader.plusOne() ? opaque(leader) : isZero(new Guard.Leader(leader.vote()));
    }
    boolean firstWarp =
        l instanceof Value.ThreadIndex
            && ((op.equals("<") && Arithmetic.is(r, 32))
                || (op.equals("<=") && Arithmetic.is(r, 31)));
    if (firstWarp) {
      run.trace.constant(
          Site.Kind.COMPARISON,
          (Value.Const) r,
          Arithmetic.is(r, 32) ? SIZE : "(" + SIZE + " - 1)");
      return isZero(new Guard.Warp0());
    }
    if (op.equals("<")
        && (l instanceof Value.ThreadIndex || l instanceof Value.Lane)
        && r instanceof Value.Warps) {
      return isZero(new Guard.FirstOnes());
    }
    if (l instanceof Value.Lane && (Arithmetic.is(r, 31) || Arithmetic.is(r, 32))) {
      run.trace.constant(
          Site.Kind.COMPARISON,
          (Value.Const) r,
          Arithmetic.is(r, 32) ? SIZE : "(" + SIZE + " - 1)");
      return opaque(l);
    }
    if (l instanceof Value.Mask
        && r instanceof Value.Const c
        && (c.value() & 0xffffffffL) == 0xffffffffL) {
      run.trace.constant(Site.Kind.FULL_MASK, c, "rocport::wave::full");
      return opaque(l);
    }
    if (!l.isPlain() || !r.isPlain()) {
      return opaque(l.isPlain() ? r : l);
    }
    return null;
  }

  private static String mirrored(String op) {
    return switch (op) {
      case "<" -> ">";
      case ">" -> "<";
      case "<=" -> ">=";
      case ">=" -> "<=";
      default -> op;
    };
  }

  @Nullable Value logic(String op, Value l, Value r) {
    if (l.isPlain() && r.isPlain()) {
      return null;
    }
    Value.Condition a = condition(l);
    Value.Condition b = condition(r);
    List<Guard> both = new ArrayList<>(op.equals("&&") ? a.yes() : a.no());
    both.addAll(op.equals("&&") ? b.yes() : b.no());
    List<Guard> either = List.of(new Guard.Opaque(l.isPlain() ? r.what() : l.what()));
    return op.equals("&&") ? new Value.Condition(both, either) : new Value.Condition(either, both);
  }

  /** What runs where a value is true, and where it is not. */
  static Value.Condition condition(Value v) {
    return switch (v) {
      case Value.Condition c -> c;
      case Value x when x.isPlain() -> {
        List<Guard> g = List.of(x.isUniform() ? Guard.UNIFORM : Guard.VARYING);
        yield new Value.Condition(g, g);
      }
      case Value.Lane l ->
          new Value.Condition(List.of(new Guard.Opaque(l.what())), List.of(new Guard.Lane0()));
      case Value.Warp w ->
          new Value.Condition(List.of(new Guard.Opaque(w.what())), List.of(new Guard.Warp0()));
      case Value.Mask m when m.kind() == Value.Mask.Kind.VOTE ->
          new Value.Condition(List.of(new Guard.Some(m.id())), List.of(new Guard.None(m.id())));
      default ->
          new Value.Condition(
              List.of(new Guard.Opaque(v.what())), List.of(new Guard.Opaque(v.what())));
    };
  }

  /** The guards of a condition, with the votes that were taken on the same. */
  List<Guard> guards(Frame f, Expr condition, List<Guard> yes) {
    int vote = run.voteOn(expressions.key(f, condition));
    if (vote < 0) {
      return yes;
    }
    List<Guard> with = new ArrayList<>(yes);
    with.add(new Guard.Member(vote));
    return with;
  }
}
