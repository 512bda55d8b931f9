package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Stmt;
import dev.rocport.warp.ir.Variable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the statements of one function on abstract values. */
final class Statements {
  private static final int ROUNDS = 8;

  private final Run run;
  private final Expressions expressions;

  Statements(Run run, Expressions expressions) {
    this.run = run;
    this.expressions = expressions;
  }

  /** Runs the function of a frame whose parameters are set; gives what it returns. */
  Value run(Frame f) {
    run.trace.enter(f.function);
    if (!f.function.clean()) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          f.function.nameAt(),
          "not all of " + f.function.name() + " could be read");
    }
    exec(f, f.function.body());
    Value out = null;
    for (Value v : f.returned) {
      out = out == null ? v : Joins.join(out, v, List.of(Guard.VARYING));
    }
    return out == null ? Value.UNIFORM : out;
  }

  /** Whether lanes that run a statement go on behind it. */
  private enum Exit {
    NONE,
    JUMP,
    RETURN
  }

  private Exit exec(Frame f, Stmt s) {
    return switch (s) {
      case Stmt.Block b -> {
        Exit exit = Exit.NONE;
        for (Stmt x : b.list()) {
          exit = exec(f, x);
        }
        yield exit;
      }
      case Stmt.Let l -> {
        declare(f, l.variable());
        yield Exit.NONE;
      }
      case Stmt.Eval e -> {
        expressions.eval(f, e.x());
        yield Exit.NONE;
      }
      case Stmt.If i -> branch(f, i);
      case Stmt.For l -> {
        exec(f, l.init());
        Ladder ladder = Ladder.of(l);
        if (ladder != null && expressions.warp().ladder(f, ladder, l.at())) {
          f.values.remove(ladder.distance());
          yield Exit.NONE;
        }
        loop(f, l.condition(), l.body(), l.step());
        yield Exit.NONE;
      }
      case Stmt.While w -> {
        if (w.bodyFirst()) {
          exec(f, w.body());
        }
        loop(f, Optional.of(w.condition()), w.body(), Optional.empty());
        yield Exit.NONE;
      }
      case Stmt.Return r -> {
        r.value().ifPresent(x -> f.returned.add(expressions.eval(f, x)));
        yield Exit.RETURN;
      }
      case Stmt.Jump j -> Exit.JUMP;
      case Stmt.Unknown u -> {
        u.parts().forEach(x -> expressions.eval(f, x));
        f.someReturned = true;
        f.guards.add(Guard.VARYING);
        yield Exit.NONE;
      }
    };
  }

  private void declare(Frame f, Variable v) {
    Frame.Type type = Frame.Type.of(v.type(), f.types);
    if (v.shared()) {
      f.declare(v, type);
      return;
    }
    Value value = v.init().isPresent() ? expressions.eval(f, v.init().get()) : Value.UNIFORM;
    if (v.init().isPresent() && v.type().contains("auto")) {
      type = expressions.type(f, v.init().get());
    }
    f.declare(v, type);
    if (value instanceof Value.Mask) {
      run.trace.mask(f.key(v), WarpCalls.maskType(v.type()));
    }
    f.set(v.name(), value);
  }

  private Exit branch(Frame f, Stmt.If i) {
    Value.Condition c = Expressions.condition(expressions.eval(f, i.condition()));
    List<Guard> yes = expressions.guards(f, i.condition(), c.yes());
    boolean leftBefore = f.someReturned || f.someJumped;
    int depth = f.guards.size();
    Map<String, Value> before = new HashMap<>(f.values);
    f.guards.addAll(yes);
    Exit exitYes = exec(f, i.yes());
    Expressions.truncate(f.guards, depth);
    Map<String, Value> afterYes = new HashMap<>(f.values);
    f.values.clear();
    f.values.putAll(before);
    Exit exitNo = Exit.NONE;
    if (i.no().isPresent()) {
      f.guards.addAll(c.no());
      exitNo = exec(f, i.no().get());
      Expressions.truncate(f.guards, depth);
    }
    Map<String, Value> afterNo = new HashMap<>(f.values);
    f.values.clear();
    if (!leftBefore && (f.someReturned || f.someJumped)) {
      f.guards.add(Guard.VARYING);
    }
    if (exitYes != Exit.NONE && exitNo == Exit.NONE) {
      f.values.putAll(afterNo);
      leave(f, exitYes, c.no(), yes);
    } else if (exitNo != Exit.NONE && exitYes == Exit.NONE) {
      f.values.putAll(afterYes);
      leave(f, exitNo, yes, c.no());
    } else {
      f.values.putAll(Joins.join(afterYes, afterNo, yes));
    }
    return exitYes == Exit.NONE || exitNo == Exit.NONE ? Exit.NONE : exitYes;
  }

  /** From here on only some lanes go on, unless all or none left. */
  private static void leave(Frame f, Exit exit, List<Guard> staying, List<Guard> leaving) {
    f.guards.addAll(staying);
    if (!Guard.areUniform(leaving)) {
      f.someReturned |= exit == Exit.RETURN;
      f.someJumped |= exit == Exit.JUMP;
    }
  }

  private void loop(Frame f, Optional<Expr> condition, Stmt body, Optional<Expr> step) {
    boolean jumpedBefore = f.someJumped;
    boolean returnedBefore = f.someReturned;
    int depth = f.guards.size();
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, Value> before = new HashMap<>(f.values);
      if (f.someJumped || f.someReturned) {
        f.guards.add(Guard.VARYING);
      }
      Value.Condition c =
          Expressions.condition(
              condition.isEmpty() ? Value.UNIFORM : expressions.eval(f, condition.get()));
      f.guards.addAll(c.yes());
      exec(f, body);
      step.ifPresent(x -> expressions.eval(f, x));
      Expressions.truncate(f.guards, depth);
      Map<String, Value> joined = Joins.join(f.values, before, c.yes());
      // A constant that changes from round to round is just some number.
      joined.replaceAll(
          (n, v) ->
              v instanceof Value.Const && before.containsKey(n) && !v.equals(before.get(n))
                  ? Value.UNIFORM
                  : v);
      f.values.clear();
      f.values.putAll(joined);
      if (joined.equals(before)) {
        break;
      }
      if (round == ROUNDS - 1) {
        run.trace.obstacle(
            Obstacle.Kind.UNCLEAR,
            f.function.path(),
            f.function.nameAt(),
            "a loop of " + f.function.name() + " is too involved");
      }
    }
    f.someJumped = jumpedBefore;
    if (f.someReturned && !returnedBefore) {
      f.guards.add(Guard.VARYING);
    }
  }
}
