package dev.rocport.warp.proof;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Joins the values of a variable after a branch. */
final class Joins {
  private Joins() {}

  /**
   * All variables, where {@code yes} ran under the guards and {@code no} otherwise.
   *
   * @param changed those that one of them may have set; the others are unchanged
   */
  static Map<String, Value> join(
      Map<String, Value> yes,
      Map<String, Value> no,
      Predicate<String> changed,
      List<Guard> guards) {
    Map<String, Value> out = new HashMap<>();
    Set<String> names = new HashSet<>(yes.keySet());
    names.addAll(no.keySet());
    for (String n : names) {
      Value same = yes.get(n);
      out.put(n, changed.test(n) || same == null ? join(same, no.get(n), guards) : same);
    }
    return out;
  }

  static Value join(@Nullable Value yes, @Nullable Value no, List<Guard> guards) {
    if (yes == null || no == null) {
      return yes != null ? yes : no != null ? no : Value.Plain.UNIFORM;
    }
    boolean same = yes instanceof Value.Shared && yes.equals(no);
    if (same || sameConstant(yes, no) || (yes.equals(no) && Guard.areUniform(guards))) {
      return yes;
    }
    if (no instanceof Value.Unknown) {
      return no; // so that loops come to an end
    }
    if ((yes instanceof Value.Shared || no instanceof Value.Shared) && !yes.equals(no)) {
      return new Value.Unknown("one of several arrays");
    }
    boolean plainGuards = Guard.arePlain(guards);
    if (yes.isPlain() && no.isPlain() && plainGuards) {
      boolean uniform = yes.isUniform() && no.isUniform() && Guard.areUniform(guards);
      return new Value.Plain(uniform);
    }
    return switch (yes) {
      case Value.Room r when isWhereTaken(r, guards) -> r;
      case Value.Parts p when isAllOfFirstOnes(guards) && isIdentity(p.op(), no) -> p;
      case Value.Part p when isIdentity(p.op(), no) && Guard.areUniform(guards) -> p;
      case Value.Total t
          when always0(guards)
              || ((Guard.has(guards, Guard.Warp0.class) || Guard.isThread0(guards))
                  && (no.isPlain() || no instanceof Value.Total)) ->
          new Value.Total(false);
      default ->
          new Value.Unknown(
              !yes.isPlain()
                  ? yes.what()
                  : !no.isPlain()
                      ? no.what()
                      : "a value that some lanes or warps set, depending on the warp size");
    };
  }

  /** True if all those lanes run that have the room. */
  private static boolean isWhereTaken(Value.Room r, List<Guard> guards) {
    return guards.stream()
        .allMatch(
            g ->
                (g instanceof Guard.Some s && s.vote() == r.vote())
                    || switch (r.in()) {
                      case LEADER -> g instanceof Guard.Leader l && l.vote() == r.vote();
                      case LANE0 -> g instanceof Guard.Lane0;
                      case ALL -> false;
                    });
  }

  /** True if all lanes run that have a warp's result to read, or none. */
  private static boolean isAllOfFirstOnes(List<Guard> guards) {
    return Guard.has(guards, Guard.FirstOnes.class)
        && guards.stream()
            .allMatch(
                g ->
                    g instanceof Guard.FirstOnes
                        || g instanceof Guard.Warp0
                        || g instanceof Guard.Uniform);
  }

  /** True if the block's first thread runs in any case. */
  private static boolean always0(List<Guard> guards) {
    return guards.stream()
        .allMatch(
            g ->
                g instanceof Guard.FirstOnes
                    || g instanceof Guard.Warp0
                    || g instanceof Guard.Lane0
                    || g instanceof Guard.Thread0);
  }

  private static boolean sameConstant(Value a, Value b) {
    return a instanceof Value.Const x && b instanceof Value.Const y && x.value() == y.value();
  }

  /** True if combining with the value changes nothing. */
  static boolean isIdentity(Reduction op, Value v) {
    return switch (op) {
      case ADD, OR, XOR -> v instanceof Value.Const c && c.value() == 0;
      case AND -> v instanceof Value.Const c && (c.value() == -1 || c.value() == 0xffffffffL);
      case MIN -> v instanceof Value.Extreme e && !e.least();
      case MAX -> v instanceof Value.Extreme e && e.least();
    };
  }
}
