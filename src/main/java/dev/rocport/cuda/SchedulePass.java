package dev.rocport.cuda;

import dev.rocport.tree.SyntaxTree;
import dev.rocport.warp.schedule.ScheduleAnalysis;

/** Hands files with words of locks, barriers and warp functions to their analysis. */
final class SchedulePass {
  private SchedulePass() {}

  static void run(CudaFile f) {
    if (ScheduleAnalysis.rules().stream().noneMatch(f.changes::allows) || !hints(f.t)) {
      return;
    }
    SyntaxTree tree = f.tree();
    if (tree != null) {
      ScheduleAnalysis.run(tree, f.changes, f.shims);
    }
  }

  private static boolean hints(Tokens t) {
    for (int i = 0; i < t.count(); i++) {
      if (t.isIdentifier(i) && t.end(i) - t.start(i) > 5 && hints(t, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hints(Tokens t, int i) {
    for (String word : ScheduleAnalysis.words()) {
      if (t.is(i, word)) {
        return true;
      }
    }
    return false;
  }
}
