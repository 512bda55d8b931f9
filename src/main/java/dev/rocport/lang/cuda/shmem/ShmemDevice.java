package dev.rocport.lang.cuda.shmem;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions;
import java.util.OptionalInt;

/**
 * Finds programs that select their GPU after they initialize NVSHMEM, by their rank among the PEs
 * of the node: rocSHMEM allocates its heap on the GPU that is current during initialization.
 */
final class ShmemDevice {
  static final String RULE = "SHMEM-DEVICE";

  private ShmemDevice() {}

  /** Looks at the function around the call at token {@code i}. */
  static void check(CudaFile f, int i) {
    Tokens t = f.t;
    for (Functions.Function function : Functions.of(t)) {
      if (function.body() < i && i < function.close() && !f.regions.isDead(i)) {
        OptionalInt before = choice(t, function.body(), i);
        OptionalInt behind = choice(t, i, function.close());
        if (before.isEmpty() && behind.isPresent()) {
          int at = behind.getAsInt();
          f.changes.finding(
              RULE,
              Disposition.UNPORTED,
              t.start(at),
              t.end(at),
              t.text(at)
                  + " comes after "
                  + t.text(i)
                  + ": by then, rocSHMEM has placed its heap on a GPU");
        }
      }
    }
  }

  private static OptionalInt choice(Tokens t, int from, int to) {
    for (int k = from; k < to; k++) {
      if (t.is(k, "cudaSetDevice") && t.is(k + 1, '(')) {
        return OptionalInt.of(k);
      }
    }
    return OptionalInt.empty();
  }
}
