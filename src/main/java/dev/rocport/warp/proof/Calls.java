package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates calls: warp functions, atomic operations, and functions of the project and of
 * libraries.
 */
final class Calls {
  private static final int CALLS = 12;

  /** Functions that a kernel calls for their effect on the block or the memory's order. */
  private static final Set<String> ORDER =
      Set.of(
          "__syncthreads",
          "__threadfence",
          "__threadfence_block",
          "__threadfence_system",
          "__nanosleep");

  /** Functions of wmma, whose fragments are distributed over 32 lanes. */
  private static final Set<String> FRAGMENTS =
      Set.of("mma_sync", "load_matrix_sync", "store_matrix_sync");

  private static final Pattern QUALIFIERS = Pattern.compile("\\b(const|volatile)\\b");

  /** Functions of mathematics and conversion. */
  private static final Pattern PURE =
      Pattern.compile(
          "(f?(min|max|abs)f?|u?ll?(min|max)|umin|umax|sqrtf?|rsqrtf?|expf?|exp2f|__expf|logf?|log2f?|__logf|powf?|sinf?"
              + "|cosf?|tanhf?|floorf?|ceilf?|roundf?|fmaf?|__fmaf_rn|__fdividef|__ldg|__ldcg|__ldcs|__int_as_float"
              + "|__float_as_int|__uint_as_float|__float_as_uint|lowest|infinity|make_[a-z]+[234]|__half2float"
              + "|__float2half|static_cast|min|max)");

  private final Run run;
  private final Expressions expressions;
  private final Stores stores;
  private final WarpCalls warp;

  Calls(Run run, Expressions expressions, Stores stores, WarpCalls warp) {
    this.run = run;
    this.expressions = expressions;
    this.stores = stores;
    this.warp = warp;
  }

  Value call(Frame f, Expr.Call c) {
    WarpFunction w = WarpFunction.of(c.name());
    if (w != null && c.receiver().isEmpty() && !run.functions.knows(c.name())) {
      if (w.kind() == WarpFunction.Kind.COLLECTIVE) {
        return collective(f, c);
      }
      return warp.call(f, c, w);
    }
    if (WarpCalls.isBits(c.name())) {
      return warp.bits(f, c);
    }
    if (ORDER.contains(c.name())) {
      return Value.Plain.UNIFORM;
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

  /** What all lanes of a warp do together in a library. */
  private Value collective(Frame f, Expr.Call c) {
    run.trace.site(Site.Kind.COLLECTIVE, f.function.path(), c.nameAt(), c.name(), "");
    if (!Guard.areWholeWarps(f.guards)) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          c.at(),
          c.name() + " is called where some lanes of a warp may be inactive");
    }
    boolean once = Guard.has(f.guards, Guard.Rows.class) || Guard.has(f.guards, Guard.Warp0.class);
    boolean alike = true;
    for (Expr a : c.args()) {
      Value v = expressions.eval(f, a);
      alike &= v.isUniform() || v instanceof Value.Row;
    }
    if (once && alike) {
      return new Value.Unknown("the result of a warp-collective call");
    }
    return foreign(f, c);
  }

  private Value atomic(Frame f, Expr.Call c) {
    Reduction op =
        switch (stem(c.name())) {
          case "atomicAdd" -> Reduction.ADD;
          case "atomicMin" -> Reduction.MIN;
          case "atomicMax" -> Reduction.MAX;
          case "atomicAnd" -> Reduction.AND;
          case "atomicOr" -> Reduction.OR;
          case "atomicXor" -> Reduction.XOR;
          default -> null;
        };
    Value address =
        c.args().getFirst() instanceof Expr.Unary u && u.op().equals("&")
            ? expressions.memory().address(f, u.x())
            : expressions.eval(f, c.args().getFirst());
    Value v = c.args().size() > 1 ? expressions.eval(f, c.args().get(1)) : Value.Plain.UNIFORM;
    for (int i = 2; i < c.args().size(); i++) {
      Value more = expressions.eval(f, c.args().get(i));
      v = v.isPlain() && !more.isPlain() ? more : v;
    }
    boolean isFloat =
        c.args().size() > 1 && expressions.type(f, c.args().get(1)) != Frame.Type.INTEGER;
    Expr place = c.args().getFirst();
    Expr index =
        place instanceof Expr.Unary u && u.op().equals("&") && u.x() instanceof Expr.Index i
            ? i.index()
            : place;
    Value base =
        place instanceof Expr.Unary u && u.op().equals("&") && u.x() instanceof Expr.Index i
            ? expressions.eval(f, i.base())
            : Value.Plain.UNIFORM;
    if ((base instanceof Value.Shared && (!v.isPlain() || !address.isPlain()))
        || (base instanceof Value.Shared t && holds(t))) {
      run.escape(f, base, c.at());
    }
    v = IntType.convert(v, pointed(f, place));
    return stores.atomic(
        f,
        c,
        op,
        address,
        v,
        isFloat,
        key -> base.isUniform() && expressions.agrees(f, index, key));
  }

  private static String stem(String name) {
    int scope =
        name.endsWith("_block") || name.endsWith("_system") ? name.lastIndexOf('_') : name.length();
    return name.substring(0, scope);
  }

  /** A function that is not the project's, or whose object is not known. */
  private Value foreign(Frame f, Expr.Call c) {
    if (FRAGMENTS.contains(c.name())) {
      run.trace.obstacle(
          Obstacle.Kind.FIXED,
          f.function.path(),
          c.nameAt(),
          c.name() + " works on groups of 32 lanes");
    }
    List<Value> values = new ArrayList<>();
    c.receiver().forEach(r -> values.add(expressions.eval(f, r)));
    for (Expr a : c.args()) {
      Expr x =
          a instanceof Expr.Unary u && u.op().equals("&") && u.x() instanceof Expr.Name ? u.x() : a;
      Value v = expressions.eval(f, x);
      values.add(v);
      run.escape(f, v, c.at());
      boolean addressed = x != a;
      if (x instanceof Expr.Name n
          && f.values.containsKey(n.id())
          && (addressed || mayBeSet(f, c, n.id()))) {
        f.set(n.id(), v.isPlain() ? Value.Plain.VARYING : v);
      }
    }
    if (run.functions.knows(c.name())) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          c.nameAt(),
          "it is unclear which function " + c.name() + " refers to");
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
            secret.get().what() + " is passed to " + c.name());
      }
      return new Value.Unknown(secret.get().what());
    }
    if (!Guard.arePlain(f.guards) && !isPure(c.name())) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          c.at(),
          "which lanes or warps call " + c.name() + " depends on the warp size");
    }
    if (c.name().equals("lowest") || c.name().equals("infinity")) {
      return new Value.Extreme(c.name().equals("lowest"));
    }
    return new Value.Plain(values.stream().allMatch(Value::isUniform) && isPure(c.name()));
  }

  /** What an address points to; null if that is not known. */
  private static @Nullable IntType pointed(Frame f, Expr place) {
    return switch (place) {
      case Expr.Name n -> f.integer(n.id());
      case Expr.Unary u -> u.op().equals("&") ? pointed(f, u.x()) : null;
      case Expr.Index i -> pointed(f, i.base());
      case Expr.Binary b -> pointed(f, b.left());
      case Expr.Cast c -> IntType.of(c.type());
      default -> null;
    };
  }

  /** True if a function might take the variable by reference and set it. */
  private static boolean mayBeSet(Frame f, Expr.Call c, String name) {
    Variable v = f.variables.get(name);
    return !isPure(c.name()) && v != null && !v.pointer() && !v.type().contains("const");
  }

  private boolean holds(Value.Shared s) {
    Value held = run.shared.get(s.key());
    return held != null && !held.isPlain();
  }

  /** Functions of mathematics and conversion: no effect but their value. */
  private static boolean isPure(String name) {
    return PURE.matcher(name).matches();
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
        inner.set(t.name(), expressions.eval(f, c.templates().get(i)));
      }
    }
    List<Variable> parameters = callee.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      Variable p = parameters.get(i);
      Expr given = i < c.args().size() ? c.args().get(i) : p.init().orElseThrow();
      Value v = i < c.args().size() ? expressions.eval(f, given) : expressions.eval(inner, given);
      Frame.Type type = expressions.type(f, given);
      if (!generic.isEmpty()) {
        String bare = QUALIFIERS.matcher(p.type()).replaceAll("").strip();
        if (generic.stream().anyMatch(t -> t.name().equals(bare) && t.type().isEmpty())) {
          templates.putIfAbsent(bare, type);
        }
      }
      inner.declare(p, Frame.Type.of(p.type(), templates));
      if (v instanceof Value.Mask m && m.kind() != Value.Mask.Kind.FULL) {
        run.trace.mask(inner.key(p), WarpCalls.maskType(p.type()));
      }
      if (v.isPlain() && !(v instanceof Value.Const)) {
        run.trace.number(inner.key(p));
      }
      inner.set(p.name(), IntType.convert(v, IntType.of(p.type())));
      if (i < c.args().size() && !p.reference() && expressions.keeps(f, p, given)) {
        inner.given.put(
            p.name(),
            new Frame.Given(expressions.key(f, given), inner.versions.getOrDefault(p.name(), 0)));
      }
    }
    for (Variable t : generic) {
      if (!t.type().isEmpty() && !inner.values.containsKey(t.name())) {
        inner.declare(t, Frame.Type.INTEGER);
        Value v =
            t.init().isPresent() ? expressions.eval(inner, t.init().get()) : Value.Plain.UNIFORM;
        inner.set(t.name(), v);
      }
    }
    templates.forEach(inner.types::putIfAbsent);
    Value out = new Statements(run, expressions).run(inner);
    for (int i = 0; i < parameters.size() && i < c.args().size(); i++) {
      if (parameters.get(i).reference()) {
        expressions
            .memory()
            .store(f, c.args().get(i), left(inner, parameters.get(i).name()), c.at());
      }
    }
    if (out instanceof Value.Mask) {
      run.trace.mask(
          new VariableKey(callee.path(), callee.name(), callee.returnsAt(), callee.returns(), true),
          WarpCalls.maskType(callee.returns()));
    }
    return IntType.convert(out, IntType.of(callee.returns()));
  }

  /** What a reference holds once all lanes are back. */
  private static Value left(Frame inner, String name) {
    Value v = inner.get(name);
    return switch (inner.afterReturn) {
      case null -> v;
      case Guard.Varying g when v.isPlain() -> Value.Plain.VARYING;
      default -> new Value.Unknown(v.what() + " in the lanes that have not returned yet");
    };
  }

  Frame.Type callType(Frame f, Expr.Call c) {
    if (WarpCalls.isBits(c.name())) {
      return Frame.Type.INTEGER;
    }
    WarpFunction w = WarpFunction.of(c.name());
    if (w != null) {
      return switch (w.kind()) {
        case SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR -> {
          int at = w.masked() ? 1 : 0;
          yield c.args().size() > at ? expressions.type(f, c.args().get(at)) : Frame.Type.UNKNOWN;
        }
        default -> Frame.Type.INTEGER;
      };
    }
    Optional<Function> known = run.functions.find(c.name(), c.args().size());
    if (known.isPresent()) {
      Frame.Type returns = Frame.Type.of(known.get().returns(), Map.of());
      return returns == Frame.Type.UNKNOWN && !c.args().isEmpty()
          ? expressions.type(f, c.args().getFirst())
          : returns;
    }
    return Frame.Type.UNKNOWN;
  }
}
