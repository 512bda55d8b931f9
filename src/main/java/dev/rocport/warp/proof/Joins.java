package dev.rocport.warp.proof;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a variable holds behind a branch. */
final class Joins {
  private Joins() {}

  /** All variables, where {@code yes} ran under the guards and {@code no} otherwise. */
  static Map<String, Value> join(
      Map<String, Value> yes, Map<String, Value> no, List<Guard> guards) {
    Map<String, Value> out = new HashMap<>();
    Set<String> names = new HashSet<>(yes.keySet());
    names.addAll(no.keySet());
    for (String n : names) {
      out.put(n, join(yes.get(n), no.get(n), guards));
    }
    return out;
  }

  static Value join(@Nullable Value yes, @Nullable Value no, List<Guard> guards) {
    if (yes == null || no == null) {
      return yes != null ? yes : no != null ? no : Value.UNIFORM;
    }
    if (yes.equals(no) || sameConstant(yes, no)) {
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
      case Value.Total t when Guard.has(guards, Guard.Warp0.class) || Guard.isThread0(guards) ->
          new Value.Total(false);
      default -> new Value.Unknown(yes.isPlain() ? no.what() : yes.what());
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
