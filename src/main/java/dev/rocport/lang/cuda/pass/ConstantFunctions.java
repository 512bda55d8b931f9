package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Ports {@code constexpr} functions of the device that always read the place of a thread, and those
 * that return handles of MPI. They are never constant, so clang rejects them; {@code inline} means
 * the same.
 */
final class ConstantFunctions {
  static final String RULE = "CXX-CONSTEXPR-INDEX";
  static final String MPI = "CXX-CONSTEXPR-MPI";

  private static final Pattern HANDLE = Pattern.compile("MPI_[A-Z0-9_]+");

  private static final Set<String> INDICES = Set.of("threadIdx", "blockIdx", "blockDim", "gridDim");
  private static final Set<String> INLINE =
      Set.of("inline", "__inline__", "__forceinline__", "__noinline__");

  /** What may skip the code after it. */
  private static final Set<String> BRANCHES =
      Set.of("if", "for", "while", "do", "switch", "try", "return", "?", "&", "|", "[");

  private ConstantFunctions() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (!f.isC() && t.mentions("constexpr")) {
      if (t.mentions(INDICES)) {
        places(f, t);
      }
      if (t.mentions("MPI_Datatype") && f.changes.allows(MPI)) {
        handles(f, t);
      }
    }
  }

  /** Ports functions that return predefined handles, which are addresses in some MPI libraries. */
  private static void handles(CudaFile f, Tokens t) {
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "constexpr") && t.is(i + 1, "MPI_Datatype") && !t.inDirective(i)) {
        int parameters = parameters(t, i);
        int body = parameters < 0 ? -1 : body(t, t.match(parameters));
        if (body < 0 || f.regions.isDead(i) || !returnsHandles(t, body)) {
          continue;
        }
        int first = Statements.definitionStart(t, body);
        boolean special = t.is(first, "template") && t.is(first + 2, '>');
        boolean alone =
            !t.is(first, "template") && !isDeclared(t, t.text(parameters - 1), parameters);
        if (first <= i && (special || alone)) {
          replace(f, i, first, parameters, MPI);
        }
      }
    }
  }

  /** Whether a body returns nothing but handles: one for each branch of its only return. */
  private static boolean returnsHandles(Tokens t, int open) {
    int returns = 0;
    int handles = 0;
    int branches = 0;
    for (int i = open + 1; i < t.match(open); i++) {
      if (t.is(i, "static_assert") && t.is(i + 1, '(')) {
        i = t.match(i + 1);
      }
      returns += t.is(i, "return") ? 1 : 0;
      branches += t.is(i, '?') ? 1 : 0;
      handles += t.isIdentifier(i) && HANDLE.matcher(t.text(i)).matches() ? 1 : 0;
      if (t.is(i, "if") || t.is(i, '{')) {
        return false;
      }
    }
    return returns == 1 && handles == branches + 1;
  }

  private static void places(CudaFile f, Tokens t) {
    Set<String> variable = new HashSet<>(INDICES);
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "constexpr") && !t.inDirective(i) && !f.regions.isDead(i)) {
        int parameters = parameters(t, i);
        int body = parameters < 0 ? -1 : body(t, t.match(parameters));
        if (body < 0 || t.match(body) < 0) {
          continue;
        }
        int first = Statements.definitionStart(t, body);
        boolean device = first <= i && EnclosingFunction.isDevice(t, first, body);
        String name = t.text(parameters - 1);
        if (device
            && !t.is(first, "template")
            && reads(t, body, without(variable, t, parameters))
            && !isDeclared(t, name, parameters)
            && f.changes.allows(RULE)) {
          variable.add(name);
          replace(f, i, first, parameters, RULE);
        }
      }
    }
  }

  /** The parenthesis after the name of a function, or -1. */
  private static int parameters(Tokens t, int from) {
    int i = from + 1;
    while (t.isIdentifier(i) || t.isPair(i, ':') || t.is(i, '*') || t.is(i, '&')) {
      i++;
    }
    return t.is(i, '(') && t.isIdentifier(i - 1) && i - 1 > from && t.match(i) > i ? i : -1;
  }

  /** The brace after the parameters, or -1. */
  private static int body(Tokens t, int close) {
    int i = close + 1;
    while (t.isIdentifier(i) || t.isPair(i, '-') || t.isPair(i, ':') || t.is(i, '*')) {
      i++;
    }
    return t.is(i, '{') ? i : -1;
  }

  /** Whether each call reads one of the names. */
  private static boolean reads(Tokens t, int open, Set<String> names) {
    boolean returns = false;
    for (int i = open + 1; i < t.match(open); i++) {
      boolean starts = t.is(i, "return");
      if (t.isIdentifier(i)
          && names.contains(t.text(i))
          && !t.is(i - 1, '.')
          && !t.isPair(i - 1, '-')) {
        return !t.isIdentifier(i - 1) || t.is(i - 1, "return"); // else a variable of its own
      }
      if ((returns && t.is(i, ';')) || (!starts && BRANCHES.contains(t.text(i)))) {
        return false;
      }
      returns |= starts;
    }
    return false;
  }

  /** The names without those of parameters. */
  private static Set<String> without(Set<String> names, Tokens t, int parameters) {
    Set<String> left = new HashSet<>(names);
    for (int i = parameters; i < t.match(parameters); i++) {
      left.remove(t.text(i));
    }
    return left;
  }

  /** Whether the file has another function of the name. */
  private static boolean isDeclared(Tokens t, String name, int parameters) {
    for (int i = 1; i < t.count(); i++) {
      boolean head = t.is(i, '(') && i != parameters && t.is(i - 1, name);
      if (head && t.isIdentifier(i - 2) && !t.is(i - 2, "return") && !t.is(i - 2, "else")) {
        return true;
      }
    }
    return false;
  }

  private static void replace(CudaFile f, int i, int first, int parameters, String rule) {
    Tokens t = f.t;
    boolean inline = false;
    for (int k = first; k < parameters; k++) {
      inline |= INLINE.contains(t.text(k));
    }
    f.changes.edit(
        inline
            ? Edit.delete(t.start(i), t.start(i + 1), rule)
            : Edit.replace(t.start(i), t.end(i), "inline", rule));
  }
}
