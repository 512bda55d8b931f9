package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.HipGate;
import java.util.Map;

/**
 * Leaves out declarations of {@code threadIdx} and the like, which repeat those of CUDA: in HIP,
 * these variables have types of their own.
 */
public final class BuiltinVariablePass {
  static final String RULE = "CXX-BUILTIN-VARIABLE";

  /** The variables, with their types in CUDA. */
  static final Map<String, String> TYPES =
      Map.of("threadIdx", "uint3", "blockIdx", "uint3", "blockDim", "dim3", "gridDim", "dim3");

  private BuiltinVariablePass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    if (!t.mentions("extern") || !t.mentions(TYPES.keySet())) {
      return;
    }
    for (int i = 2; i < t.count(); i++) {
      String type = t.is(i + 1, ';') && t.isIdentifier(i) ? TYPES.get(t.text(i)) : null;
      if (type != null
          && t.is(i - 1, type)
          && isExtern(t, i)
          && !t.inDirective(i)
          && !f.regions.isDead(i)
          && f.changes.allows(RULE)) {
        HipGate.around(f, i, i + 1, RULE);
      }
    }
  }

  /** {@code extern const uint3 threadIdx;}, and nothing else. */
  private static boolean isExtern(Tokens t, int name) {
    int first = Statements.definitionStart(t, name);
    boolean constant = t.is(name - 2, "const") && first == name - 3;
    return t.is(first, "extern") && (constant || first == name - 2);
  }
}
