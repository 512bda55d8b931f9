package dev.rocport.lang.cuda.warp;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The wmma fragments of a file: their objects by name, and their numbers of elements. */
final class Fragments {
  private static final Set<String> COUNTS = Set.of("num_elements", "num_storage_elements");

  /** Types of numbers and of vectors, whose objects may have the names of fragments elsewhere. */
  private static final Pattern NUMBER =
      Pattern.compile("(?:unsigned|u?(?:char|short|int|long|longlong)|float|double|half)[1-4]?");

  private final Tokens t;
  private final VariableTypes types;

  /** Other names of the type; true for those of accumulators. */
  private final Map<String, Boolean> aliases = new HashMap<>();

  /** Whether an object is an accumulator, by the token of its name where it is declared. */
  private final Map<Integer, Boolean> declared = new HashMap<>();

  private final Set<String> accumulators = new HashSet<>();

  /** Names of objects that are not accumulators. */
  private final Set<String> others = new HashSet<>();

  /** Variables that are only set to the number of elements. */
  private final Set<String> counts = new HashSet<>();

  /** Classes of the file that inherit from no other. */
  private final Set<String> classes = new HashSet<>();

  Fragments(Tokens t) {
    this.t = t;
    this.types = new VariableTypes(t);
    for (int i = 0; i < t.count(); i++) {
      boolean template = t.is(i, "fragment") && t.is(i + 1, '<');
      if (template || aliases.containsKey(t.text(i))) {
        type(i);
      } else if (t.is(i, "auto")) {
        copy(i);
      } else if (t.is(i, "class") || t.is(i, "struct") || t.is(i, "union")) {
        if (t.is(i + 2, '{')) {
          classes.add(t.text(i + 1));
        }
      }
    }
    counts();
  }

  boolean isName(String name) {
    return accumulators.contains(name) || others.contains(name);
  }

  /** True if the object that ends at a token, {@code f} or {@code f[i]}, is a fragment. */
  boolean isObject(int last) {
    return isName(name(last)) && !isOther(last);
  }

  /** The same for accumulators. */
  boolean isAccumulator(int last) {
    String name = name(last);
    boolean all = accumulators.contains(name) && !others.contains(name);
    return declared.getOrDefault(types.declaration(last), all);
  }

  /** True if the object that ends at a token is no fragment, as its declaration shows. */
  boolean isOther(int last) {
    String type = types.ofPointed(last);
    return classes.contains(type) || NUMBER.matcher(type).matches();
  }

  /** True for {@code f.num_elements} and for a variable that is set to it. */
  boolean isCount(Span s) {
    int last = s.last();
    boolean cast =
        t.is(last, ')') && (t.is(s.first(), "static_cast") || t.match(last) == s.first());
    if (cast) {
      return isCount(new Span(t.match(last) + 1, last - 1));
    }
    if (s.first() == last && counts.contains(t.text(last))) {
      return true;
    }
    if (!COUNTS.contains(t.text(Math.max(0, last)))) {
      return false;
    }
    int k = last - 1;
    while (k >= s.first()) {
      int partner = t.is(k, '>') ? Angles.open(t, k) : t.match(k);
      boolean name = t.isIdentifier(k) || t.is(k, '.') || t.isPair(k, '-') || t.isPair(k, ':');
      if (!name && (partner < s.first() || partner > k)) {
        return false;
      }
      k = name ? k - 1 : partner - 1;
    }
    return true;
  }

  /** The type at a token: a further name for it, or the objects that are declared. */
  private void type(int i) {
    int close = t.is(i + 1, '<') ? closed(i + 1) : i;
    boolean sums = aliases.getOrDefault(t.text(i), false);
    for (int k = i; k < close; k++) {
      sums |= t.is(k, "accumulator");
    }
    int before = i - 1;
    while (t.isPair(before, ':') || (t.isIdentifier(before) && !t.is(before, "using"))) {
      before--;
    }
    int name = close + 1;
    if (close < 0) {
      return;
    }
    if (t.is(before, '=') && t.is(before - 2, "using")) {
      aliases.put(t.text(before - 1), sums);
      return;
    }
    if (t.is(Statements.start(t, i), "typedef") && t.is(name + 1, ';')) {
      aliases.put(t.text(name), sums);
      return;
    }
    while (t.is(name, '&') || t.is(name, '*') || t.is(name, '(') || t.is(name, "const")) {
      name++;
    }
    while (name > 0 && t.isIdentifier(name)) {
      declare(name, sums);
      name = next(name);
    }
  }

  private void declare(int name, boolean sums) {
    declared.put(name, sums);
    (sums ? accumulators : others).add(t.text(name));
  }

  private String name(int last) {
    int i = last;
    while (t.is(i, ']')) {
      i = t.match(i) - 1;
    }
    return t.isIdentifier(i) ? t.text(i) : "";
  }

  /** {@code auto &f = fragments[i]} and {@code for (auto &f : fragments)}. */
  private void copy(int auto) {
    int name = auto + 1;
    while (t.is(name, '&') || t.is(name, '*') || t.is(name, "const")) {
      name++;
    }
    int from = t.is(name + 2, '&') ? name + 3 : name + 2;
    boolean copied = t.is(name + 1, '=') || t.is(name + 1, ':');
    if (copied && isObject(from)) {
      declare(name, isAccumulator(from));
    }
  }

  /** The next name of a declaration {@code f[2], g;}, or -1. */
  private int next(int name) {
    int k = name + 1;
    while (t.is(k, '[')) {
      k = t.match(k) + 1;
    }
    boolean more = t.is(k, ',') && (t.is(k + 2, ',') || t.is(k + 2, ';') || t.is(k + 2, '['));
    return more ? k + 1 : -1;
  }

  /** The token that closes the template bracket, whose arguments hold no comparisons. */
  private int closed(int open) {
    int depth = 0;
    for (int k = open; k < t.count() && !t.is(k, ';') && !t.is(k, '{'); k++) {
      depth += t.is(k, '<') ? 1 : t.is(k, '>') ? -1 : 0;
      if (depth == 0) {
        return k;
      }
    }
    return -1;
  }

  private void counts() {
    Set<String> changed = new HashSet<>();
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !Variables.isAssigned(t, i)) {
        continue;
      }
      int end = Statements.expressionEnd(t, i + 2);
      boolean set = t.is(i + 1, '=') && end > i + 2 && isCount(new Span(i + 2, end - 1));
      (set ? counts : changed).add(t.text(i));
    }
    counts.removeAll(changed);
  }
}
