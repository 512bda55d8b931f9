package dev.rocport.lang.cuda.pass;

import dev.rocport.lang.cuda.lex.Tokens;

/** Detects device code and uses of the built-in variables that nvcc declares implicitly. */
public final class DeviceUse {
  private static final String[] WORDS = {
    "__global__",
    "__device__",
    "__shared__",
    "__constant__",
    "__managed__",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "__syncthreads",
    "__launch_bounds__",
    "dim3",
    "__host__"
  };

  private DeviceUse() {}

  public static void run(CudaFile f) {
    if (f.needsRuntime) {
      return;
    }
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || t.end(i) - t.start(i) < 4) {
        continue;
      }
      byte c = f.source.bytes()[t.start(i)];
      if (c == '_' || c == 't' || c == 'b' || c == 'g' || c == 'd') {
        for (String w : WORDS) {
          if (t.is(i, w)) {
            f.needsRuntime = true;
            return;
          }
        }
      }
    }
  }
}
