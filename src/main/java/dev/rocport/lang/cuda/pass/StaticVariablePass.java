package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.lang.cuda.symbols.SharedNames;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ports variables of the device with internal linkage whose names the host does not find: in
 * relocatable device code, where clang 19 chooses the name at the first use and chooses another one
 * if the host uses the variable later, and in modules, where clang keeps them local.
 */
public final class StaticVariablePass {
  static final String RULE = "CXX-STATIC-DEVICE";
  static final String MODULE = "CXX-STATIC-MODULE";

  /** What is around a declaration. A member of a class has external linkage, static or not. */
  private enum Around {
    NAMESPACE,
    ANONYMOUS_NAMESPACE,
    CLASS,
    UNKNOWN
  }

  private StaticVariablePass() {}

  public static void run(CudaFile f) {
    boolean relocatable = f.project.isRelocatable() && f.changes.allows(RULE);
    if (!relocatable && f.project.shared().isEmpty()) {
      return;
    }
    for (int i = 0; i < f.t.count(); i++) {
      if (isSpace(f.t, i) && !f.regions.isDead(i)) {
        declaration(f, i, relocatable);
      }
    }
  }

  /** Ports a declaration, at the first word for a memory space in it. */
  private static void declaration(CudaFile f, int space, boolean relocatable) {
    Tokens t = f.t;
    int first = start(t, space);
    int name = name(t, space);
    if (name < 0
        || IntStream.range(first, space).anyMatch(k -> isSpace(t, k))
        || EnclosingFunction.of(t, space) != null) {
      return;
    }
    Around around = around(t, first);
    boolean named = has(t, first, name, "static");
    boolean anonymous = around == Around.ANONYMOUS_NAMESPACE && !has(t, first, name, "extern");
    if (around == Around.CLASS || !(named || anonymous)) {
      return;
    }
    int end = t.inDirective(name) ? name + 1 : name;
    while (end < t.count() && !t.inDirective(name) && !t.is(end, ';')) {
      end = t.after(end);
    }
    List<Arguments.Span> variables = Arguments.between(t, name, end);
    boolean usable =
        variables.size() == 1
            && around != Around.UNKNOWN
            && t.is(end, ';')
            && !t.is(first, "template")
            && !t.isPair(name - 1, ':')
            && IntStream.range(first, end).noneMatch(t::inDirective);
    for (Arguments.Span variable : variables) {
      int at = declared(t, variable);
      if (relocatable && at >= 0 && isDeviceFirst(f, at)) {
        hostUse(f, at, usable ? end : -1);
      }
      if (at >= 0 && named && f.project.shared().contains(SharedNames.global(t.text(at)))) {
        f.changes.finding(
            MODULE,
            Disposition.UNPORTED,
            t.start(at),
            t.end(at),
            "hipModuleGetGlobal does not find " + t.text(at) + ", because it is static");
      }
    }
  }

  /**
   * Adds a host function that uses a variable, so that clang names it before a kernel uses it.
   *
   * @param end the end of the declaration, or -1 where no function can be added
   */
  private static void hostUse(CudaFile f, int name, int end) {
    Tokens t = f.t;
    String variable = t.text(name);
    if (end >= 0) {
      String function =
          " __attribute__((unused)) static inline decltype(&%1$s) rocport_use_%1$s() { return &%1$s; }"
              .formatted(variable);
      f.changes.edit(Edit.after(t.end(end), function, RULE));
      return;
    }
    f.changes.finding(
        RULE,
        Disposition.REVIEW,
        t.start(name),
        t.end(name),
        "variable "
            + variable
            + " of relocatable device code has internal linkage: a kernel uses it before host code"
            + " does, so clang 19 gives it two names and the program does not link");
  }

  private static boolean isSpace(Tokens t, int i) {
    return t.is(i, "__device__") || t.is(i, "__constant__") || t.is(i, "__managed__");
  }

  private static boolean has(Tokens t, int from, int to, String word) {
    return IntStream.range(from, to).anyMatch(k -> t.is(k, word));
  }

  /** The first token of a declaration; in a directive, no token before it. */
  private static int start(Tokens t, int i) {
    int first = i;
    while (first > 0
        && t.directiveOf(first - 1) == t.directiveOf(i)
        && !t.is(first - 1, ';')
        && !t.is(first - 1, '{')
        && !t.is(first - 1, '}')) {
      first--;
    }
    return first;
  }

  private static Around around(Tokens t, int first) {
    Around around = Around.NAMESPACE;
    for (int k = first - 1; k >= 0; k = t.before(k)) {
      if (!t.is(k, '{')) {
        continue;
      }
      int head = Statements.definitionStart(t, k);
      if (has(t, head, k, "class") || has(t, head, k, "struct") || has(t, head, k, "union")) {
        return Around.CLASS;
      }
      if (!has(t, head, k, "namespace") && !t.is(k - 2, "extern")) {
        around = Around.UNKNOWN;
      } else if (t.is(k - 1, "namespace") && around == Around.NAMESPACE) {
        around = Around.ANONYMOUS_NAMESPACE;
      }
    }
    return around;
  }

  /** The first name that a declaration of variables declares behind a memory space, or -1. */
  private static int name(Tokens t, int space) {
    int directive = t.directiveOf(space);
    for (int i = space + 1; i + 1 < t.count() && t.directiveOf(i) == directive; i++) {
      if (t.is(i, '<')) {
        i = closing(t, i);
      }
      if (t.is(i, '(') || t.is(i, ';') || t.is(i, '{') || t.is(i, '}')) {
        return -1;
      }
      boolean ends =
          t.is(i + 1, ';')
              || t.is(i + 1, '[')
              || t.is(i + 1, '=')
              || t.is(i + 1, ',')
              || (t.is(i + 1, '{') && t.is(t.after(i + 1), ';'));
      if (ends && t.isIdentifier(i)) {
        return i;
      }
    }
    return -1;
  }

  /** The bracket that closes the template arguments of a type, or the end of the declaration. */
  private static int closing(Tokens t, int open) {
    int i = open + 1;
    while (i < t.count() && !t.is(i, ';') && !(t.is(i, '>') && Angles.open(t, i) == open)) {
      i++;
    }
    return i;
  }

  /** The name in one of the declarators, or -1. */
  private static int declared(Tokens t, Arguments.Span variable) {
    return IntStream.rangeClosed(variable.first(), variable.last())
        .filter(k -> t.isIdentifier(k) && !t.is(k, "const"))
        .filter(k -> variable.first() == variable.last() || !t.inDirective(k))
        .findFirst()
        .orElse(-1);
  }

  /** True if device code has the first use, and host code has one, too. */
  private static boolean isDeviceFirst(CudaFile f, int name) {
    Tokens t = f.t;
    boolean device = false;
    for (int i = name + 1; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !t.is(i, t.text(name)) || f.regions.isDead(i)) {
        continue;
      }
      EnclosingFunction function = EnclosingFunction.of(t, i);
      if (function == null) {
        return device;
      }
      device = true;
    }
    return false;
  }
}
