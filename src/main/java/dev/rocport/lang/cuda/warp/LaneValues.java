package dev.rocport.lang.cuda.warp;

import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Variables that may differ between the lanes of a warp: by their names, and those that statements
 * with such variables set.
 */
final class LaneValues {
  private static final Pattern NAME =
      Pattern.compile("threadIdx|tid|thread_rank|lane.*|.*_lane.*|.*Lane.*|.*_LANE.*|.*laneid.*");

  private final Tokens t;
  private final VariableTypes types;

  /** Names that are left out. */
  private final Predicate<String> same;

  private final List<Function> functions;

  /** The variables of each function, by the token of its name. */
  private final Map<Integer, Set<String>> known = new HashMap<>();

  LaneValues(Tokens t, Predicate<String> same) {
    this.t = t;
    this.types = new VariableTypes(t);
    this.same = same;
    this.functions = Functions.of(t);
  }

  /** True if the name at a token may have different values. */
  boolean differs(int i) {
    return isNamed(i)
        || functions.stream()
            .filter(f -> f.open() < i && i < f.close())
            .anyMatch(f -> of(f).contains(variable(i)));
  }

  private boolean isNamed(int i) {
    return t.isIdentifier(i) && NAME.matcher(t.text(i)).matches() && !isWarp(i);
  }

  /** {@code = threadIdx.x / 32}, the number of the warp. */
  private boolean isWarp(int i) {
    return t.is(i - 1, '=')
        && t.is(i, "threadIdx")
        && t.is(i + 2, "x")
        && t.is(i + 3, '/')
        && (t.is(i + 4, "32") || t.is(i + 4, "warpSize"));
  }

  /** The declaration of a variable, or its name if that is not known. */
  private String variable(int i) {
    int declared = types.isDeclared(i) ? i : types.declaration(i);
    return declared < 0 ? t.text(i) : "@" + declared;
  }

  private Set<String> of(Function f) {
    return known.computeIfAbsent(f.name(), k -> variables(f));
  }

  private Set<String> variables(Function f) {
    Set<String> names = new HashSet<>();
    int size = -1;
    while (size < names.size()) {
      size = names.size();
      int first = f.body() + 1;
      for (int i = first; i <= f.close(); i++) {
        boolean header = t.is(i, ')') && t.is(t.match(i) - 1, "for");
        if (header || t.is(i, ';') || t.is(i, '{') || t.is(i, '}')) {
          if (first < i && add(new Span(first, i - 1), names) && isBranch(first, i)) {
            assigned(new Span(i, t.match(i)), names);
          }
          first = i + 1;
        }
      }
    }
    return names;
  }

  /** {@code if (lane == 0) {}}, and other conditions before braces. */
  private boolean isBranch(int first, int brace) {
    int word = t.is(first, "else") ? first + 1 : first;
    return t.is(brace, '{')
        && t.match(brace) > brace
        && (t.is(word, "if") || t.is(word, "while") || t.is(word, "switch"));
  }

  /** Adds what the statements in a branch set that only some lanes take. */
  private void assigned(Span branch, Set<String> names) {
    for (int i = branch.first(); i <= branch.last(); i++) {
      if (t.isIdentifier(i) && Variables.isAssigned(t, i) && !same.test(t.text(i))) {
        set(i, names);
      }
    }
  }

  private void set(int i, Set<String> names) {
    if (!isShared(i)) {
      names.add(variable(i));
    }
  }

  /** {@code __shared__ float scale;} has one value for all lanes. */
  private boolean isShared(int i) {
    int declared = types.declaration(i);
    if (declared < 0 || t.is(declared + 1, '[')) {
      return false;
    }
    return IntStream.range(Statements.start(t, declared), declared)
        .anyMatch(k -> t.is(k, "__shared__"));
  }

  /**
   * Adds what a statement, or a part of a header between semicolons, sets to such values.
   *
   * @return whether it contains such values
   */
  private boolean add(Span s, Set<String> names) {
    int first = t.is(s.first(), "for") ? s.first() + 2 : s.first();
    List<Integer> declared = Variables.declarators(t, first);
    boolean found = false;
    for (int i = s.first(); i <= s.last(); i++) {
      String text = t.text(i);
      boolean asm =
          t.kind(i) == Tokens.STRING && (text.contains("laneid") || text.contains("%tid"));
      boolean used = t.isIdentifier(i) && !same.test(text) && !declared.contains(i);
      found |= asm || isNamed(i) || (used && names.contains(variable(i)));
    }
    if (!found) {
      return false;
    }
    boolean asm = t.begins(s.first(), "asm") || t.begins(s.first(), "__asm");
    for (int i = s.first(); i <= s.last(); i++) {
      boolean set = declared.contains(i) || asm || Variables.isAssigned(t, i);
      if (t.isIdentifier(i) && set && !same.test(t.text(i))) {
        set(i, names);
      }
    }
    return true;
  }
}
