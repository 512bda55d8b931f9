package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.SharedNames;
import dev.rocport.rules.ApiName;
import java.util.Set;

/** Reports registered host memory in projects that never ask for its device address. */
final class RegisteredMemory {
  private static final String RULE = "HOST-REGISTERED";

  private static final Set<String> CALLS =
      Set.of("cudaHostRegister", "cuMemHostRegister", "cuMemHostRegister_v2");

  private final CudaFile f;
  private final Tokens t;
  private final boolean asks;

  RegisteredMemory(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.asks =
        f.project.shared().contains(SharedNames.DEVICE_ADDRESS)
            || t.mentions(SharedNames.DEVICE_ADDRESSES);
  }

  /** Reports the call of a function at a token, if it registers memory. */
  void note(ApiName name, int i) {
    if (!asks && CALLS.contains(name.cuda()) && t.is(i + 1, '(') && !f.regions.isDead(i)) {
      f.changes.finding(
          RULE,
          Disposition.REVIEW,
          t.start(i),
          t.end(i),
          name.cuda()
              + ": kernels must not use the host address of this memory, and the project never asks"
              + " for its device address");
    }
  }
}
