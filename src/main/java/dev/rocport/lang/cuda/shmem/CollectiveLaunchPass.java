package dev.rocport.lang.cuda.shmem;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.List;

/**
 * Ports launches of kernels whose blocks synchronize with blocks of other PEs. rocSHMEM has no such
 * launch; the HIP cooperative launch provides what these kernels need, that all of their blocks run
 * at once, and takes the same arguments.
 */
public final class CollectiveLaunchPass {
  static final String RULE = "SHMEM-LAUNCH";
  static final String NAME = "nvshmemx_collective_launch";

  private CollectiveLaunchPass() {}

  public static void run(CudaFile f) {
    if (!f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.is(i, NAME) && f.t.is(i + 1, '(') && !f.isQualified(i) && !f.isOwn(NAME, i)) {
        launch(f, i);
      }
    }
  }

  private static void launch(CudaFile f, int i) {
    Tokens t = f.t;
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    if (arguments.size() != 6) {
      return; // the row of the table reports it
    }
    String grid = t.text(arguments.get(1).first(), arguments.get(1).last());
    if (grid.equals("0") || grid.matches("dim3\\s*\\(\\s*0\\s*\\)")) {
      f.dropped.add(i);
      f.changes.finding(
          RULE,
          Severity.ERROR,
          Disposition.UNPORTED,
          t.start(i),
          t.end(t.match(i + 1)),
          "a grid of 0 asks NVSHMEM for as many blocks as fit; HIP does not have this launch mode",
          "Compute the number of blocks: hipOccupancyMaxActiveBlocksPerMultiprocessor times the"
              + " number of compute units.");
      return;
    }
    f.dropped.add(i);
    f.needsRuntime = true;
    boolean one = grid.equals("1") || grid.matches("dim3\\s*\\(\\s*1\\s*(,\\s*1\\s*){0,2}\\)");
    String target = one ? "hipLaunchKernel" : "hipLaunchCooperativeKernel";
    f.changes.edit(Edit.replace(t.start(i), t.end(i), target, RULE));
    f.changes.finding(
        RULE, Disposition.PORTED, t.start(i), t.end(t.match(i + 1)), NAME + " becomes " + target);
  }
}
