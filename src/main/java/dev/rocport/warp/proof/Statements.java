package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Stmt;
import dev.rocport.warp.ir.Variable;
import dev.rocport.warp.ir.Visitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Interprets the statements of one function on abstract values. */
final class Statements {
  private static final int ROUNDS = 8;

  private final Run run;
  private final Expressions expressions;
  private final ReductionLoops reductions;

  Statements(Run run, Expressions expressions) {
    this.run = run;
    this.expressions = expressions;
    this.reductions = new ReductionLoops(run, expressions);
  }

  /** Runs the function of a frame whose parameters are set; gives what it returns. */
  Value run(Frame f) {
    run.trace.enter(f.function);
    if (!f.function.clean()) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          f.function.nameAt(),
          "parts of " + f.function.name() + " could not be parsed");
    }
    exec(f, f.function.body().block());
    return returned(f);
  }

  /** What callers get, of all the places that return something. */
  private static Value returned(Frame f) {
    for (Frame.Returned r : f.returned) {
      // Where no lane voted, no lane has a slot either.
      if (r.value() instanceof Value.Slot s
          && f.returned.stream()
              .allMatch(
                  o ->
                      o.value().equals(s)
                          || o.guards().stream()
                              .anyMatch(g -> g instanceof Guard.None n && n.vote() == s.vote()))) {
        return s;
      }
    }
    Value out = null;
    for (Frame.Returned r : f.returned) {
      boolean plain = f.returned.size() == 1 || Guard.arePlain(r.guards());
      Value v =
          plain
              ? r.value()
              : new Value.Unknown("a value that lanes or warps return depending on their index");
      out = out == null ? v : Joins.join(out, v, List.of(Guard.VARYING));
    }
    return out == null ? Value.Plain.UNIFORM : out;
  }

  /** Whether lanes that run a statement continue after it. */
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
      case Stmt.For l when reductions.overWarps(f, l) || overRows(f, l) -> Exit.NONE;
      case Stmt.For l -> {
        exec(f, l.init());
        ShuffleReduction ladder = ShuffleReduction.of(l);
        if (ladder != null && expressions.warp().ladder(f, ladder, l.at())) {
          if (ladder.ascending()) {
            f.set(
                ladder.distance(),
                new Value.Unknown("the shuffle distance after a reduction loop"));
          } else {
            f.set(ladder.distance(), Value.Plain.UNIFORM);
          }
          yield Exit.NONE;
        }
        loop(f, () -> goesOn(f, l.condition()), l.body(), l.step());
        yield Exit.NONE;
      }
      case Stmt.While w -> {
        if (w.bodyFirst()) {
          exec(f, w.body());
        }
        loop(f, () -> goesOn(f, Optional.of(w.condition())), w.body(), Optional.empty());
        yield Exit.NONE;
      }
      case Stmt.Return r -> {
        r.value()
            .ifPresent(
                x ->
                    f.returned.add(
                        new Frame.Returned(
                            expressions.eval(f, x),
                            List.copyOf(f.guards.subList(f.entry, f.guards.size())))));
        yield Exit.RETURN;
      }
      case Stmt.Jump j -> {
        f.jumps.add(
            new Frame.Jumped(
                new HashMap<>(f.values),
                new HashMap<>(f.versions),
                List.copyOf(f.guards.subList(f.entry, f.guards.size()))));
        yield Exit.JUMP;
      }
      case Stmt.Unknown u -> {
        u.parts().forEach(x -> expressions.eval(f, x));
        f.afterReturn = new Guard.Opaque("lanes that remain after others may have returned");
        f.guards.add(f.afterReturn);
        yield Exit.NONE;
      }
    };
  }

  private void declare(Frame f, Variable v) {
    if (run.functions.constant(v.name()).isPresent()) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          v.typeAt(),
          v.name() + " hides a constant of the same name");
    }
    Frame.Type type = Frame.Type.of(v.type(), f.types);
    if (v.shared()) {
      IntType element = IntType.of(v.type());
      if (element != null) {
        run.elements.put(Memory.sharedKey(f, v), element);
      }
      f.declare(v, type);
      return;
    }
    Value value = v.init().isPresent() ? expressions.eval(f, v.init().get()) : Value.Plain.UNIFORM;
    if (v.init().isPresent() && v.type().contains("auto")) {
      type = expressions.type(f, v.init().get());
    }
    f.declare(v, type);
    if (v.reference()) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          v.typeAt(),
          "accesses through the reference " + v.name() + " are not tracked");
    }
    if (v.init().isPresent() && value.isPlain() && !(value instanceof Value.Const)) {
      run.trace.number(f.key(v));
    }
    if (value instanceof Value.Mask) {
      run.trace.mask(f.key(v), WarpCalls.maskType(v.type()));
    }
    f.set(v.name(), IntType.convert(value, IntType.of(v.type())));
  }

  private Exit branch(Frame f, Stmt.If i) {
    Value.Condition c = Conditions.condition(expressions.eval(f, i.condition()));
    List<Guard> yes = expressions.conditions().guards(f, i.condition(), c.yes());
    Guard returnBefore = f.afterReturn;
    Guard jumpBefore = f.afterJump;
    int depth = f.guards.size();
    Map<String, Value> before = new HashMap<>(f.values);
    Map<String, Integer> versions = new HashMap<>(f.versions);
    f.guards.addAll(yes);
    Exit exitYes = exec(f, i.yes());
    List<Guard> underYes = since(f, depth);
    Map<String, Value> afterYes = new HashMap<>(f.values);
    f.values.clear();
    f.values.putAll(before);
    Exit exitNo = Exit.NONE;
    List<Guard> underNo = c.no();
    if (i.no().isPresent()) {
      f.guards.addAll(c.no());
      exitNo = exec(f, i.no().get());
      underNo = since(f, depth);
    }
    Map<String, Value> afterNo = new HashMap<>(f.values);
    f.values.clear();
    again(f, returnBefore, f.afterReturn);
    again(f, jumpBefore, f.afterJump);
    if (exitYes != Exit.NONE && exitNo == Exit.NONE) {
      f.values.putAll(afterNo);
      leave(f, exitYes, c.no(), yes);
    } else if (exitNo != Exit.NONE && exitYes == Exit.NONE) {
      f.values.putAll(afterYes);
      leave(f, exitNo, yes, c.no());
    } else {
      List<Guard> both = new ArrayList<>(underYes);
      if (!Guard.arePlain(underNo)) {
        both.addAll(underNo.stream().filter(g -> !c.no().contains(g)).toList());
      }
      f.values.putAll(Joins.join(afterYes, afterNo, n -> isSet(f, versions, n), both));
    }
    return exitYes == Exit.NONE || exitNo == Exit.NONE ? Exit.NONE : exitYes;
  }

  /** The guards that came since; they are taken away. */
  private static List<Guard> since(Frame f, int depth) {
    List<Guard> more = List.copyOf(f.guards.subList(depth, f.guards.size()));
    Expressions.truncate(f.guards, depth);
    return more;
  }

  /** What was found out inside a branch holds after it, too. */
  private static void again(Frame f, @Nullable Guard before, @Nullable Guard now) {
    if (now != null && !now.equals(before)) {
      f.guards.add(now);
    }
  }

  private static boolean isSet(Frame f, Map<String, Integer> versions, String name) {
    return !f.versions.getOrDefault(name, 0).equals(versions.getOrDefault(name, 0));
  }

  /** From here on, only some lanes continue, unless all or none left. */
  private static void leave(Frame f, Exit exit, List<Guard> staying, List<Guard> leaving) {
    f.guards.addAll(staying);
    if (!Guard.areUniform(leaving)) {
      Guard rest =
          Guard.arePlain(leaving)
              ? Guard.VARYING
              : new Guard.Opaque(
                  "lanes that remain after a return or jump that depends on the warp size");
      if (exit == Exit.RETURN && !(f.afterReturn instanceof Guard.Opaque)) {
        f.afterReturn = rest;
      } else if (exit == Exit.JUMP && !(f.afterJump instanceof Guard.Opaque)) {
        f.afterJump = rest;
      }
    }
  }

  /** Under what the body of a loop runs. */
  private List<Guard> goesOn(Frame f, Optional<Expr> condition) {
    return Conditions.condition(
            condition.isEmpty() ? Value.Plain.UNIFORM : expressions.eval(f, condition.get()))
        .yes();
  }

  private void loop(Frame f, Supplier<List<Guard>> condition, Stmt body, Optional<Expr> step) {
    Guard jumpBefore = f.afterJump;
    Guard returnBefore = f.afterReturn;
    List<Frame.Jumped> outer = List.copyOf(f.jumps);
    f.jumps.clear();
    int depth = f.guards.size();
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, Value> before = new HashMap<>(f.values);
      Map<String, Integer> versions = new HashMap<>(f.versions);
      Map<String, Value> shared = new HashMap<>(run.shared);
      again(f, jumpBefore, f.afterJump);
      again(f, returnBefore, f.afterReturn);
      f.guards.addAll(condition.get());
      exec(f, body);
      step.ifPresent(x -> expressions.eval(f, x));
      List<Guard> under = since(f, depth);
      Map<String, Value> joined = Joins.join(f.values, before, n -> isSet(f, versions, n), under);
      for (Frame.Jumped j : f.jumps) {
        joined =
            Joins.join(
                j.values(),
                joined,
                n -> isSet(f, j.versions(), n) || isSet(f, versions, n),
                j.guards());
      }
      f.jumps.clear();
      // A constant that changes from round to round is just some number.
      joined.replaceAll(
          (n, v) ->
              v instanceof Value.Const && before.containsKey(n) && !v.equals(before.get(n))
                  ? Value.Plain.UNIFORM
                  : v);
      f.values.clear();
      f.values.putAll(joined);
      if (joined.equals(before) && shared.equals(run.shared) && round > 0) {
        break;
      }
      if (round == ROUNDS - 1) {
        run.trace.obstacle(
            Obstacle.Kind.UNCLEAR,
            f.function.path(),
            f.function.nameAt(),
            "a loop in " + f.function.name() + " is too complex to analyze");
      }
    }
    f.jumps.addAll(outer);
    f.afterJump = jumpBefore;
    again(f, returnBefore, f.afterReturn);
  }

  /**
   * A loop in which the warps share out numbers: {@code for (int r = warp; r < n; r += warps)}.
   * Each number below {@code n} is processed by one warp, once, for every W.
   */
  private boolean overRows(Frame f, Stmt.For l) {
    if (!(l.init() instanceof Stmt.Let let)
        || let.variable().init().isEmpty()
        || !(l.condition().orElse(null) instanceof Expr.Binary c)
        || !c.op().equals("<")
        || !(c.left() instanceof Expr.Name r)
        || !r.id().equals(let.variable().name())
        || !(l.step().orElse(null) instanceof Expr.Binary s)
        || !s.op().equals("+=")
        || !(s.left() instanceof Expr.Name x)
        || !x.id().equals(r.id())
        || !isWholeRound(l.body(), r.id())) {
      return false;
    }
    Value first = expressions.eval(f, let.variable().init().get());
    Value step = expressions.eval(f, s.right());
    boolean shared =
        (first instanceof Value.Warp && step instanceof Value.Warps)
            || (first instanceof Value.GlobalWarp && step instanceof Value.GridWarps);
    if (!shared || !Guard.areUniform(f.guards) || !expressions.eval(f, c.right()).isUniform()) {
      return false;
    }
    declare(f, let.variable());
    f.set(r.id(), new Value.Row());
    loop(f, () -> List.of(new Guard.Rows()), l.body(), Optional.empty());
    f.set(
        r.id(),
        new Value.Unknown(
            "a loop variable that the warps divide among themselves, after the loop"));
    return true;
  }

  /** No way out of a loop's body but its end, and none that changes the variable. */
  private static boolean isWholeRound(Stmt body, String variable) {
    boolean[] whole = {true};
    Visitor.statements(
        body,
        s -> whole[0] &= !(s instanceof Stmt.Jump) && !(s instanceof Stmt.Return),
        x ->
            whole[0] &=
                !(x instanceof Expr.Binary b
                        && b.assigns()
                        && variable.equals(Memory.root(b.left())))
                    && !(x instanceof Expr.Unary u
                        && !u.op().equals("*")
                        && u.x() instanceof Expr.Name n
                        && n.id().equals(variable)));
    return whole[0];
  }
}
