package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Comments;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.List;

/**
 * Removes the shape of the thread block clusters of a kernel: {@code __cluster_dims__(2, 1, 1)},
 * and the third argument of {@code __launch_bounds__}. What a kernel does with its cluster has
 * findings of its own.
 */
public final class ClusterPass {
  static final String RULE = "LAUNCH-CLUSTER";

  private ClusterPass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 0; !f.isC() && i < t.count(); i++) {
      boolean shape = t.is(i, "__cluster_dims__");
      if ((!shape && !t.is(i, "__launch_bounds__"))
          || !t.is(i + 1, '(')
          || t.match(i + 1) < 0
          || f.isOwn(t.text(i))
          || !f.changes.allows(RULE)) {
        continue;
      }
      int close = t.match(i + 1);
      if (shape) {
        f.changes.edit(Edit.delete(t.start(i), Comments.behindBlanks(t, close), RULE));
      } else {
        List<Arguments.Span> bounds = Arguments.between(t, i + 2, close);
        if (bounds.size() != 3) {
          continue;
        }
        int kept = t.end(bounds.get(1).last());
        f.changes.edit(Edit.delete(kept, t.start(close), RULE));
      }
      f.changes.finding(
          RULE,
          Disposition.REVIEW,
          t.start(i),
          t.end(close),
          "the shape of thread block clusters is removed: AMD GPUs schedule each block on its own");
    }
  }
}
