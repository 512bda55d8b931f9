package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines what a kernel stores in memory, and whether the stored values depend on the number of
 * lanes in a warp.
 */
final class Stores {
  private final Run run;

  Stores(Run run) {
    this.run = run;
  }

  /** A value is stored to memory that other threads can read. */
  void global(Frame f, Span at, Value address, Value value) {
    List<Guard> guards = f.guards;
    if (Guard.isThread0(guards)) {
      if (!isKnownToThread0(value) || !isKnownToThread0(address)) {
        seen(f, at, value.isPlain() ? address : value, value.isPlain());
      }
      return;
    }
    if (address instanceof Value.Slot s && isMember(f, s.vote()) && value.isPlain()) {
      return;
    }
    if (!address.isPlain() || !value.isPlain()) {
      seen(f, at, address.isPlain() ? value : address, !address.isPlain());
      return;
    }
    if (!Guard.arePlain(guards)
        && !(address.isUniform() && value.isUniform() && areWholeOtherwise(guards))) {
      run.trace.obstacle(
          Obstacle.Kind.MEANT,
          f.function.path(),
          at,
          "which lanes or warps store this value depends on the warp size");
    }
  }

  /** An element of a shared array is set. */
  void shared(Frame f, Span at, String key, Value index, Value value) {
    put(f, key, index, value);
    run.hidden(f, key, at);
  }

  private void put(Frame f, String key, Value index, Value value) {
    Value before = run.shared.get(key);
    Value part = asPart(IntType.convert(value, run.elements.get(key)));
    if (index instanceof Value.Warp
        && part instanceof Value.Part p
        && areWholeOtherwise(f.guards)
        && (Guard.has(f.guards, Guard.Lane0.class) || p.everywhere())) {
      Value now = new Value.Parts(p.op(), p.type());
      boolean always = f.guards.stream().noneMatch(g -> g instanceof Guard.Uniform);
      run.shared.put(key, always || before == null || before.equals(now) ? now : unknown(now));
      return;
    }
    if (Guard.isThread0(f.guards) && isKnownToThread0(value) && isKnownToThread0(index)) {
      run.shared.put(
          key, before == null || before.isPlain() ? Value.Plain.UNIFORM : unknown(before));
      return;
    }
    boolean plain =
        index.isPlain()
            && value.isPlain()
            && (Guard.arePlain(f.guards)
                || (index.isUniform() && value.isUniform() && areWholeOtherwise(f.guards)));
    Value now = plain ? Value.Plain.VARYING : unknown(value.isPlain() ? index : value);
    run.shared.put(
        key, before == null || (before.isPlain() && plain) || !plain ? now : unknown(before));
  }

  /** An element of a shared array is read. */
  Value load(Frame f, String key, Value index) {
    Value held = run.shared.get(key);
    if (held == null) {
      return index.isPlain() ? Value.Plain.VARYING : unknown(index);
    }
    if (held instanceof Value.Parts p) {
      boolean first =
          (index instanceof Value.Lane
                  && (Guard.has(f.guards, Guard.Warp0.class)
                      || Guard.has(f.guards, Guard.FirstOnes.class)))
              || (index instanceof Value.ThreadIndex && Guard.has(f.guards, Guard.FirstOnes.class));
      return first && Guard.has(f.guards, Guard.FirstOnes.class) ? p : unknown(held);
    }
    if (held.isPlain() && index.isPlain()) {
      return held.isUniform() && index.isUniform() ? Value.Plain.UNIFORM : Value.Plain.VARYING;
    }
    return unknown(held.isPlain() ? index : held);
  }

  /**
   * An atomic operation on memory.
   *
   * @param op null for those that order matters to
   * @param agrees tests whether lanes with equal keys have equal addresses
   * @return what it gives back
   */
  Value atomic(
      Frame f,
      Expr.Call call,
      @Nullable Reduction op,
      Value address,
      Value value,
      boolean isFloat,
      Predicate<String> agrees) {
    List<Guard> guards = f.guards;
    if (isFloat && op == Reduction.ADD && !value.isPlain()) {
      run.trace.obstacle(
          Obstacle.Kind.ROUNDING,
          f.function.path(),
          call.at(),
          "adding the floating-point sums of wider warps would round differently");
    }
    if (Guard.isThread0(guards) && isKnownToThread0(value) && isKnownToThread0(address)) {
      return Value.Plain.VARYING;
    }
    if (value instanceof Value.Count c && op == Reduction.ADD) {
      Value.Room.In taker = takesRoom(f, c.vote(), address, agrees);
      if (taker != null) {
        return new Value.Room(c.vote(), taker);
      }
    }
    if (asPart(value) instanceof Value.Part p
        && p.op() == op
        && address.isUniform()
        && Guard.has(guards, Guard.Lane0.class)
        && areWholeOtherwise(guards)) {
      return new Value.Unknown("the result of an atomic operation by one lane per warp");
    }
    if (address.isPlain() && value.isPlain() && Guard.arePlain(guards)) {
      return Value.Plain.VARYING;
    }
    seen(f, call.at(), value.isPlain() ? address : value, value.isPlain());
    return new Value.Unknown("the result of an atomic operation");
  }

  /** One lane of the vote, and only that, adds the number of them all. */
  private Value.Room.@Nullable In takesRoom(
      Frame f, int vote, Value address, Predicate<String> agrees) {
    Run.Vote v = run.vote(vote);
    int before = v.guards().size();
    if (f.guards.size() < before || !f.guards.subList(0, before).equals(v.guards())) {
      return null;
    }
    List<Guard> since = f.guards.subList(before, f.guards.size());
    boolean leader = since.stream().anyMatch(g -> g instanceof Guard.Leader l && l.vote() == vote);
    boolean lane0 = Guard.has(since, Guard.Lane0.class) && v.wholeWarps() && !v.match();
    boolean always =
        since.stream()
            .allMatch(
                g ->
                    g instanceof Guard.Uniform
                        || g instanceof Guard.Lane0
                        || (g instanceof Guard.Leader l && l.vote() == vote)
                        || (g instanceof Guard.Some s && s.vote() == vote));
    boolean same = address.isUniform() || (v.match() && agrees.test(v.matched()));
    return !always || !address.isPlain() || !same
        ? null
        : leader ? Value.Room.In.LEADER : lane0 ? Value.Room.In.LANE0 : null;
  }

  private static boolean areWholeOtherwise(List<Guard> guards) {
    return guards.stream().allMatch(g -> g instanceof Guard.Uniform || g instanceof Guard.Lane0);
  }

  /** A count of a whole warp's vote is a sum over the warp, too. */
  private Value asPart(Value v) {
    return v instanceof Value.Count c
            && run.vote(c.vote()).wholeWarps()
            && !run.vote(c.vote()).match()
        ? new Value.Part(Reduction.ADD, true, null)
        : v;
  }

  private boolean isMember(Frame f, int vote) {
    Run.Vote v = run.vote(vote);
    boolean said = f.guards.stream().anyMatch(g -> g instanceof Guard.Member m && m.vote() == vote);
    // Members have voted, so what holds where some lane did holds for them.
    List<Guard> others =
        f.guards.stream().filter(g -> !(g instanceof Guard.Some s && s.vote() == vote)).toList();
    boolean active =
        v.predicate().isEmpty()
            && f.guards.size() >= v.guards().size()
            && f.guards.subList(0, v.guards().size()).equals(v.guards());
    return (said || active) && Guard.arePlain(others);
  }

  private static boolean isKnownToThread0(Value v) {
    return v.isPlain() || v instanceof Value.Total;
  }

  private void seen(Frame f, Span at, Value v, boolean address) {
    boolean meant =
        switch (v) {
          case Value.Warp w -> true;
          case Value.GlobalWarp w -> true;
          case Value.Lane l -> true;
          case Value.Part p -> true;
          case Value.WarpBase b -> true;
          default -> false;
        };
    run.trace.obstacle(
        v instanceof Value.Mask && !address
            ? Obstacle.Kind.ESCAPES
            : meant ? Obstacle.Kind.MEANT : Obstacle.Kind.UNCLEAR,
        f.function.path(),
        at,
        v.what() + (address ? " determines where a value is stored" : " is stored"));
  }

  private static Value unknown(Value v) {
    return v instanceof Value.Unknown ? v : new Value.Unknown(v.what() + " from shared memory");
  }
}
