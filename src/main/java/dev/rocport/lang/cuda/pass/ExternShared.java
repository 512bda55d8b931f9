package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.Variables;

/**
 * Ports {@code extern __shared__} arrays that have a size. nvcc defines a static array then, and
 * warns (20044); clang allows {@code extern} only for arrays without a size.
 */
final class ExternShared {
  static final String RULE = "CXX-SHARED-EXTERN";

  private ExternShared() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (!t.mentions("__shared__") || !t.mentions("extern") || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "__shared__") && !f.regions.isDead(i)) {
        variable(f, i);
      }
    }
  }

  private static void variable(CudaFile f, int shared) {
    Tokens t = f.t;
    int open = shared + 1;
    while (open < t.count() && !t.is(open, '[') && !t.is(open, ';') && !t.is(open, '=')) {
      open++;
    }
    int word = open;
    for (int i = Statements.start(t, shared); i < open; i++) {
      if (t.is(i, "extern") && t.directiveOf(i) == t.directiveOf(shared)) {
        word = i;
      }
    }
    boolean isSized = t.is(open, '[') && t.match(open) > open + 1 && t.isIdentifier(open - 1);
    if (word == open || !isSized) {
      return;
    }
    int end = Variables.objectEnd(t, open - 1) + 1;
    if (t.is(end, ';')) {
      f.changes.edit(Edit.delete(t.start(word), t.start(word + 1), RULE));
    } else {
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          t.start(word),
          t.end(end),
          "clang rejects extern for __shared__ arrays that have a size");
    }
  }
}
