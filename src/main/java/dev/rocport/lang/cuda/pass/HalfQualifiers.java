package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Ports {@code ::hexp(x)}: HIP declares functions of half in an unnamed namespace, and those of
 * bfloat16 outside it, so a name with {@code ::} means those of bfloat16 alone.
 */
final class HalfQualifiers {
  static final String RULE = "HALF-GLOBAL";

  private static final Pattern NAME =
      Pattern.compile(
          "h2?(exp|log)(2|10)?|h2?(r?sqrt|sin|cos|rcp|ceil|floor|rint|trunc)"
              + "|__h(fma|div|neg|abs|max|min)2?|__h(add|sub|mul)2?"
              + "|__h(eq|ne|lt|le|gt|ge)u?2?|__hisnan2?|__hisinf");

  private HalfQualifiers() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.isC() || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 1; i < t.count(); i++) {
      boolean global = t.isPair(i - 1, ':') && t.is(i + 1, '(') && !Scopes.isMember(t, i);
      if (global
          && NAME.matcher(t.text(i)).matches()
          && !isOwn(t, t.text(i))
          && !f.project.hasOwn(t.text(i))
          && !f.regions.isDead(i)) {
        f.changes.edit(Edit.delete(t.start(i - 1), t.end(i - 1), RULE));
      }
    }
  }

  /** Whether this file has the name without {@code ::}, so that it may be its own function. */
  private static boolean isOwn(Tokens t, String name) {
    return IntStream.range(0, t.count())
        .anyMatch(k -> t.is(k, name) && t.is(k + 1, '(') && !t.isPair(k - 1, ':'));
  }
}
