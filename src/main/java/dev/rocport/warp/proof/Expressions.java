package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Evaluates expressions on abstract values. */
final class Expressions {
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

  private final Run run;
  private final WarpCalls warp;
  private final Arithmetic arithmetic;
  private final Conditions conditions;
  private final Memory memory;
  private final Calls calls;

  Expressions(Run run) {
    this.run = run;
    Stores stores = new Stores(run);
    this.warp = new WarpCalls(run, this);
    this.arithmetic = new Arithmetic(run, this);
    this.conditions = new Conditions(run, this);
    this.memory = new Memory(run, this, stores);
    this.calls = new Calls(run, this, stores, warp);
  }

  Arithmetic arithmetic() {
    return arithmetic;
  }

  Conditions conditions() {
    return conditions;
  }

  Memory memory() {
    return memory;
  }

  Calls calls() {
    return calls;
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
      case Expr.Literal n -> n.integer() ? constant(f, n.at(), n.text(), n.value()) : zero(f, n);
      case Expr.Name n -> name(f, n);
      case Expr.Field m -> field(f, m);
      case Expr.Unary u -> unary(f, u);
      case Expr.Binary b -> b.assigns() ? memory.assign(f, b) : arithmetic.binary(f, b);
      case Expr.Pick p -> pick(f, p);
      case Expr.Cast c -> cast(f, c);
      case Expr.Index i -> memory.load(f, i);
      case Expr.Call c -> calls.call(f, c);
      case Expr.Other o -> other(f, o);
    };
  }

  private static Value zero(Frame f, Expr.Literal n) {
    return n.text().matches("[0.]+([eE]0+)?[fFlL]?")
        ? new Value.Const(0, new Origin(f.function.path(), n.at(), n.text(), List.of()))
        : Value.Plain.UNIFORM;
  }

  private Value name(Frame f, Expr.Name n) {
    Variable v = f.variables.get(n.id());
    if (v != null && v.shared()) {
      String key = Memory.sharedKey(f, v);
      return v.dimensions().isEmpty() ? memory.scalar(f, key) : new Value.Shared(key);
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
      return constant(f, n.at(), n.id(), 32);
    }
    Optional<Expr> known = run.functions.constant(n.id());
    Optional<Long> value = known.flatMap(k -> Constants.of(k, run.functions::constant));
    if (value.isPresent()) {
      return constant(f, n.at(), n.id(), value.get());
    }
    if (GREATEST.contains(n.id())) {
      return new Value.Extreme(false);
    }
    return LEAST.contains(n.id()) ? new Value.Extreme(true) : Value.Plain.UNIFORM;
  }

  private Value.Const constant(Frame f, Span at, String text, long value) {
    run.trace.number(f.function.path(), at, text, value);
    return new Value.Const(value, new Origin(f.function.path(), at, text, List.of()));
  }

  private Value field(Frame f, Expr.Field m) {
    if (m.base() instanceof Expr.Name n && !f.variables.containsKey(n.id())) {
      switch (n.id()) {
        case "threadIdx" -> {
          return m.name().equals("x") ? new Value.ThreadIndex() : Value.Plain.VARYING;
        }
        case "blockDim" -> {
          return m.name().equals("x") ? new Value.BlockSize() : Value.Plain.UNIFORM;
        }
        case "blockIdx", "gridDim" -> {
          return Value.Plain.UNIFORM;
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
        memory.store(f, u.x(), next, u.at());
        return next;
      }
      case "!" -> {
        return switch (v) {
          case Value.Condition c -> new Value.Condition(c.no(), c.yes());
          case Value.Mask m ->
              new Value.Condition(Conditions.condition(v).no(), Conditions.condition(v).yes());
          case Value.Lane l -> Conditions.isZero(new Guard.Lane0());
          case Value.Warp w -> Conditions.isZero(new Guard.Warp0());
          case Value.ThreadIndex t -> Conditions.isZero(new Guard.Thread0());
          case Value x when x.isPlain() -> new Value.Plain(x.isUniform());
          default -> Conditions.opaque(v);
        };
      }
      case "&" -> {
        if (u.x() instanceof Expr.Name n && f.values.containsKey(n.id()) && !v.isPlain()) {
          return new Value.Unknown("the address of " + v.what());
        }
        return v.isPlain() || v instanceof Value.Parts ? Value.Plain.UNIFORM : v;
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
                  new Expr.Unary(u.op(), new Expr.Literal(c.value(), true, "", u.at()), u.at()),
                  s -> Optional.empty())
              .<Value>map(k -> Arithmetic.folded(f, u.at(), k, c))
              .orElse(Value.Plain.UNIFORM);
      case Value.Mask m when u.op().equals("~") -> new Value.Mask(Value.Mask.Kind.OTHER, -1);
      case Value x when x.isPlain() -> new Value.Plain(x.isUniform());
      default -> new Value.Unknown(v.what());
    };
  }

  private Value pick(Frame f, Expr.Pick p) {
    Value.Condition c = Conditions.condition(eval(f, p.condition()));
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
    if (v instanceof Value.Const k && !k.origin().equals(Origin.NOWHERE)) {
      return Arithmetic.folded(f, c.at(), k.value(), k);
    }
    if (v instanceof Value.Mask && !c.type().matches(".*(64|long\\s+long|auto).*")) {
      run.trace.obstacle(
          Obstacle.Kind.UNWRITABLE, f.function.path(), c.at(), "a mask is cast to " + c.type());
    }
    return v;
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
      case Expr.Literal n -> n.text();
      case Expr.Unary u -> u.op() + "(" + key(f, u.x()) + ")";
      case Expr.Binary b
          when b.op().equals("!=") && b.right() instanceof Expr.Literal n && n.value() == 0 ->
          key(f, b.left());
      case Expr.Binary b -> "(" + key(f, b.left()) + b.op() + key(f, b.right()) + ")";
      case Expr.Pick p
          when p.yes() instanceof Expr.Literal y
              && y.value() == 1
              && p.no() instanceof Expr.Literal z
              && z.value() == 0 ->
          key(f, p.condition());
      case Expr.Cast c -> key(f, c.x());
      default -> "?" + x.at().start() + "/" + f.versions.size() + "/" + run.steps; // never the same
    };
  }

  Frame.Type type(Frame f, Expr x) {
    return switch (x) {
      case Expr.Literal n -> n.integer() ? Frame.Type.INTEGER : Frame.Type.FLOAT;
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
      case Expr.Call c -> calls.callType(f, c);
      case Expr.Other o -> Frame.Type.UNKNOWN;
    };
  }
}
