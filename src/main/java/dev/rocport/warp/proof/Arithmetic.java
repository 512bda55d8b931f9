package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluates operators, from which lanes, warps, masks, and ranks originate. */
final class Arithmetic {
  private static final String SIZE = "rocport::wave::size";

  private final Run run;
  private final Expressions expressions;

  Arithmetic(Run run, Expressions expressions) {
    this.run = run;
    this.expressions = expressions;
  }

  Value binary(Frame f, Expr.Binary b) {
    Value l = expressions.eval(f, b.left());
    Value r =
        b.op().equals("&&") || b.op().equals("||")
            ? expressions.second(f, b, l)
            : expressions.eval(f, b.right());
    run.escape(f, l, b.at());
    run.escape(f, r, b.at());
    Value out =
        switch (b.op()) {
          case "&" -> and(l, r);
          case "%" -> isThread(l) && is(r, 32) ? lane(r, SIZE) : null;
          case ">>" -> shifted(l, r);
          case "/" -> divided(l, r);
          case "*" -> times(l, r);
          case "+" -> plus(l, r);
          case "-" -> minus(l, r);
          case "<<" -> bit(l, r);
          case "==", "!=", "<", "<=", ">", ">=" ->
              expressions.conditions().compare(f, b.op(), l, r);
          case "&&", "||" -> expressions.conditions().logic(b.op(), l, r);
          default -> null;
        };
    if (out != null) {
      return out;
    }
    if (l instanceof Value.Const x && r instanceof Value.Const y) {
      Optional<Long> value =
          Constants.of(
              new Expr.Binary(
                  b.op(),
                  new Expr.Literal(x.value(), true, "", b.at()),
                  new Expr.Literal(y.value(), true, "", b.at()),
                  b.at()),
              s -> Optional.empty());
      return value.isPresent() ? folded(f, b.at(), value.get(), x, y) : Value.Plain.UNIFORM;
    }
    ordinary(f, b.left(), l);
    ordinary(f, b.right(), r);
    if (l.isPlain() && r.isPlain()) {
      return new Value.Plain(l.isUniform() && r.isUniform());
    }
    if ((l instanceof Value.Row && (r.isUniform() || r instanceof Value.Row))
        || (r instanceof Value.Row && l.isUniform())) {
      return new Value.Row();
    }
    if ((l instanceof Value.Total && r.isPlain()) || (r instanceof Value.Total && l.isPlain())) {
      return new Value.Total(false);
    }
    if (l instanceof Value.Mask || r instanceof Value.Mask) {
      return new Value.Mask(Value.Mask.Kind.OTHER, -1);
    }
    return new Value.Unknown(l.isPlain() ? r.what() : l.what());
  }

  /** What might be the warp size was just a number here. */
  void ordinary(Frame f, Expr x, Value v) {
    run.trace.plain(f.function.path(), x.at());
    if (v instanceof Value.Const c && !c.origin().equals(Origin.NOWHERE)) {
      run.trace.plain(c.origin().path(), c.origin().at());
    }
  }

  static boolean is(Value v, long value) {
    return v instanceof Value.Const c && c.value() == value;
  }

  static boolean isThread(Value v) {
    return v instanceof Value.ThreadIndex || v instanceof Value.Global;
  }

  private Value lane(Value constant, String wide) {
    run.trace.constant(Site.Kind.LANE, (Value.Const) constant, wide);
    return new Value.Lane();
  }

  private @Nullable Value and(Value l, Value r) {
    if ((isThread(l) && is(r, 31)) || (isThread(r) && is(l, 31))) {
      return lane(is(r, 31) ? r : l, "(" + SIZE + " - 1)");
    }
    boolean keepsBase =
        isThread(l)
            && r instanceof Value.Const c
            && (c.value() == ~31L || (c.value() & 0xffffffffL) == 0xffffffe0L);
    if (keepsBase) {
      run.trace.constant(Site.Kind.BASE, (Value.Const) r, "~(" + SIZE + " - 1)");
      return new Value.WarpBase();
    }
    if (l instanceof Value.OwnBit && is(r, 1)) {
      return Value.Plain.VARYING;
    }
    Value.Mask vote = vote(l) != null ? vote(l) : vote(r);
    Value other = vote(l) != null ? r : l;
    if (vote != null && other instanceof Value.Mask m && m.kind() == Value.Mask.Kind.LOWER) {
      return new Value.Mask(Value.Mask.Kind.VOTE_LOWER, vote.id());
    }
    return null;
  }

  static Value.@Nullable Mask vote(Value v) {
    return v instanceof Value.Mask m && m.kind() == Value.Mask.Kind.VOTE ? m : null;
  }

  private @Nullable Value shifted(Value l, Value r) {
    if (is(r, 5)) {
      Value index = warpIndex(l);
      if (index != null) {
        run.trace.constant(kind(index), (Value.Const) r, "rocport::wave::log2_size");
        return index;
      }
    }
    return vote(l) != null && r instanceof Value.Lane && voted(l) ? new Value.OwnBit() : null;
  }

  /** The own bit of a vote is what the own lane voted, if it did. */
  private boolean voted(Value v) {
    Value.Mask m = vote(v);
    return m != null && !run.vote(m.id()).match() && run.vote(m.id()).wholeWarps();
  }

  private static @Nullable Value warpIndex(Value v) {
    return switch (v) {
      case Value.ThreadIndex t -> new Value.Warp();
      case Value.Global g -> new Value.GlobalWarp();
      case Value.BlockSize s -> new Value.Warps();
      case Value.BlockStart b -> new Value.FirstWarp();
      case Value.GridSize s -> new Value.GridWarps();
      default -> null;
    };
  }

  private static Site.Kind kind(Value index) {
    return index instanceof Value.Warps || index instanceof Value.GridWarps
        ? Site.Kind.WARPS
        : Site.Kind.WARP;
  }

  private @Nullable Value divided(Value l, Value r) {
    if (!is(r, 32)) {
      return null;
    }
    Value index = warpIndex(l);
    if (index != null) {
      run.trace.constant(kind(index), (Value.Const) r, SIZE);
      return index;
    }
    // BLOCK / 32, where every launch has BLOCK threads
    if (l instanceof Value.Const c && c.value() >= 32 && run.blockSizes.equals(Set.of(c.value()))) {
      run.trace.constant(Site.Kind.WARPS, (Value.Const) r, SIZE);
      return new Value.Warps();
    }
    return null;
  }

  private @Nullable Value times(Value l, Value r) {
    if ((l instanceof Value.Warp && is(r, 32)) || (r instanceof Value.Warp && is(l, 32))) {
      run.trace.constant(Site.Kind.BASE, (Value.Const) (is(r, 32) ? r : l), SIZE);
      return new Value.WarpBase();
    }
    if (l instanceof Value.GridBlocks || r instanceof Value.GridBlocks) {
      Value other = l instanceof Value.GridBlocks ? r : l;
      return switch (other) {
        case Value.BlockSize s -> new Value.GridSize();
        case Value.Warps w -> new Value.GridWarps();
        default -> null;
      };
    }
    if ((l instanceof Value.Warps && r instanceof Value.Plain p && p.uniform())
        || (r instanceof Value.Warps && l instanceof Value.Plain q && q.uniform())) {
      return new Value.FirstWarp();
    }
    boolean block =
        (l instanceof Value.BlockSize && r instanceof Value.Plain p && p.uniform())
            || (r instanceof Value.BlockSize && l instanceof Value.Plain q && q.uniform());
    return block ? new Value.BlockStart() : null;
  }

  private @Nullable Value plus(Value l, Value r) {
    if (isSum(l) && isSum(r) && !(l instanceof Value.Const && r instanceof Value.Const)) {
      IntType a = l instanceof Value.Part p ? p.type() : null;
      IntType b = r instanceof Value.Part p ? p.type() : null;
      return a != null && b != null && !a.equals(b)
          ? new Value.Unknown("a sum of two types")
          : new Value.Part(Reduction.ADD, isEverywhere(l) && isEverywhere(r), a != null ? a : b);
    }
    if ((l instanceof Value.BlockStart && r instanceof Value.ThreadIndex)
        || (r instanceof Value.BlockStart && l instanceof Value.ThreadIndex)) {
      return new Value.Global();
    }
    if ((l instanceof Value.FirstWarp && r instanceof Value.Warp)
        || (r instanceof Value.FirstWarp && l instanceof Value.Warp)) {
      return new Value.GlobalWarp();
    }
    if ((l instanceof Value.WarpBase && r instanceof Value.Lane)
        || (r instanceof Value.WarpBase && l instanceof Value.Lane)) {
      return new Value.ThreadIndex();
    }
    if (l instanceof Value.Room a
        && r instanceof Value.Rank b
        && a.in() == Value.Room.In.ALL
        && a.vote() == b.vote()) {
      return new Value.Slot(a.vote());
    }
    return r instanceof Value.Room && l instanceof Value.Rank ? plus(r, l) : null;
  }

  /** A sum over the whole warp, or nothing. */
  private boolean isSum(Value v) {
    return switch (v) {
      case Value.Part p -> p.op() == Reduction.ADD;
      case Value.Count c -> run.vote(c.vote()).wholeWarps() && !run.vote(c.vote()).match();
      case Value.Const c -> c.value() == 0;
      default -> false;
    };
  }

  private static boolean isEverywhere(Value v) {
    return !(v instanceof Value.Part p) || p.everywhere();
  }

  private static @Nullable Value minus(Value l, Value r) {
    if (l instanceof Value.Mask m && m.kind() == Value.Mask.Kind.OWN && is(r, 1)) {
      return new Value.Mask(Value.Mask.Kind.LOWER, -1);
    }
    if (l instanceof Value.Leader x && x.plusOne() && is(r, 1)) {
      return new Value.Leader(x.vote(), false);
    }
    return l instanceof Value.ThreadIndex && r instanceof Value.Lane ? new Value.WarpBase() : null;
  }

  private @Nullable Value bit(Value l, Value r) {
    if (l instanceof Value.Const c && c.value() == 1 && r instanceof Value.Lane) {
      run.trace.constant(Site.Kind.LANE_BIT, c, "rocport::wave::mask(1)");
      return new Value.Mask(Value.Mask.Kind.OWN, -1);
    }
    return null;
  }

  /** The location of a compound constant is that of the whole expression. */
  static Value.Const folded(Frame f, Span at, long value, Value.Const... parts) {
    List<VariableKey> via = new ArrayList<>();
    List<Trace.Place> uses = new ArrayList<>();
    for (Value.Const p : parts) {
      via.addAll(p.origin().variables());
      uses.addAll(p.origin().uses());
    }
    return new Value.Const(
        value, new Origin(f.function.path(), at, Long.toString(value), via, uses));
  }
}
