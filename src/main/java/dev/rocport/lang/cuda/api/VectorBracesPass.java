package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.VectorTypes;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Completes values in braces for CUDA vectors. In CUDA, vectors are aggregates: missing components
 * are zero, and braces around the components of one of several vectors can be left out. In HIP,
 * they are classes with constructors for one value, which all components get, and for all values.
 */
public final class VectorBracesPass {
  static final String RULE = "VECTOR-BRACES";

  private static final Pattern MACRO = Pattern.compile("[A-Z][A-Z0-9_]+");

  /** What can be before {@code (float4){...}}. */
  private static final Set<String> BEFORE_CAST =
      Set.of("=", "(", ",", "return", "?", "+", "-", "*");

  private final CudaFile f;
  private final Tokens t;
  private final VectorAggregates aggregates;

  private VectorBracesPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.aggregates = new VectorAggregates(f.t);
  }

  public static void run(CudaFile f) {
    if (f.isC() || !f.usesCuda() || !f.t.mentions(VectorTypes.NAMES) || !f.changes.allows(RULE)) {
      return;
    }
    VectorBracesPass pass = new VectorBracesPass(f);
    for (int i = 1; i < f.t.count(); i++) {
      if (f.t.is(i, '{') && !f.t.inDirective(i) && !f.regions.isDead(i) && f.t.match(i) > i) {
        pass.braces(i);
      }
    }
  }

  /** Returns the number of components of a vector type that has several; 0 for other types. */
  static int components(String type) {
    int n = VectorTypes.components(type);
    return n > 1 ? n : 0;
  }

  private void braces(int open) {
    int before = open - 1;
    if (t.is(before, ')') && t.match(before) == before - 2) { // (float4){...}
      if (isVector(before - 1) && BEFORE_CAST.contains(t.text(before - 3))) {
        one(components(t.text(before - 1)), open);
      }
      return;
    }
    if (isVector(before)) { // float4{...}
      int first = Statements.start(t, before);
      boolean type =
          t.isPair(before - 1, '-')
              || IntStream.range(first, before)
                  .anyMatch(k -> t.is(k, "struct") || t.is(k, "class") || t.is(k, "union"));
      if (!type) {
        one(components(t.text(before)), open);
      }
      return;
    }
    int name = t.is(before, '=') ? before - 1 : before;
    int dimensions = 0;
    int size = -1;
    while (t.is(name, ']') && t.match(name) > 0) {
      size = t.match(name) == name - 2 ? number(name - 1) : -1;
      name = t.match(name) - 1;
      dimensions++;
    }
    if (!t.isIdentifier(name) || !t.isIdentifier(name - 1)) {
      return;
    }
    if (isVector(name - 1)) {
      list(components(t.text(name - 1)), open, dimensions, size);
    } else if (dimensions == 0) {
      aggregate(aggregates.of(t.text(name - 1)), open);
    }
  }

  private int number(int i) {
    String text = t.text(i);
    return text.matches("\\d{1,6}") ? Integer.parseInt(text) : -1;
  }

  private boolean isVector(int i) {
    return t.isIdentifier(i)
        && components(t.text(i)) > 0
        && !f.isQualified(i)
        && !f.isOwn(t.text(i), i);
  }

  /** The values of one vector: {@code float4 v = {1, 2}}. */
  private void one(int n, int open) {
    List<Arguments.Span> values = Arguments.between(t, open + 1, t.match(open));
    if (!values.isEmpty() && t.is(values.getFirst().first(), '.')) {
      designated(n, values);
      return;
    }
    int k = values.size();
    boolean scalars = k > 1 ? areScalars(values) : values.stream().allMatch(this::isLiteral);
    boolean macros = values.stream().anyMatch(this::isMacro);
    if (k > 0 && k < n && scalars && !macros) {
      f.changes.edit(Edit.after(t.end(values.getLast().last()), ", 0".repeat(n - k), RULE));
    }
  }

  /** {@code float2 v = {.y = 1}}, which becomes {@code {0, 1}}. */
  private void designated(int n, List<Arguments.Span> values) {
    List<Integer> components = values.stream().map(this::component).toList();
    int last = -1;
    for (int c : components) {
      if (c <= last || c >= n) {
        return; // another type, or a mixture
      }
      last = c;
    }
    int next = 0;
    for (int i = 0; i < values.size(); i++) {
      int first = values.get(i).first();
      String zeros = "0, ".repeat(components.get(i) - next);
      f.changes.edit(Edit.replace(t.start(first), t.start(first + 3), zeros, RULE));
      next = components.get(i) + 1;
    }
    if (next < n) {
      f.changes.edit(Edit.after(t.end(values.getLast().last()), ", 0".repeat(n - next), RULE));
    }
  }

  /** The index of the component that a value designates; -1 if it is none, or no number. */
  private int component(Arguments.Span a) {
    int i = a.first();
    boolean named = t.is(i, '.') && t.isIdentifier(i + 1) && t.is(i + 2, '=') && a.last() > i + 2;
    boolean number =
        IntStream.rangeClosed(i, a.last()).noneMatch(k -> t.inDirective(k) || t.is(k, '{'));
    return named && number && t.text(i + 1).length() == 1 ? "xyzw".indexOf(t.text(i + 1)) : -1;
  }

  /** The values of an array of vectors, or of one vector. */
  private void list(int n, int open, int dimensions, int size) {
    if (dimensions == 0) {
      one(n, open);
      return;
    }
    List<Arguments.Span> values = Arguments.between(t, open + 1, t.match(open));
    boolean nested = false;
    for (Arguments.Span a : values) {
      if (t.is(a.first(), '{') && t.match(a.first()) == a.last()) {
        nested = true;
        list(n, a.first(), dimensions - 1, -1);
      }
    }
    boolean all = size > 0 && values.size() == size * n && areScalars(values);
    if (!nested && dimensions == 1 && (all || values.stream().allMatch(this::isLiteral))) {
      for (int i = 0; i < values.size(); i += n) {
        wrap(n, values.subList(i, Math.min(i + n, values.size())));
      }
    }
  }

  /** The values of a structure or union without braces around vectors. */
  private void aggregate(List<Integer> members, int open) {
    List<Arguments.Span> values = Arguments.between(t, open + 1, t.match(open));
    int total = members.stream().mapToInt(n -> n).sum();
    boolean all = values.size() == total && total > members.size() && areScalars(values);
    boolean scalars = all || values.stream().allMatch(this::isLiteral);
    if (!scalars || values.size() > total) {
      return;
    }
    int at = 0;
    for (int n : members) {
      if (n > 1 && at < values.size()) {
        wrap(n, values.subList(at, Math.min(at + n, values.size())));
      }
      at += n;
    }
  }

  private void wrap(int n, List<Arguments.Span> values) {
    int end = t.end(values.getLast().last());
    f.changes.edit(Edit.before(t.start(values.getFirst().first()), "{", RULE));
    f.changes.alsoEdit(Edit.after(end, ", 0".repeat(n - values.size()) + "}", RULE));
  }

  private boolean isLiteral(Arguments.Span a) {
    int number = t.is(a.first(), '-') || t.is(a.first(), '+') ? a.first() + 1 : a.first();
    return number == a.last() && t.kind(number) == Tokens.NUMBER && !t.inDirective(number);
  }

  /**
   * Whether as many values as there are components or more are one number each: without
   * designators, packs and branches of {@code #if}. A macro of several numbers would make too many.
   */
  private boolean areScalars(List<Arguments.Span> values) {
    return values.stream()
        .allMatch(
            a ->
                !t.is(a.first(), '.')
                    && IntStream.rangeClosed(a.first(), a.last())
                        .noneMatch(
                            i ->
                                t.inDirective(i)
                                    || t.is(i, '{')
                                    || t.is(i, ';')
                                    || t.is(i, "...")));
  }

  private boolean isMacro(Arguments.Span a) {
    return IntStream.rangeClosed(a.first(), a.last())
        .anyMatch(i -> MACRO.matcher(t.text(i)).matches());
  }
}
