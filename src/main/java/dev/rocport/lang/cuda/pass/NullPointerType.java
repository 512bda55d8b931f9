package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Tokens;

/** Ports {@code nullptr_t} without {@code std::}, which gcc has and clang has not. */
final class NullPointerType {
  static final String RULE = "CXX-NULLPTR-TYPE";

  private static final String NAME = "nullptr_t";

  private NullPointerType() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.isC() || !t.mentions(NAME) || !f.mayBelongToCuda() || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, NAME) && isDeclared(t, i)) {
        return;
      }
    }
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, NAME) && !t.inDirective(i) && !t.isPair(i - 1, ':') && !f.regions.isDead(i)) {
        f.changes.edit(Edit.replace(t.start(i), t.end(i), "decltype(nullptr)", RULE));
      }
    }
  }

  /** Whether the name is one that this file declares or makes visible. */
  private static boolean isDeclared(Tokens t, int i) {
    int first = i;
    while (t.isPair(first - 1, ':') || t.is(first - 1, "std")) {
      first--;
    }
    boolean named =
        t.is(first - 1, "using") || t.is(first - 1, "struct") || t.is(first - 1, "class");
    return named || (t.is(i + 1, ';') && !t.isPair(i - 1, ':'));
  }
}
