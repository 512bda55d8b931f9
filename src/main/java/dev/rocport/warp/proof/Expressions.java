package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Evaluates expressions on abstract values. One evaluator with one method for each kind of
 * expression; arithmetic, conditions, memory, and calls have classes of their own.
 */
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

  private static final Set<String> INDEXES = Set.of("threadIdx", "blockIdx", "blockDim", "gridDim");
  private static final Pattern ZERO = Pattern.compile("[0.]+([eE]0+)?[fFlL]?");
  private static final Pattern WIDE = Pattern.compile(".*(64|long\\s+long|auto).*");

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
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          f.function.nameAt(),
          "the kernel is too large to analyze");
      return new Value.Unknown("a value in a kernel that is too large to analyze");
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
    return ZERO.matcher(n.text()).matches()
        ? new Value.Const(0, new Origin(f.function.path(), n.at(), n.text(), List.of(), List.of()))
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
      Origin o = c.origin();
      List<Trace.Place> uses = new ArrayList<>(o.uses());
      Trace.Place here = Trace.Place.of(f.function.path(), n.at());
      if (!uses.contains(here)) {
        uses.add(here);
      }
      run.trace.use(o, here);
      return new Value.Const(c.value(), new Origin(o.path(), o.at(), o.text(), via, uses));
    }
    if (held != null) {
      return held;
    }
    if (n.id().equals("threadIdx")) {
      return Value.Plain.VARYING;
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
    return new Value.Const(value, new Origin(f.function.path(), at, text, List.of(), List.of()));
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
        case "gridDim" -> {
          return m.name().equals("x") ? new Value.GridBlocks() : Value.Plain.UNIFORM;
        }
        case "blockIdx" -> {
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
    if (u.op().equals("*") && v instanceof Value.Shared s) {
      return memory.first(f, s.key());
    }
    run.escape(f, v, u.at());
    switch (u.op()) {
      case "++", "--" -> {
        Value next =
            v.isPlain()
                ? new Value.Plain(v.isUniform())
                : new Value.Unknown(v.what() + " that is incremented or decremented");
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
        String local = Memory.root(u.x());
        if (local != null && f.values.containsKey(local) && !Memory.isPointer(f, local)) {
          run.trace.obstacle(
              Obstacle.Kind.UNCLEAR,
              f.function.path(),
              u.at(),
              "accesses through the address of " + local + " are not tracked");
        }
        if (u.x() instanceof Expr.Index i) {
          run.escape(f, eval(f, i.base()), u.at());
        }
        return v instanceof Value.Parts ? Value.Plain.UNIFORM : memory.address(f, u.x());
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
    Map<String, Value> before = new HashMap<>(f.values);
    Map<String, Integer> versions = new HashMap<>(f.versions);
    Value yes = under(f, c.yes(), p.yes());
    Map<String, Value> afterYes = new HashMap<>(f.values);
    f.values.clear();
    f.values.putAll(before);
    Value no = under(f, c.no(), p.no());
    join(f, afterYes, new HashMap<>(f.values), versions, c.yes());
    run.escape(f, yes, p.at());
    run.escape(f, no, p.at());
    return Joins.join(yes, no, c.yes());
  }

  private Value under(Frame f, List<Guard> guards, Expr x) {
    int depth = f.guards.size();
    f.guards.addAll(guards);
    Value v = eval(f, x);
    truncate(f.guards, depth);
    return v;
  }

  private static void join(
      Frame f,
      Map<String, Value> yes,
      Map<String, Value> no,
      Map<String, Integer> versions,
      List<Guard> guards) {
    f.values.clear();
    f.values.putAll(
        Joins.join(
            yes,
            no,
            n -> !f.versions.getOrDefault(n, 0).equals(versions.getOrDefault(n, 0)),
            guards));
  }

  /** The second operand of {@code &&} or {@code ||}, in the lanes that reach it. */
  Value second(Frame f, Expr.Binary b, Value first) {
    Value.Condition c = Conditions.condition(first);
    List<Guard> guards = b.op().equals("&&") ? c.yes() : c.no();
    Map<String, Value> before = new HashMap<>(f.values);
    Map<String, Integer> versions = new HashMap<>(f.versions);
    Value v = under(f, guards, b.right());
    join(f, new HashMap<>(f.values), before, versions, guards);
    return v;
  }

  static void truncate(List<Guard> guards, int size) {
    guards.subList(size, guards.size()).clear();
  }

  private Value cast(Frame f, Expr.Cast c) {
    Value v = eval(f, c.x());
    run.escape(f, v, c.at());
    if (v instanceof Value.Const k && !k.origin().equals(Origin.NOWHERE)) {
      return Arithmetic.folded(f, c.at(), k.value(), k);
    }
    if (v instanceof Value.Mask && !WIDE.matcher(c.type()).matches()) {
      run.trace.obstacle(
          Obstacle.Kind.UNWRITABLE, f.function.path(), c.at(), "a mask is cast to " + c.type());
    }
    return IntType.convert(v, IntType.of(c.type()));
  }

  private Value other(Frame f, Expr.Other o) {
    List<Value> values = o.parts().stream().map(p -> eval(f, p)).toList();
    values.forEach(v -> run.escape(f, v, o.at()));
    if (o.text().startsWith("[")) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          o.at(),
          "it is unknown when a lambda runs and on which values");
    }
    if (o.text().equals(",") && !values.isEmpty()) {
      return values.getLast();
    }
    Optional<Value> secret = values.stream().filter(v -> !v.isPlain()).findFirst();
    return secret.isPresent()
        ? new Value.Unknown(secret.get().what())
        : new Value.Plain(values.stream().allMatch(Value::isUniform));
  }

  /** Identifies the value of an expression between two assignments of its variables. */
  String key(Frame f, Expr x) {
    return switch (x) {
      case Expr.Name n -> {
        if (!f.values.containsKey(n.id()) && run.functions.constant(n.id()).isEmpty()) {
          yield never(f, x); // memory, which others may set
        }
        int version = f.versions.getOrDefault(n.id(), 0);
        Frame.Given given = f.given.get(n.id());
        yield given != null && given.version() == version
            ? given.key()
            : System.identityHashCode(f) + "." + n.id() + "#" + version;
      }
      case Expr.Literal n -> n.text();
      case Expr.Unary u ->
          u.op().equals("*") || u.op().equals("&")
              ? never(f, x)
              : u.op() + "(" + key(f, u.x()) + ")";
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
      case Expr.Cast c ->
          c.type().strip().equals("bool") ? key(f, c.x()) : "(" + c.type() + ")" + key(f, c.x());
      default -> never(f, x);
    };
  }

  /** A key that is never met again. */
  private String never(Frame f, Expr x) {
    return "?" + x.at().start() + "/" + f.versions.size() + "/" + run.steps;
  }

  /** True if what an expression gives is the same wherever something with this key is. */
  boolean agrees(Frame f, Expr x, String key) {
    return key.equals("=" + key(f, x))
        || eval(f, x).isUniform()
        || switch (x) {
          case Expr.Unary u -> Set.of("-", "+", "~", "!").contains(u.op()) && agrees(f, u.x(), key);
          case Expr.Binary b ->
              !b.assigns() && agrees(f, b.left(), key) && agrees(f, b.right(), key);
          case Expr.Cast c -> agrees(f, c.x(), key);
          default -> false;
        };
  }

  /** True if an expression is a truth, or converts to a parameter of this type as it is. */
  boolean keeps(Frame f, Variable parameter, Expr x) {
    String type = parameter.type().replace("const", "").strip();
    return type.equals("bool")
        || switch (x) {
          case Expr.Name n -> {
            Variable v = f.variables.get(n.id());
            yield v != null && v.type().replace("const", "").strip().equals(type);
          }
          case Expr.Unary u -> u.op().equals("!");
          case Expr.Binary b ->
              Set.of("==", "!=", "<", "<=", ">", ">=", "&&", "||").contains(b.op());
          default -> false;
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
          m.base() instanceof Expr.Name n && INDEXES.contains(n.id())
              ? Frame.Type.INTEGER
              : Frame.Type.UNKNOWN;
      case Expr.Call c -> calls.callType(f, c);
      case Expr.Other o -> Frame.Type.UNKNOWN;
    };
  }
}
