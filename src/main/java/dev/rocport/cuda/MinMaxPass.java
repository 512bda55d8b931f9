package dev.rocport.cuda;

import dev.rocport.report.Disposition;

/**
 * Calls of CUDA's own {@code min} and {@code max}: HIP's headers have them for {@code int} only in
 * host code, so that other types are converted without a word. The file gets {@code
 * rocport/min_max.h}.
 */
final class MinMaxPass {
  static final String RULE = "MIN-MAX";
  private static final String SHIM = "min_max.h";

  private MinMaxPass() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 0; i + 1 < t.count(); i++) {
      if (!t.is(i + 1, '(') || !(t.is(i, "min") || t.is(i, "max")) || !isCall(f, i)) {
        continue;
      }
      if (isDeviceSource(f) && f.changes.allows(RULE) && !definesMacro(t, t.text(i))) {
        f.shims.add(SHIM);
        f.changes.finding(
            RULE,
            Disposition.PORTED,
            t.start(i),
            t.end(i),
            t.text(i) + " gets CUDA's overloads from rocport/min_max.h");
        return;
      }
    }
  }

  private static boolean isCall(CudaFile f, int i) {
    Tokens t = f.t;
    boolean declared =
        t.isIdentifier(i - 1)
            && !t.is(i - 1, "return")
            && !t.is(i - 1, "else")
            && !t.is(i - 1, "case")
            && !t.is(i - 1, "do");
    boolean global = t.isPair(i - 1, ':') && !t.isIdentifier(i - 2) && !t.is(i - 2, '>');
    return !declared && (global || !f.isQualified(i)) && !f.regions.isDead(i);
  }

  /** Only nvcc, not the host's own compiler, sees CUDA's overloads. */
  private static boolean isDeviceSource(CudaFile f) {
    if (f.isCudaSource()) {
      return true;
    }
    boolean header = f.extension().startsWith("h") || f.extension().equals("inl");
    for (int i = 0; header && i < f.t.count(); i++) {
      if (f.t.is(i, "__device__") || f.t.is(i, "__global__")) {
        return true;
      }
    }
    return false;
  }

  private static boolean definesMacro(Tokens t, String name) {
    return t.directives().stream()
        .anyMatch(d -> d.name().equals("define") && t.is(d.body(), name));
  }
}
