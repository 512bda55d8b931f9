package dev.rocport.lang.cuda.pass;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Pattern;

/** Reports project code for 64-lane waves in HIP branches, which stays unchanged. */
public final class HipWarpPass {
  public static final String RULE = "W64-OWN-HIP";
  private static final Pattern WIDTH = Pattern.compile("(?i).*(?:warp|wave).*");

  private HipWarpPass() {}

  public static void run(CudaFile f) {
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.kind(i) == Tokens.NUMBER && f.t.is(i, "64") && f.regions.isForHip(i)) {
        width(f, i);
      }
    }
  }

  /** In {@code #define WARP_SIZE 64} and {@code constexpr int kWarp = 64;}. */
  private static void width(CudaFile f, int i) {
    Tokens t = f.t;
    int line = f.source.line(t.start(i));
    for (int k = i - 1; k >= 0 && f.source.line(t.start(k)) == line; k--) {
      if (t.isIdentifier(k) && WIDTH.matcher(t.text(k)).matches()) {
        f.changes.finding(
            RULE,
            Disposition.REVIEW,
            t.start(k),
            t.end(i),
            t.text(k)
                + " is 64 in a HIP branch; outside such branches, warp functions keep 32"
                + " lanes");
        return;
      }
    }
  }

  /** True if the name at token {@code i} means HIP's own, over all lanes of the wave. */
  public static boolean isOwn(CudaFile f, int i, String rule) {
    return rule.startsWith("W64-") && f.regions.isForHip(i);
  }

  public static void tell(CudaFile f, int i) {
    if (!f.regions.isDead(i)) {
      f.changes.finding(
          RULE,
          Disposition.REVIEW,
          f.t.start(i),
          f.t.end(i),
          f.t.text(i) + " in a HIP branch is the HIP function, which covers all lanes of the wave");
    }
  }
}
