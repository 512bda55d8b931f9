package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import dev.rocport.warp.ir.Variable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Models variables and memory: loads and stores. */
final class Memory {
  private final Run run;
  private final Expressions expressions;
  private final Stores stores;

  Memory(Run run, Expressions expressions, Stores stores) {
    this.run = run;
    this.expressions = expressions;
    this.stores = stores;
  }

  /** The first element of a shared array. */
  Value first(Frame f, String key) {
    return stores.load(f, key, Value.Plain.UNIFORM);
  }

  /** What a shared variable holds that is not an array. */
  Value scalar(Frame f, String key) {
    return stores.load(f, key, Value.Plain.UNIFORM);
  }

  Value load(Frame f, Expr.Index i) {
    Value base = expressions.eval(f, i.base());
    Value index = expressions.eval(f, i.index());
    if (base instanceof Value.Shared s) {
      return stores.load(f, s.key(), index);
    }
    if (i.base() instanceof Expr.Name n && isLocalArray(f, n.id())) {
      return index.isPlain() || !base.isPlain() ? base : new Value.Unknown(index.what());
    }
    if (base.isPlain() && index.isPlain()) {
      return new Value.Plain(base.isUniform() && index.isUniform());
    }
    if (base.isUniform() && index instanceof Value.Row) {
      return index;
    }
    return new Value.Unknown(
        base.isPlain()
            ? "a value whose index is " + index.what()
            : "a value read through " + base.what());
  }

  /** Where something is: plain and alike for all threads where that is known. */
  Value address(Frame f, Expr x) {
    return switch (x) {
      case Expr.Name n -> Value.Plain.UNIFORM;
      case Expr.Field m when root(m) == null || isPointer(f, Objects.requireNonNull(root(m))) ->
          m.base() instanceof Expr.Name ? expressions.eval(f, m.base()) : address(f, m.base());
      case Expr.Field m -> address(f, m.base());
      case Expr.Index i -> {
        Value base = expressions.eval(f, i.base());
        Value index = expressions.eval(f, i.index());
        yield base.isPlain() && index.isPlain()
            ? new Value.Plain(base.isUniform() && index.isUniform())
            : base.isPlain() ? index : base;
      }
      case Expr.Unary u when u.op().equals("*") -> expressions.eval(f, u.x());
      default -> expressions.eval(f, x).isUniform() ? Value.Plain.UNIFORM : expressions.eval(f, x);
    };
  }

  static boolean isLocalArray(Frame f, String name) {
    Variable v = f.variables.get(name);
    return v != null
        && !v.shared()
        && !v.dimensions().isEmpty()
        && !f.function.parameters().contains(v);
  }

  Value assign(Frame f, Expr.Binary b) {
    Value v = expressions.eval(f, b.right());
    if (!b.op().equals("=")) {
      Value old = expressions.eval(f, b.left());
      run.escape(f, old, b.at());
      if (v instanceof Value.Const k) {
        expressions.arithmetic().ordinary(f, b.right(), k);
      }
      String op = b.op().substring(0, b.op().length() - 1);
      Expr.Binary plainOp = new Expr.Binary(op, b.left(), b.right(), b.at());
      v =
          old.isPlain() && v.isPlain()
              ? new Value.Plain(old.isUniform() && v.isUniform())
              : expressions.arithmetic().binary(f, plainOp);
    }
    store(f, b.left(), v, b.at());
    return v;
  }

  void store(Frame f, Expr target, Value v, Span at) {
    switch (target) {
      case Expr.Name n -> {
        Variable variable = f.variables.get(n.id());
        if (variable != null && variable.shared()) {
          stores.shared(f, at, sharedKey(f, variable), Value.Plain.UNIFORM, v);
        } else if (variable != null || f.values.containsKey(n.id())) {
          if (v instanceof Value.Mask && variable != null) {
            run.trace.mask(f.key(variable), WarpCalls.maskType(variable.type()));
          }
          if (variable != null && v.isPlain() && !(v instanceof Value.Const)) {
            run.trace.number(f.key(variable));
          }
          f.set(n.id(), IntType.convert(v, f.integer(n.id())));
        } else {
          stores.global(f, at, Value.Plain.UNIFORM, v);
        }
      }
      case Expr.Index i -> {
        Value base = expressions.eval(f, i.base());
        Value index = expressions.eval(f, i.index());
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
                "a mask is stored in the field " + m.name());
          }
          f.set(root, Joins.join(f.values.get(root), v, f.guards));
        } else {
          stores.global(f, at, expressions.eval(f, m.base()), v);
        }
      }
      case Expr.Unary u when u.op().equals("*") -> {
        Value base = expressions.eval(f, u.x());
        if (base instanceof Value.Shared s) {
          stores.shared(f, at, s.key(), Value.Plain.UNIFORM, v);
        } else {
          stores.global(f, at, base, v);
        }
      }
      case Expr.Cast c -> store(f, c.x(), v, at);
      default -> {
        expressions.eval(f, target);
        stores.global(f, at, Value.Plain.UNIFORM, v);
      }
    }
  }

  /** True if a shared array holds a reduction of each warp. */
  boolean holdsParts(Frame f, Expr array, Reduction op, @Nullable IntType as) {
    return expressions.eval(f, array) instanceof Value.Shared s
        && run.shared.get(s.key()) instanceof Value.Parts q
        && IntType.convert(q, as) instanceof Value.Parts p
        && p.op() == op;
  }

  /** The variable that an expression is, or is a member or an element of. */
  static @Nullable String root(Expr x) {
    return switch (x) {
      case Expr.Field m -> root(m.base());
      case Expr.Index i -> root(i.base());
      case Expr.Name n -> n.id();
      default -> null;
    };
  }

  static boolean isPointer(Frame f, String name) {
    Variable v = f.variables.get(name);
    return v != null && (v.pointer() || v.reference());
  }

  static String sharedKey(Frame f, Variable v) {
    boolean dynamic =
        !v.dimensions().isEmpty()
            && v.dimensions().getFirst() instanceof Expr.Other o
            && o.text().isEmpty();
    return dynamic ? "dynamic" : f.function.path() + ":" + v.typeAt().start() + ":" + v.name();
  }
}
