package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The structures and unions of a file that consist of numbers and CUDA vectors. */
final class VectorAggregates {
  private static final Set<String> NUMBERS =
      Set.of(
          "char",
          "short",
          "int",
          "unsigned",
          "long",
          "float",
          "double",
          "bool",
          "size_t",
          "uint",
          "int8_t",
          "int16_t",
          "int32_t",
          "int64_t",
          "uint8_t",
          "uint16_t",
          "uint32_t",
          "uint64_t");

  private final Map<String, List<Integer>> types = new HashMap<>();

  VectorAggregates(Tokens t) {
    for (int i = 0; i + 1 < t.count(); i++) {
      boolean union = t.is(i, "union");
      if ((union || t.is(i, "struct")) && !t.inDirective(i)) {
        int open = t.isIdentifier(i + 1) ? i + 2 : i + 1;
        int close = t.is(open, '{') ? t.match(open) : -1;
        if (close > 0) {
          boolean typedef = t.is(i - 1, "typedef");
          int name = typedef ? close + 1 : i + 1;
          add(t, name, open, close, union);
        }
      }
    }
  }

  private void add(Tokens t, int name, int open, int close, boolean union) {
    List<Integer> members = members(t, open + 1, close);
    boolean vectors = members.stream().anyMatch(n -> n > 1);
    if (vectors && t.isIdentifier(name)) {
      // Branches of #if may declare a type in different ways; then its members are not known.
      List<Integer> initialized = union ? members.subList(0, 1) : members;
      List<Integer> known = types.put(t.text(name), initialized);
      if (known != null && !known.equals(initialized)) {
        types.put(t.text(name), List.of());
      }
    }
  }

  /** The components of each member; none if a member is something else. */
  private static List<Integer> members(Tokens t, int from, int to) {
    List<Integer> members = new ArrayList<>();
    int i = from;
    while (i < to) {
      int first = i;
      int n = VectorBracesPass.components(t.text(i));
      while (n == 0 && NUMBERS.contains(t.text(i + 1))) {
        i++;
      }
      if (n == 0 && !NUMBERS.contains(t.text(first))) {
        return List.of();
      }
      i++;
      boolean more = true;
      while (more) {
        if (!t.isIdentifier(i)) {
          return List.of();
        }
        members.add(Math.max(n, 1));
        more = t.is(i + 1, ',');
        i += 2;
      }
      if (!t.is(i - 1, ';') || t.inDirective(first)) {
        return List.of();
      }
    }
    return members;
  }

  /** Returns the components of the members that braces initialize; none for other types. */
  List<Integer> of(String type) {
    return types.getOrDefault(type, List.of());
  }
}
