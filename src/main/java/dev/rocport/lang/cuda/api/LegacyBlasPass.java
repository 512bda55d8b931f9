package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.regex.Pattern;

/** Reports routines of the cuBLAS interface without handles, {@code cublas.h}. */
public final class LegacyBlasPass {
  static final String RULE = "BLAS-LEGACY";
  private static final Pattern ROUTINE =
      Pattern.compile("cublas(?:[SDCZ]|Sc|Dz|Cs|Zd|Is|Id|Ic|Iz)[a-z0-9]+");

  private LegacyBlasPass() {}

  public static void run(CudaFile f) {
    boolean legacy =
        f.t.directives().stream()
            .filter(Directive::isInclude)
            .anyMatch(d -> f.t.included(d).equals("cublas.h"));
    if (!legacy || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < f.t.count(); i++) {
      boolean call = f.t.isIdentifier(i) && f.t.is(i + 1, '(') && !f.isQualified(i);
      if (call && ROUTINE.matcher(f.t.text(i)).matches() && isReported(f, i)) {
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            f.t.start(i),
            f.t.end(i),
            f.t.text(i) + " has no handle, which hipBLAS takes as the first argument");
      }
    }
  }

  private static boolean isReported(CudaFile f, int i) {
    return f.api.find(f.t, i) != null && !f.isOwn(f.t.text(i), i) && !f.regions.isDead(i);
  }
}
