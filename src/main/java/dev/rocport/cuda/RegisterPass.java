package dev.rocport.cuda;

import dev.rocport.source.Edit;

/** {@code register} is gone from C++17, which HIP compiles by default; nvcc only warns. */
final class RegisterPass {
  static final String RULE = "CXX-REGISTER";

  private RegisterPass() {}

  static void run(CudaFile f) {
    if (f.isC() || !f.changes.allows(RULE)) {
      return;
    }
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "register")
          && !t.inDirective(i)
          && t.isIdentifier(i + 1)
          && (t.is(i - 1, ';')
              || t.is(i - 1, '{')
              || t.is(i - 1, '}')
              || t.is(i - 1, '(')
              || t.is(i - 1, ',')
              || t.is(i - 1, ')')
              || t.is(i - 1, ':')
              || t.is(i - 1, "const"))) {
        f.changes.edit(Edit.delete(t.start(i), t.start(i + 1), RULE));
      }
    }
  }
}
