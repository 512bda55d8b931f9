package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Tokens;

/**
 * Deletes a backslash before a comment at the end of a line. nvcc preprocesses a source and reads
 * the result, in which the backslash ends its line and so joins two; clang rejects the character.
 */
final class StrayBackslashes {
  static final String RULE = "CXX-STRAY-BACKSLASH";

  private StrayBackslashes() {}

  static void run(CudaFile f) {
    if (!f.isCudaSource()) {
      return;
    }
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, '\\')
          && !t.inDirective(i)
          && isBeforeComment(f.source.bytes(), t.end(i))
          && !f.regions.isDead(i)
          && f.changes.allows(RULE)) {
        f.changes.edit(Edit.delete(t.start(i), t.end(i), RULE));
      }
    }
  }

  private static boolean isBeforeComment(byte[] bytes, int from) {
    int i = from;
    while (i < bytes.length && (bytes[i] == ' ' || bytes[i] == '\t')) {
      i++;
    }
    return i + 1 < bytes.length && bytes[i] == '/' && bytes[i + 1] == '/';
  }
}
