package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.BuiltInText;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reports routines of the cuBLAS interface without handles, {@code cublas.h}, by their numbers of
 * arguments: {@code cuda/legacy_blas.tsv}. Those with a handle have more.
 */
public final class LegacyBlasPass {
  static final String RULE = "BLAS-LEGACY";

  private static final Map<String, Integer> ARGUMENTS =
      BuiltInText.table("cuda/legacy_blas.tsv", "routine\targuments").rows().stream()
          .collect(Collectors.toMap(r -> r.cell(0), r -> Integer.valueOf(r.cell(1))));

  /** The types of elements and results, and the routine. */
  private static final Pattern ROUTINE =
      Pattern.compile(
          "cublas(?:[SDCZ]|Sc|Dz|Cs|Zd|Is|Id|Ic|Iz)(" + String.join("|", ARGUMENTS.keySet()) + ")");

  private LegacyBlasPass() {}

  public static void run(CudaFile f) {
    if (!f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.begins(i, "cublas") && f.t.is(i + 1, '(') && isLegacy(f, i)) {
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            f.t.start(i),
            f.t.end(i),
            f.t.text(i)
                + " takes no handle, but the hipBLAS function takes one as its first argument");
      }
    }
  }

  private static boolean isLegacy(CudaFile f, int i) {
    String name = f.t.text(i);
    Matcher m = ROUTINE.matcher(name);
    return m.matches()
        && Arguments.of(f.t, i + 1).size() == ARGUMENTS.getOrDefault(m.group(1), -1)
        && f.api.find(f.t, i) != null
        && !f.isQualified(i)
        && !f.isOwn(name, i)
        && !f.regions.isDead(i);
  }
}
