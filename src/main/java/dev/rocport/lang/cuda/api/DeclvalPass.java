package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import java.util.Set;

/**
 * Includes {@code rocport/declval.h} where device code, or the type of a device function, names
 * {@code std::declval}: clang rejects functions of the host there, also where they are not called.
 * An alias counts, too, because device code may use it.
 */
public final class DeclvalPass {
  private static final String RULE = "DEVICE-DECLVAL";
  private static final String SHIM = "declval.h";
  private static final String NAME = "declval";
  private static final Set<String> DEVICE = Set.of("__device__", "__global__");
  private static final Set<String> HOST = Set.of("__host__");

  private DeclvalPass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.isC() || f.inString || !t.mentions(Set.of(NAME)) || !t.mentions(DEVICE)) {
      return;
    }
    for (int i = 0; i + 1 < t.count(); i++) {
      if (t.is(i, NAME)
          && t.is(i + 1, '<')
          && isOfLibrary(t, i)
          && !f.regions.isDead(i)
          && isForDevice(t, i)
          && f.changes.allows(RULE)) {
        f.shims.add(SHIM);
        f.changes.finding(
            RULE,
            Disposition.PORTED,
            t.start(i),
            t.end(i),
            "std::declval comes from rocport/declval.h, also in device code");
        return;
      }
    }
  }

  /** Whether a name has no qualifier other than {@code std}. */
  private static boolean isOfLibrary(Tokens t, int i) {
    boolean named = t.isPair(i - 1, ':') && t.is(i - 2, "std") && !t.isPair(i - 3, ':');
    return named || !(t.isPair(i - 1, ':') || t.is(i - 1, '.') || t.isPair(i - 1, '-'));
  }

  private static boolean isForDevice(Tokens t, int i) {
    EnclosingFunction function = t.inDirective(i) ? null : EnclosingFunction.of(t, i);
    if (function != null) {
      return !function.host();
    }
    int directive = t.directiveOf(i);
    int from = i;
    int to = i;
    if (directive >= 0) {
      Directive d = t.directives().get(directive);
      from = d.first();
      to = d.last();
    } else {
      while (from > 0 && !endsStatement(t, from - 1)) {
        from--;
      }
      while (to < t.count() && !endsStatement(t, to)) {
        to++;
      }
    }
    boolean alias = false;
    boolean device = false;
    for (int k = from; k < to; k++) {
      if (t.isIdentifier(k)) {
        alias |= k < i && t.is(k, "using");
        device |= DEVICE.contains(t.text(k));
        if (HOST.contains(t.text(k))) {
          return false;
        }
      }
    }
    return device || alias;
  }

  private static boolean endsStatement(Tokens t, int k) {
    return t.is(k, ';') || t.is(k, '{') || t.is(k, '}') || t.inDirective(k);
  }
}
