package dev.rocport.lang.cuda.warp;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Declarations;
import dev.rocport.rules.ApiName;

/**
 * Moves the overloads of CUDA warp functions that a project defines, for complex numbers for
 * example, into namespace {@code rocport}, where the ported calls find them.
 */
public final class WarpOverloadPass {
  static final String RULE = "W64-OVERLOAD";
  private static final String NAMESPACE = "rocport::";

  private WarpOverloadPass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 1; i + 1 < t.count(); i++) {
      if (t.is(i + 1, '(') && t.isIdentifier(i)) {
        ApiTable.Entry e = f.api.find(t, i);
        ApiName name = e == null ? null : e.name;
        if (name != null && Declarations.isWarpOverload(t, i, name) && !f.isOwn(name.cuda(), i)) {
          overload(f, i, f.api.target(name));
        }
      }
    }
  }

  private static void overload(CudaFile f, int i, String target) {
    Tokens t = f.t;
    if (!target.startsWith(NAMESPACE)
        || !f.changes.allows(RULE)
        || !f.changes.allows(Declarations.WARP_FAMILY)
        || f.regions.isDead(i)
        || f.regions.isForHip(i)) {
      return;
    }
    String shim = f.api.shim(Declarations.WARP_FAMILY);
    if (shim != null) {
      f.shims.add(shim);
    }
    int close = t.match(t.match(i + 1) + 1);
    f.changes.edit(
        Edit.before(t.start(Statements.definitionStart(t, i)), "namespace rocport { ", RULE));
    f.changes.alsoEdit(
        Edit.replace(t.start(i), t.end(i), target.substring(NAMESPACE.length()), RULE));
    f.changes.alsoEdit(Edit.after(t.end(close), " }", RULE));
  }
}
