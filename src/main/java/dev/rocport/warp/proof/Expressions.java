package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Span;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions on abstract values. */
final class Expressions {
  private static final String SIZE = "rocport::wave::size";
  private static final int CALLS = 12;
  private static final Set<String> LEAST =
      Set.of("INT_MIN", "LONG_MIN", "LLONG_MIN", "INT32_MIN", "INT64_MIN");
  private static final Set<String> GREATEST =
      Set.of(
          "INT_MAX",
          "LONG_MAX",
          "LLONG_MAX",
          "INT32_MAX",
          "INT64_MAX",
          "UINT_MAX",
          "ULONG_MAX",
          "ULLONG_MAX",
          "UINT32_MAX",
          "UINT64_MAX",
          "FLT_MAX",
          "DBL_MAX",
          "INFINITY",
          "HUGE_VAL",
          "HUGE_VALF",
          "CUDART_INF_F",
          "CUDART_INF");

  /** Functions that a kernel calls for their effect on the block or the memory's order. */
  private static final Set<String> ORDER =
      Set.of(
          "__syncthreads",
          "__threadfence",
          "__threadfence_block",
          "__threadfence_system",
          "__nanosleep");

  private final Run run;
  private final Stores stores;
  private final WarpCalls warp;

  Expressions(Run run) {
    this.run = run;
    this.stores = new Stores(run);
    this.warp = new WarpCalls(run, this);
  }

  WarpCalls warp() {
    return warp;
  }

  Value eval(Frame f, Expr x) {
    if (++run.steps > Run.STEPS) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR, f.function.path(), f.function.nameAt(), "the kernel is too large");
      return new Value.Unknown("something in a kernel that is too large");
    }
    return switch (x) {
      case Expr.Number n ->
          n.integer()
              ? new Value.Const(
                  n.value(), new Origin(f.function.path(), n.at(), n.text(), List.of()))
              : zero(f, n);
      case Expr.Name n -> name(f, n);
      case Expr.Field m -> field(f, m);
      case Expr.Unary u -> unary(f, u);
      case Expr.Binary b -> b.assigns() ? assign(f, b) : binary(f, b);
      case Expr.Pick p -> pick(f, p);
      case Expr.Cast c -> cast(f, c);
      case Expr.Index i -> load(f, i);
      case Expr.Call c -> call(f, c);
      case Expr.Other o -> other(f, o);
    };
  }

  private static Value zero(Frame f, Expr.Number n) {
    return n.text().matches("[0.]+([eE]0+)?[fFlL]?")
        ? new Value.Const(0, new Origin(f.function.path(), n.at(), n.text(), List.of()))
        : Value.UNIFORM;
  }

  private Value name(Frame f, Expr.Name n) {
    Variable v = f.variables.get(n.id());
    if (v != null && v.shared()) {
      String key = sharedKey(f, v);
      return v.dimensions().isEmpty() ? stores.load(f, key, Value.UNIFORM) : new Value.Shared(key);
    }
    Value held = f.values.get(n.id());
    if (held instanceof Value.Const c && v != null) {
      List<VariableKey> via = new ArrayList<>(c.origin().variables());
      VariableKey key = f.key(v);
      if (!via.contains(key)) {
        via.add(key);
      }
      return new Value.Const(
          c.value(), new Origin(c.origin().path(), c.origin().at(), c.origin().text(), via));
    }
    if (held != null) {
      return held;
    }
    if (n.id().equals("warpSize")) {
      return constant(f, n, 32);
    }
    Optional<Expr> known = run.functions.constant(n.id());
    Optional<Long> value = known.flatMap(k -> Constants.of(k, run.functions::constant));
    if (value.isPresent()) {
      return constant(f, n, value.get());
    }
    if (GREATEST.contains(n.id())) {
      return new Value.Extreme(false);
    }
    return LEAST.contains(n.id()) ? new Value.Extreme(true) : Value.UNIFORM;
  }

  private static Value.Const constant(Frame f, Expr.Name n, long value) {
    return new Value.Const(value, new Origin(f.function.path(), n.at(), n.id(), List.of()));
  }

  private static String sharedKey(Frame f, Variable v) {
    return f.function.path() + ":" + v.typeAt().start() + ":" + v.name();
  }

  private Value field(Frame f, Expr.Field m) {
    if (m.base() instanceof Expr.Name n && !f.variables.containsKey(n.id())) {
      switch (n.id()) {
        case "threadIdx" -> {
          return m.name().equals("x") ? new Value.Thread() : Value.VARYING;
        }
        case "blockDim" -> {
          return m.name().equals("x") ? new Value.BlockSize() : Value.UNIFORM;
        }
        case "blockIdx", "gridDim" -> {
          return Value.UNIFORM;
        }
        default -> {}
      }
    }
    Value base = eval(f, m.base());
    return base.isPlain() ? new Value.Plain(base.isUniform()) : base;
  }

  private Value unary(Frame f, Expr.Unary u) {
    Value v = eval(f, u.x());
    switch (u.op()) {
      case "++", "--" -> {
        Value next =
            v.isPlain()
                ? new Value.Plain(v.isUniform())
                : new Value.Unknown(v.what() + " that is counted on");
        store(f, u.x(), next, u.at());
        return next;
      }
      case "!" -> {
        return switch (v) {
          case Value.Condition c -> new Value.Condition(c.no(), c.yes());
          case Value.Mask m -> new Value.Condition(condition(v).no(), condition(v).yes());
          case Value.Lane l -> isZero(new Guard.Lane0());
          case Value.Warp w -> isZero(new Guard.Warp0());
          case Value.Thread t -> isZero(new Guard.Thread0());
          case Value x when x.isPlain() -> new Value.Plain(x.isUniform());
          default -> opaque(v);
        };
      }
      case "&" -> {
        if (u.x() instanceof Expr.Name n && f.values.containsKey(n.id()) && !v.isPlain()) {
          return new Value.Unknown("the address of " + v.what());
        }
        return v.isPlain() || v instanceof Value.Parts ? Value.UNIFORM : v;
      }
      case "-" -> {
        if (v instanceof Value.Extreme e) {
          return new Value.Extreme(!e.least());
        }
      }
      default -> {}
    }
    return switch (v) {
      case Value.Const c ->
          Constants.of(
                  new Expr.Unary(u.op(), new Expr.Number(c.value(), true, "", u.at()), u.at()),
                  s -> Optional.empty())
              .<Value>map(k -> folded(f, u.at(), k, c))
              .orElse(Value.UNIFORM);
      case Value.Mask m when u.op().equals("~") -> new Value.Mask(Value.Mask.Kind.OTHER, -1);
      case Value x when x.isPlain() -> new Value.Plain(x.isUniform());
      default -> new Value.Unknown(v.what());
    };
  }

  /** A constant made of others stands where the whole of it does. */
  private static Value.Const folded(Frame f, Span at, long value, Value.Const... parts) {
    List<VariableKey> via = new ArrayList<>();
    for (Value.Const p : parts) {
      via.addAll(p.origin().variables());
    }
    return new Value.Const(
        value, new Origin(f.function.path(), at, "32", via.isEmpty() ? List.of() : via));
  }

  private static Value isZero(Guard g) {
    return new Value.Condition(List.of(g), List.of(new Guard.Opaque("not " + g)));
  }

  private static Value opaque(Value v) {
    return new Value.Condition(
        List.of(new Guard.Opaque(v.what())), List.of(new Guard.Opaque(v.what())));
  }

  private Value binary(Frame f, Expr.Binary b) {
    Value l = eval(f, b.left());
    Value r = eval(f, b.right());
    Value out =
        switch (b.op()) {
          case "&" -> and(f, l, r);
          case "%" -> isThread(l) && is(r, 32) ? lane(r, SIZE) : null;
          case ">>" -> shifted(f, l, r);
          case "/" -> divided(f, b, l, r);
          case "*" -> times(l, r);
          case "+" -> plus(l, r);
          case "-" -> minus(l, r);
          case "<<" -> bit(l, r);
          case "==", "!=", "<", "<=", ">", ">=" -> compare(f, b.op(), l, r);
          case "&&", "||" -> logic(b.op(), l, r);
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
                  new Expr.Number(x.value(), true, "", b.at()),
                  new Expr.Number(y.value(), true, "", b.at()),
                  b.at()),
              s -> Optional.empty());
      return value.isPresent() ? folded(f, b.at(), value.get(), x, y) : Value.UNIFORM;
    }
    ordinary(f, b.left(), l);
    ordinary(f, b.right(), r);
    if (l.isPlain() && r.isPlain()) {
      return new Value.Plain(l.isUniform() && r.isUniform());
    }
    if (l instanceof Value.Total t && r.isPlain() || r instanceof Value.Total && l.isPlain()) {
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
    if (v instanceof Value.Const c && c.origin() != Origin.NOWHERE) {
      run.trace.plain(c.origin().path(), c.origin().at());
    }
  }

  private static boolean is(Value v, long value) {
    return v instanceof Value.Const c && c.value() == value;
  }

  private static boolean isThread(Value v) {
    return v instanceof Value.Thread || v instanceof Value.Global;
  }

  private Value lane(Value constant, String wide) {
    run.trace.constant(Site.Kind.LANE, (Value.Const) constant, wide);
    return new Value.Lane();
  }

  private @Nullable Value and(Frame f, Value l, Value r) {
    if (isThread(l) && is(r, 31) || isThread(r) && is(l, 31)) {
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
      return Value.VARYING;
    }
    Value.Mask vote = vote(l) != null ? vote(l) : vote(r);
    Value other = vote(l) != null ? r : l;
    if (vote != null && other instanceof Value.Mask m && m.kind() == Value.Mask.Kind.LOWER) {
      return new Value.Mask(Value.Mask.Kind.VOTE_LOWER, vote.id());
    }
    return null;
  }

  private static Value.@Nullable Mask vote(Value v) {
    return v instanceof Value.Mask m && m.kind() == Value.Mask.Kind.VOTE ? m : null;
  }

  private @Nullable Value shifted(Frame f, Value l, Value r) {
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
      case Value.Thread t -> new Value.Warp();
      case Value.Global g -> new Value.GlobalWarp();
      case Value.BlockSize s -> new Value.Warps();
      default -> null;
    };
  }

  private static Site.Kind kind(Value index) {
    return index instanceof Value.Warps ? Site.Kind.WARPS : Site.Kind.WARP;
  }

  private @Nullable Value divided(Frame f, Expr.Binary b, Value l, Value r) {
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
    if (l instanceof Value.Warp && is(r, 32) || r instanceof Value.Warp && is(l, 32)) {
      run.trace.constant(Site.Kind.BASE, (Value.Const) (is(r, 32) ? r : l), SIZE);
      return new Value.WarpBase();
    }
    boolean block =
        (l instanceof Value.BlockSize && r instanceof Value.Plain p && p.uniform())
            || (r instanceof Value.BlockSize && l instanceof Value.Plain q && q.uniform());
    return block ? new Value.BlockStart() : null;
  }

  private @Nullable Value plus(Value l, Value r) {
    if (isSum(l) && isSum(r) && !(l instanceof Value.Const && r instanceof Value.Const)) {
      return new Value.Part(Reduction.ADD, isEverywhere(l) && isEverywhere(r));
    }
    if (l instanceof Value.BlockStart && r instanceof Value.Thread
        || r instanceof Value.BlockStart && l instanceof Value.Thread) {
      return new Value.Global();
    }
    if (l instanceof Value.WarpBase && r instanceof Value.Lane
        || r instanceof Value.WarpBase && l instanceof Value.Lane) {
      return new Value.Thread();
    }
    if (l instanceof Value.Room a
        && r instanceof Value.Rank b
        && a.everywhere()
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
    return l instanceof Value.Thread && r instanceof Value.Lane ? new Value.WarpBase() : null;
  }

  private @Nullable Value bit(Value l, Value r) {
    if (l instanceof Value.Const c && c.value() == 1 && r instanceof Value.Lane) {
      run.trace.constant(Site.Kind.LANE_BIT, c, "rocport::wave::mask(1)");
      return new Value.Mask(Value.Mask.Kind.OWN, -1);
    }
    return null;
  }

  private @Nullable Value compare(Frame f, String op, Value l, Value r) {
    if (is(l, 0) && !(r instanceof Value.Const)) {
      return compare(f, mirrored(op), r, l);
    }
    if (op.equals("!=") || op.equals(">=") || op.equals(">")) {
      String not = op.equals("!=") ? "==" : op.equals(">=") ? "<" : "<=";
      return compare(f, not, l, r) instanceof Value.Condition c
          ? new Value.Condition(c.no(), c.yes())
          : null;
    }
    if (op.equals("==") && is(r, 0)) {
      switch (l) {
        case Value.Lane x -> {
          return isZero(new Guard.Lane0());
        }
        case Value.Warp x -> {
          return isZero(new Guard.Warp0());
        }
        case Value.Thread x -> {
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
        && (l instanceof Value.Lane && r instanceof Value.Leader
            || r instanceof Value.Lane && l instanceof Value.Leader)) {
      Value.Leader leader = (Value.Leader) (l instanceof Value.Leader ? l : r);
      return leader.plusOne() ? opaque(leader) : isZero(new Guard.Leader(leader.vote()));
    }
    boolean firstWarp =
        l instanceof Value.Thread && (op.equals("<") && is(r, 32) || op.equals("<=") && is(r, 31));
    if (firstWarp) {
      run.trace.constant(
          Site.Kind.COMPARISON, (Value.Const) r, is(r, 32) ? SIZE : "(" + SIZE + " - 1)");
      return isZero(new Guard.Warp0());
    }
    if (op.equals("<")
        && (l instanceof Value.Thread || l instanceof Value.Lane)
        && r instanceof Value.Warps) {
      return isZero(new Guard.FirstOnes());
    }
    if (l instanceof Value.Lane && (is(r, 31) || is(r, 32))) {
      run.trace.constant(
          Site.Kind.COMPARISON, (Value.Const) r, is(r, 32) ? SIZE : "(" + SIZE + " - 1)");
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

  private @Nullable Value logic(String op, Value l, Value r) {
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
    int vote = run.voteOn(key(f, condition));
    if (vote < 0) {
      return yes;
    }
    List<Guard> with = new ArrayList<>(yes);
    with.add(new Guard.Member(vote));
    return with;
  }

  private Value pick(Frame f, Expr.Pick p) {
    Value.Condition c = condition(eval(f, p.condition()));
    int depth = f.guards.size();
    f.guards.addAll(c.yes());
    Value yes = eval(f, p.yes());
    truncate(f.guards, depth);
    f.guards.addAll(c.no());
    Value no = eval(f, p.no());
    truncate(f.guards, depth);
    return Joins.join(yes, no, c.yes());
  }

  static void truncate(List<Guard> guards, int size) {
    guards.subList(size, guards.size()).clear();
  }

  private Value cast(Frame f, Expr.Cast c) {
    Value v = eval(f, c.x());
    if (v instanceof Value.Const k && k.origin() != Origin.NOWHERE) {
      return folded(f, c.at(), k.value(), k);
    }
    if (v instanceof Value.Mask && !c.type().matches(".*(64|long\\s+long|auto).*")) {
      run.trace.obstacle(
          Obstacle.Kind.UNWRITABLE, f.function.path(), c.at(), "a mask is cast to " + c.type());
    }
    return v;
  }

  private Value load(Frame f, Expr.Index i) {
    Value base = eval(f, i.base());
    Value index = eval(f, i.index());
    if (base instanceof Value.Shared s) {
      return stores.load(f, s.key(), index);
    }
    if (i.base() instanceof Expr.Name n && isLocalArray(f, n.id())) {
      return index.isPlain() || !base.isPlain() ? base : new Value.Unknown(index.what());
    }
    if (base.isPlain() && index.isPlain()) {
      return new Value.Plain(base.isUniform() && index.isUniform());
    }
    return new Value.Unknown(
        base.isPlain() ? "what is read at " + index.what() : "what is read through " + base.what());
  }

  private static boolean isLocalArray(Frame f, String name) {
    Variable v = f.variables.get(name);
    return v != null
        && !v.shared()
        && !v.dimensions().isEmpty()
        && !f.function.parameters().contains(v);
  }

  private Value assign(Frame f, Expr.Binary b) {
    Value v = eval(f, b.right());
    if (!b.op().equals("=")) {
      Value old = eval(f, b.left());
      String op = b.op().substring(0, b.op().length() - 1);
      Expr.Binary plainOp = new Expr.Binary(op, b.left(), b.right(), b.at());
      v =
          old.isPlain() && v.isPlain()
              ? new Value.Plain(old.isUniform() && v.isUniform())
              : binary(f, plainOp);
    }
    store(f, b.left(), v, b.at());
    return v;
  }

  private void store(Frame f, Expr target, Value v, Span at) {
    switch (target) {
      case Expr.Name n -> {
        Variable variable = f.variables.get(n.id());
        if (variable != null && variable.shared()) {
          stores.shared(f, at, sharedKey(f, variable), Value.UNIFORM, v);
        } else if (variable != null || f.values.containsKey(n.id())) {
          if (v instanceof Value.Mask && variable != null) {
            run.trace.mask(f.key(variable), WarpCalls.maskType(variable.type()));
          }
          f.set(n.id(), v);
        } else {
          stores.global(f, at, Value.UNIFORM, v);
        }
      }
      case Expr.Index i -> {
        Value base = eval(f, i.base());
        Value index = eval(f, i.index());
        if (base instanceof Value.Shared s) {
          stores.shared(f, at, s.key(), index, v);
        } else if (i.base() instanceof Expr.Name n && isLocalArray(f, n.id())) {
          f.set(
              n.id(),
              index.isPlain()
                  ? Joins.join(f.values.get(n.id()), v, f.guards)
                  : new Value.Unknown(index.what()));
        } else {
          stores.global(f, at, base.isPlain() ? index : base, v);
        }
      }
      case Expr.Field m -> {
        String root = root(m);
        if (root != null && f.variables.containsKey(root) && !isPointer(f, root)) {
          if (v instanceof Value.Mask) {
            run.trace.obstacle(
                Obstacle.Kind.UNWRITABLE,
                f.function.path(),
                at,
                "a mask is kept in the field " + m.name());
          }
          f.set(root, Joins.join(f.values.get(root), v, f.guards));
        } else {
          stores.global(f, at, eval(f, m.base()), v);
        }
      }
      case Expr.Unary u when u.op().equals("*") -> {
        Value base = eval(f, u.x());
        if (base instanceof Value.Shared s) {
          stores.shared(f, at, s.key(), Value.UNIFORM, v);
        } else {
          stores.global(f, at, base, v);
        }
      }
      case Expr.Cast c -> store(f, c.x(), v, at);
      default -> {
        eval(f, target);
        stores.global(f, at, Value.UNIFORM, v);
      }
    }
  }

  /** True if a shared array holds a reduction of each warp. */
  boolean holdsParts(Frame f, Expr array, Reduction op) {
    return eval(f, array) instanceof Value.Shared s
        && run.shared.get(s.key()) instanceof Value.Parts p
        && p.op() == op;
  }

  private static @Nullable String root(Expr x) {
    return switch (x) {
      case Expr.Field m -> root(m.base());
      case Expr.Name n -> n.id();
      default -> null;
    };
  }

  private static boolean isPointer(Frame f, String name) {
    Variable v = f.variables.get(name);
    return v != null && (v.pointer() || v.reference());
  }

  private Value call(Frame f, Expr.Call c) {
    WarpFunction w = WarpFunction.of(c.name());
    if (w != null && c.receiver().isEmpty() && !run.functions.knows(c.name())) {
      return warp.call(f, c, w);
    }
    if (WarpCalls.isBits(c.name())) {
      return warp.bits(f, c);
    }
    if (ORDER.contains(c.name())) {
      return Value.UNIFORM;
    }
    if (c.name().startsWith("atomic") && !c.args().isEmpty() && !run.functions.knows(c.name())) {
      return atomic(f, c);
    }
    Optional<Function> known = run.functions.find(c.name(), c.args().size());
    if (known.isPresent() && c.receiver().isEmpty()) {
      return inline(f, c, known.get());
    }
    return foreign(f, c);
  }

  private Value atomic(Frame f, Expr.Call c) {
    Reduction op =
        switch (c.name().replaceAll("_(block|system)$", "")) {
          case "atomicAdd" -> Reduction.ADD;
          case "atomicMin" -> Reduction.MIN;
          case "atomicMax" -> Reduction.MAX;
          case "atomicAnd" -> Reduction.AND;
          case "atomicOr" -> Reduction.OR;
          case "atomicXor" -> Reduction.XOR;
          default -> null;
        };
    Value address = eval(f, c.args().getFirst());
    if (c.args().getFirst() instanceof Expr.Unary u
        && u.op().equals("&")
        && u.x() instanceof Expr.Index i) {
      Value base = eval(f, i.base());
      Value index = eval(f, i.index());
      address =
          base.isPlain() && index.isPlain()
              ? new Value.Plain(base.isUniform() && index.isUniform())
              : base.isPlain() ? index : base;
    }
    Value v = c.args().size() > 1 ? eval(f, c.args().get(1)) : Value.UNIFORM;
    for (int i = 2; i < c.args().size(); i++) {
      Value more = eval(f, c.args().get(i));
      v = v.isPlain() && !more.isPlain() ? more : v;
    }
    boolean isFloat = c.args().size() > 1 && type(f, c.args().get(1)) != Frame.Type.INTEGER;
    return stores.atomic(f, c, op, address, v, isFloat);
  }

  /** A function that is not the project's, or whose object is not known. */
  private Value foreign(Frame f, Expr.Call c) {
    List<Value> values = new ArrayList<>();
    c.receiver().forEach(r -> values.add(eval(f, r)));
    c.args().forEach(a -> values.add(eval(f, a)));
    for (Expr a : c.args()) {
      if (a instanceof Expr.Unary u
          && u.op().equals("&")
          && u.x() instanceof Expr.Name n
          && f.values.containsKey(n.id())) {
        f.set(n.id(), f.get(n.id()).isPlain() ? Value.VARYING : f.get(n.id()));
      }
    }
    if (run.functions.knows(c.name())) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          c.nameAt(),
          "it is not clear which function " + c.name() + " is");
    }
    Optional<Value> secret = values.stream().filter(v -> !v.isPlain()).findFirst();
    if (secret.isPresent()) {
      if (isPure(c.name()) && secret.get() instanceof Value.Total) {
        return new Value.Total(false);
      }
      if (!isPure(c.name())) {
        run.trace.obstacle(
            Obstacle.Kind.UNCLEAR,
            f.function.path(),
            c.at(),
            secret.get().what() + " is given to " + c.name());
      }
      return new Value.Unknown(secret.get().what());
    }
    if (!Guard.arePlain(f.guards) && !isPure(c.name())) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          c.at(),
          c.name() + " is called in lanes or warps that depend on the warp size");
    }
    if (c.name().equals("lowest") || c.name().equals("infinity")) {
      return new Value.Extreme(c.name().equals("lowest"));
    }
    return new Value.Plain(values.stream().allMatch(Value::isUniform) && isPure(c.name()));
  }

  /** Functions of mathematics and conversion: no effect but their value. */
  private static boolean isPure(String name) {
    return name.matches(
        "(f?(min|max|abs)f?|u?ll?(min|max)|umin|umax|sqrtf?|rsqrtf?|expf?|exp2f|__expf|logf?|log2f?|__logf|powf?|sinf?"
            + "|cosf?|tanhf?|floorf?|ceilf?|roundf?|fmaf?|__fmaf_rn|__fdividef|__ldg|__ldcg|__ldcs|__int_as_float"
            + "|__float_as_int|__uint_as_float|__float_as_uint|lowest|infinity|make_[a-z]+[234]|__half2float"
            + "|__float2half|static_cast|min|max)");
  }

  private Value inline(Frame f, Expr.Call c, Function callee) {
    if (f.depth() > CALLS || f.calls(callee)) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR, f.function.path(), c.at(), c.name() + " calls itself");
      return new Value.Unknown("what " + c.name() + " returns");
    }
    Frame inner = new Frame(callee, f.guards, f);
    Map<String, Frame.Type> templates = new HashMap<>();
    List<Variable> generic = callee.templates();
    for (int i = 0; i < generic.size() && i < c.templates().size(); i++) {
      Variable t = generic.get(i);
      if (t.type().isEmpty()) {
        templates.put(
            t.name(),
            c.templates().get(i) instanceof Expr.Other o
                ? Frame.Type.of(o.text(), f.types)
                : Frame.Type.UNKNOWN);
      } else {
        inner.declare(t, Frame.Type.INTEGER);
        inner.set(t.name(), eval(f, c.templates().get(i)));
      }
    }
    List<Variable> parameters = callee.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      Variable p = parameters.get(i);
      Expr given = i < c.args().size() ? c.args().get(i) : p.init().orElseThrow();
      Value v = i < c.args().size() ? eval(f, given) : eval(inner, given);
      Frame.Type type = type(f, given);
      String bare = p.type().replaceAll("\\b(const|volatile)\\b", "").strip();
      if (generic.stream().anyMatch(t -> t.name().equals(bare) && t.type().isEmpty())) {
        templates.putIfAbsent(bare, type);
      }
      inner.declare(p, Frame.Type.of(p.type(), templates));
      if (v instanceof Value.Mask m && m.kind() != Value.Mask.Kind.FULL) {
        run.trace.mask(inner.key(p), WarpCalls.maskType(p.type()));
      }
      inner.set(p.name(), v);
      if (i < c.args().size() && !p.reference()) {
        inner.given.put(
            p.name(), new Frame.Given(key(f, given), inner.versions.getOrDefault(p.name(), 0)));
      }
    }
    for (Variable t : generic) {
      if (!t.type().isEmpty() && !inner.values.containsKey(t.name())) {
        inner.declare(t, Frame.Type.INTEGER);
        Value v = t.init().isPresent() ? eval(inner, t.init().get()) : Value.UNIFORM;
        inner.set(t.name(), v);
      }
    }
    templates.forEach(inner.types::putIfAbsent);
    Value out = new Statements(run, this).run(inner);
    for (int i = 0; i < parameters.size() && i < c.args().size(); i++) {
      if (parameters.get(i).reference()) {
        store(f, c.args().get(i), left(inner, parameters.get(i).name()), c.at());
      }
    }
    if (out instanceof Value.Mask) {
      run.trace.mask(
          new VariableKey(callee.path(), callee.name(), callee.returnsAt(), callee.returns(), true),
          WarpCalls.maskType(callee.returns()));
    }
    return out;
  }

  /** What a reference holds once all lanes are back. */
  private static Value left(Frame inner, String name) {
    Value v = inner.get(name);
    return switch (inner.afterReturn) {
      case null -> v;
      case Guard.Varying g when v.isPlain() -> Value.VARYING;
      default -> new Value.Unknown(v.what() + " in lanes that did not return before");
    };
  }

  private Value other(Frame f, Expr.Other o) {
    int sites = run.trace.sites().size();
    List<Value> values = o.parts().stream().map(p -> eval(f, p)).toList();
    if (o.text().startsWith("[") && run.trace.sites().size() > sites) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR, f.function.path(), o.at(), "warp functions stand in a lambda");
    }
    if (o.text().equals(",") && !values.isEmpty()) {
      return values.getLast();
    }
    Optional<Value> secret = values.stream().filter(v -> !v.isPlain()).findFirst();
    return secret.isPresent()
        ? new Value.Unknown(secret.get().what())
        : new Value.Plain(values.stream().allMatch(Value::isUniform));
  }

  /** Identifies what an expression says between two settings of its variables. */
  String key(Frame f, Expr x) {
    return switch (x) {
      case Expr.Name n -> {
        int version = f.versions.getOrDefault(n.id(), 0);
        Frame.Given given = f.given.get(n.id());
        yield given != null && given.version() == version
            ? given.key()
            : System.identityHashCode(f) + "." + n.id() + "#" + version;
      }
      case Expr.Number n -> n.text();
      case Expr.Unary u -> u.op() + "(" + key(f, u.x()) + ")";
      case Expr.Binary b
          when b.op().equals("!=") && b.right() instanceof Expr.Number n && n.value() == 0 ->
          key(f, b.left());
      case Expr.Binary b -> "(" + key(f, b.left()) + b.op() + key(f, b.right()) + ")";
      case Expr.Pick p
          when p.yes() instanceof Expr.Number y
              && y.value() == 1
              && p.no() instanceof Expr.Number z
              && z.value() == 0 ->
          key(f, p.condition());
      case Expr.Cast c -> key(f, c.x());
      default -> "?" + x.at().start() + "/" + f.versions.size() + "/" + run.steps; // never the same
    };
  }

  Frame.Type type(Frame f, Expr x) {
    return switch (x) {
      case Expr.Number n -> n.integer() ? Frame.Type.INTEGER : Frame.Type.FLOAT;
      case Expr.Name n -> f.types.getOrDefault(n.id(), Frame.Type.UNKNOWN);
      case Expr.Unary u -> u.op().equals("!") ? Frame.Type.INTEGER : type(f, u.x());
      case Expr.Binary b -> type(f, b.left()).with(type(f, b.right()));
      case Expr.Pick p -> type(f, p.yes()).with(type(f, p.no()));
      case Expr.Cast c -> Frame.Type.of(c.type(), Map.of());
      case Expr.Index i -> type(f, i.base());
      case Expr.Field m ->
          m.base() instanceof Expr.Name n && n.id().matches("threadIdx|blockIdx|blockDim|gridDim")
              ? Frame.Type.INTEGER
              : Frame.Type.UNKNOWN;
      case Expr.Call c -> callType(f, c);
      case Expr.Other o -> Frame.Type.UNKNOWN;
    };
  }

  private Frame.Type callType(Frame f, Expr.Call c) {
    if (WarpCalls.isBits(c.name())) {
      return Frame.Type.INTEGER;
    }
    WarpFunction w = WarpFunction.of(c.name());
    if (w != null) {
      return switch (w.kind()) {
        case SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR -> {
          int at = w.masked() ? 1 : 0;
          yield c.args().size() > at ? type(f, c.args().get(at)) : Frame.Type.UNKNOWN;
        }
        default -> Frame.Type.INTEGER;
      };
    }
    Optional<Function> known = run.functions.find(c.name(), c.args().size());
    if (known.isPresent()) {
      Frame.Type returns = Frame.Type.of(known.get().returns(), Map.of());
      return returns == Frame.Type.UNKNOWN && !c.args().isEmpty()
          ? type(f, c.args().getFirst())
          : returns;
    }
    return Frame.Type.UNKNOWN;
  }
}
