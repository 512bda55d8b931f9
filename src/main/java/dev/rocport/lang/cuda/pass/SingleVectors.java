package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Pattern;

/** Ports {@code uint1 x = {n}}: the constructor of a vector of one element is explicit in HIP. */
final class SingleVectors {
  static final String RULE = "VEC-SINGLE-BRACES";

  private static final Pattern TYPE =
      Pattern.compile("u?(char|short|int|long|longlong)1|float1|double1");

  private SingleVectors() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.isC() || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 2; i < t.count(); i++) {
      boolean braces = t.is(i, '=') && t.is(i + 1, '{') && t.is(t.match(i + 1) + 1, ';');
      if (braces
          && t.isIdentifier(i - 1)
          && TYPE.matcher(t.text(i - 2)).matches()
          && t.match(i + 1) > i + 2
          && !t.inDirective(i)
          && !f.regions.isDead(i)) {
        f.changes.edit(Edit.delete(t.start(i), t.start(i + 1), RULE));
      }
    }
  }
}
