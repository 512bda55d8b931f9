package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.SharedNames;
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

  /** Reports the call of a function, if it registers memory. */
  void note(int name) {
    if (!asks && CALLS.contains(t.text(name)) && t.is(name + 1, '(') && !f.regions.isDead(name)) {
      f.changes.finding(
          RULE,
          Disposition.REVIEW,
          t.start(name),
          t.end(name),
          t.text(name)
              + ": kernels must not use the host address of this memory, and the project never asks"
              + " for its device address");
    }
  }
}
