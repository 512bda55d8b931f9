package dev.rocport.lang.cuda.pass;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.stream.IntStream;

/**
 * Ports code that nvcc and gcc accept and clang rejects: functions with the name of a function that
 * clang has without a header, and default arguments in the definition of a member of a class
 * template outside the class.
 */
public final class ClangPass {
  static final String BUILTIN = "CXX-CLANG-BUILTIN";
  static final String DEFAULT = "CXX-DEFAULT-PLACE";

  private static final String TIME_STAMP = "__rdtsc";

  private ClangPass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 1; i < t.count(); i++) {
      if (!t.is(i, '(') || !t.isIdentifier(i - 1) || t.inDirective(i)) {
        continue;
      }
      if (t.is(i - 1, TIME_STAMP)) {
        builtin(f, i);
      } else if (t.is(i - 3, '>') && t.isPair(i - 2, ':') && isTemplate(t, i)) {
        defaults(f, i);
      }
    }
  }

  /** Leaves out the definition of a function that clang has. */
  private static void builtin(CudaFile f, int open) {
    Tokens t = f.t;
    int body = bodyOf(t, open);
    boolean defined = t.isIdentifier(open - 2) && body > 0 && t.match(body) > 0;
    if (defined && !f.regions.isDead(open) && f.changes.allows(BUILTIN)) {
      HipGate.around(f, open - 1, t.match(body), "!defined(__clang__)", BUILTIN);
    }
  }

  /** Reports default arguments in a definition. */
  private static void defaults(CudaFile f, int open) {
    Tokens t = f.t;
    if (f.isC() || bodyOf(t, open) < 0 || f.regions.isDead(open) || !f.changes.allows(DEFAULT)) {
      return;
    }
    for (Arguments.Span parameter : Arguments.of(t, open)) {
      IntStream.rangeClosed(parameter.first(), parameter.last())
          .filter(k -> t.is(k, '='))
          .findFirst()
          .ifPresent(
              k ->
                  f.changes.finding(
                      DEFAULT,
                      Disposition.UNPORTED,
                      t.start(k),
                      t.end(parameter.last()),
                      "clang rejects default arguments in a definition outside the class"
                          + " template"));
    }
  }

  /** The brace of the body that follows the parameters, or -1. */
  private static int bodyOf(Tokens t, int open) {
    int i = t.match(open) + 1;
    while (t.is(i, "const") || t.is(i, "noexcept")) {
      i++;
    }
    return i > open && t.is(i, '{') ? i : -1;
  }

  /** Whether the definition begins with template parameters. */
  private static boolean isTemplate(Tokens t, int open) {
    int first = Statements.definitionStart(t, open);
    return t.is(first, "template") && t.is(first + 1, '<') && !t.is(first + 2, '>');
  }
}
