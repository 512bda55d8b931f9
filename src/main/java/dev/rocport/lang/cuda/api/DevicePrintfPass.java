package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;

/** Makes {@code std::printf} in device code the global function, which HIP has there. */
public final class DevicePrintfPass {
  static final String RULE = "DEVICE-PRINTF";

  private DevicePrintfPass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    if (!t.mentions("printf") || !t.mentions("std") || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i + 2 < t.count(); i++) {
      boolean qualified = t.is(i, "std") && t.isPair(i + 1, ':') && t.is(i + 2, "printf");
      if (qualified && !Scopes.isMember(t, i) && f.isInDeviceFunction(i)) {
        int from = t.isPair(i - 1, ':') ? t.start(i - 1) : t.start(i);
        f.changes.edit(Edit.delete(from, t.end(i), RULE));
      }
    }
  }
}
