package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Launches;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.lang.cuda.symbols.ObjectTypes.Known;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Converts between {@code dim3}, {@code uint3} and the indices of a kernel, which HIP does not do
 * implicitly.
 */
public final class Dim3Pass {
  static final String RULE = "DIM3-UINT3";

  /** Variables of kernels, which HIP converts to {@code dim3} only. */
  private static final Set<String> INDICES = Set.of("threadIdx", "blockIdx", "blockDim", "gridDim");

  private final CudaFile f;
  private final Tokens t;
  private final ObjectTypes types;

  /** The bracket of the arguments of each launch, by the token where its chevrons open. */
  private final Map<Integer, Integer> launched = new HashMap<>();

  private Dim3Pass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new ObjectTypes(f.t);
  }

  public static void run(CudaFile f) {
    boolean mentions = f.t.mentions("uint3") || f.t.mentions("make_uint3");
    if (f.isC() || !mentions || !f.changes.allows(RULE)) {
      return;
    }
    Dim3Pass pass = new Dim3Pass(f);
    for (int i = 1; i + 2 < f.t.count(); i++) {
      if (f.t.is(i, '=')) {
        pass.assignment(i);
      } else if (f.t.is(i, '(')) {
        pass.construction(i);
      }
    }
    pass.launches();
    pass.functions();
  }

  /** What functions of the file are called with, and what they return. */
  private void functions() {
    Map<String, List<Function>> byName =
        Functions.of(t).stream().collect(Collectors.groupingBy(g -> t.text(g.name())));
    for (List<Function> overloads : byName.values()) {
      if (overloads.size() == 1) {
        calls(overloads.getFirst());
      }
      overloads.forEach(this::returns);
    }
  }

  private void calls(Function function) {
    List<String> types = Arguments.of(t, function.open()).stream().map(this::parameter).toList();
    if (types.stream().allMatch(String::isEmpty)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      boolean named = i != function.name() && t.hash(i) == t.hash(function.name());
      int open = named && Functions.isCall(t, i) ? i + 1 : launched.getOrDefault(i + 1, -1);
      if (named && open > 0 && !f.isQualified(i)) {
        List<Arguments.Span> arguments = Arguments.of(t, open);
        for (int k = 0; k < Math.min(types.size(), arguments.size()); k++) {
          value(types.get(k), arguments.get(k));
        }
      }
    }
  }

  /** The type of a parameter that is passed by value or as a constant; empty for other types. */
  private String parameter(Arguments.Span p) {
    int i = t.is(p.first(), "const") ? p.first() + 1 : p.first();
    boolean plain = i == p.last() - 1 || (t.is(i + 1, '&') && i > p.first());
    return plain && (t.is(i, "dim3") || t.is(i, "uint3")) ? t.text(i) : "";
  }

  private void returns(Function function) {
    String type = t.text(function.name() - 1);
    if (!type.equals("dim3") && !type.equals("uint3")) {
      return;
    }
    for (int i = function.body(); i < function.close(); i++) {
      if (t.is(i, "return")) {
        int end = i + 1;
        while (end < function.close() && !t.is(end, ';')) {
          end = t.match(end) > end ? t.match(end) + 1 : end + 1;
        }
        value(type, new Arguments.Span(i + 1, end - 1));
      }
    }
  }

  /** The grid and the block of a launch. */
  private void launches() {
    Launches all = Launches.of(t);
    for (int n = 0; n < all.count(); n++) {
      if (all.close(n) >= 0) {
        launched.put(all.open(n), all.close(n) + 3);
        Arguments.between(t, all.open(n) + 3, all.close(n)).stream()
            .limit(2)
            .forEach(a -> value("dim3", a));
      }
    }
  }

  /** A value that must have the type. */
  private void value(String to, Arguments.Span a) {
    int first = a.first();
    boolean variable = first == a.last() && types.isDereferenced(first);
    String from = variable ? name(types.ofObject(first)) : "";
    boolean made = to.equals("dim3") && t.is(first, "make_uint3") && t.match(first + 1) == a.last();
    if (made) {
      f.changes.edit(Edit.replace(t.start(first), t.end(first), "dim3", RULE));
    } else if (to.equals("dim3") && from.equals("uint3")) {
      convert("dim3", first);
    } else if (to.equals("uint3") && (from.equals("dim3") || isIndex(a))) {
      convert("make_uint3", first);
    }
  }

  private boolean isIndex(Arguments.Span a) {
    return a.first() == a.last() && INDICES.contains(t.text(a.first()));
  }

  /** {@code a = make_uint3(x, y, z)} and {@code a = b}, also as initializers. */
  private void assignment(int i) {
    boolean declares = t.is(i - 2, "dim3") || t.is(i - 2, "uint3");
    if (!declares && !types.isDereferenced(i - 1)) {
      return;
    }
    int end = i + 1;
    while (end < t.count() && !t.is(end, ';') && !t.is(end, ',')) {
      end = t.match(end) > end ? t.match(end) + 1 : end + 1;
    }
    String to = declares ? t.text(i - 2) : name(types.ofObject(i - 1));
    value(to, new Arguments.Span(i + 1, end - 1));
  }

  /** {@code dim3 a(b)} and {@code dim3(b)}. */
  private void construction(int i) {
    boolean single = t.isIdentifier(i + 1) && t.is(i + 2, ')');
    boolean dim3 = t.is(i - 1, "dim3") || (t.isIdentifier(i - 1) && t.is(i - 2, "dim3"));
    if (single
        && dim3
        && types.isDereferenced(i + 1)
        && name(types.ofObject(i + 1)).equals("uint3")) {
      String b = t.text(i + 1);
      f.changes.edit(Edit.after(t.end(i + 1), ".x, %s.y, %s.z".formatted(b, b), RULE));
    }
  }

  private void convert(String function, int object) {
    String b = t.text(object);
    String text = "%s(%s.x, %s.y, %s.z)".formatted(function, b, b, b);
    f.changes.edit(Edit.replace(t.start(object), t.end(object), text, RULE));
  }

  private static String name(ObjectTypes.Type type) {
    return type instanceof Known k ? k.name() : "";
  }
}
