package dev.rocport.warp.proof;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a variable holds behind a branch. */
final class Joins {
  private Joins() {}

  /**
   * All variables, where {@code yes} ran under the guards and {@code no} otherwise.
   *
   * @param changed those that one of them may have set; the others are what they were
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
    if (sameConstant(yes, no) || (yes.equals(no) && Guard.areUniform(guards))) {
      return yes;
    }
    if (no instanceof Value.Unknown) {
      return no; // so that loops come to an end
    }
    boolean plainGuards = Guard.arePlain(guards);
    if (yes.isPlain() && no.isPlain() && plainGuards) {
      boolean uniform = yes.isUniform() && no.isUniform() && Guard.areUniform(guards);
      return new Value.Plain(uniform);
    }
    return switch (yes) {
      case Value.Room r when !r.everywhere() && onlyLeader(guards) -> r;
      case Value.Parts p when Guard.has(guards, Guard.FirstOnes.class) && isIdentity(p.op(), no) ->
          p;
      case Value.Part p when isIdentity(p.op(), no) && Guard.areUniform(guards) -> p;
      case Value.Total t when Guard.has(guards, Guard.Warp0.class) || Guard.isThread0(guards) ->
          new Value.Total(false);
      default ->
          new Value.Unknown(
              !yes.isPlain()
                  ? yes.what()
                  : !no.isPlain() ? no.what() : "what some lanes or warps set, by the warp's size");
    };
  }

  private static boolean onlyLeader(List<Guard> guards) {
    return Guard.has(guards, Guard.Leader.class) || Guard.has(guards, Guard.Lane0.class);
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
