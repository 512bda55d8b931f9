package dev.rocport.cuda;

import dev.rocport.rules.ApiName;
import dev.rocport.source.Edit;

/**
 * The project's own overloads of CUDA's warp functions, for complex numbers say: they move beside
 * those that serve CUDA's, in namespace {@code rocport}, where calls find them.
 */
final class WarpOverloadPass {
  static final String RULE = "W64-OVERLOAD";
  private static final String FAMILY = "W64-GROUPS";
  private static final String NAMESPACE = "rocport::";

  private WarpOverloadPass() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 1; i + 1 < t.count(); i++) {
      if (t.is(i + 1, '(') && t.isIdentifier(i)) {
        ApiTable.Entry e = f.api.find(t, i);
        ApiName name = e == null ? null : e.name;
        if (name != null && isOverload(t, i, name) && !f.isOwn(name.cuda(), i)) {
          overload(f, i, f.api.target(name));
        }
      }
    }
  }

  /** True if a device function of this name of CUDA's is defined at token {@code i}. */
  static boolean isOverload(Tokens t, int i, ApiName name) {
    if (!name.family().equals(FAMILY) || t.inDirective(i) || !Declarations.defines(t, i)) {
      return false;
    }
    int first = HipGate.start(t, i);
    int behind = t.match(i + 1) + 1;
    boolean device = false;
    for (int k = first; k < i; k++) {
      device |= t.is(k, "__device__");
    }
    return device && t.is(behind, '{') && t.match(behind) > 0 && isGlobal(t, first);
  }

  private static boolean isGlobal(Tokens t, int first) {
    int k = first - 1;
    while (k >= 0 && !t.is(k, '{')) {
      int partner = t.match(k);
      k = partner >= 0 && partner < k ? partner - 1 : k - 1;
    }
    return k < 0;
  }

  private static void overload(CudaFile f, int i, String target) {
    Tokens t = f.t;
    if (!target.startsWith(NAMESPACE)
        || !f.changes.allows(RULE)
        || !f.changes.allows(FAMILY)
        || f.regions.isDead(i)
        || f.regions.isForHip(i)) {
      return;
    }
    String shim = f.api.shim(FAMILY);
    if (shim != null) {
      f.shims.add(shim);
    }
    int close = t.match(t.match(i + 1) + 1);
    f.changes.edit(Edit.before(t.start(HipGate.start(t, i)), "namespace rocport { ", RULE));
    f.changes.alsoEdit(
        Edit.replace(t.start(i), t.end(i), target.substring(NAMESPACE.length()), RULE));
    f.changes.alsoEdit(Edit.after(t.end(close), " }", RULE));
  }
}
