package dev.rocport.cuda;

import dev.rocport.rules.ApiName;

/** Whether a stretch of code has a HIP counterpart throughout. */
final class Portability {
  private Portability() {}

  /**
   * False if something between the two tokens cannot be ported: PTX, tensor cores, missing names.
   */
  static boolean isPortable(CudaFile f, int from, int to) {
    Tokens t = f.t;
    boolean location = false;
    boolean advice = false;
    for (int i = from; i < to; i++) {
      if (!t.isIdentifier(i) || f.isQualified(i)) {
        continue;
      }
      if (AsmPass.isAsm(t, i) || t.is(i, "wmma") || t.is(i, "nvcuda")) {
        return false;
      }
      // CUDA 13 gives these calls a location, by the number of arguments they always had.
      location |= t.is(i, "cudaMemLocation") || t.is(i, "CUmemLocation");
      advice |= t.is(i, "cudaMemAdvise") || t.is(i, "cuMemAdvise");
      advice |= t.is(i, "cudaMemPrefetchAsync") || t.is(i, "cuMemPrefetchAsync");
      if (location && advice) {
        return false;
      }
      ApiTable.Entry e = f.api.find(t, i);
      ApiName name = e == null ? null : e.name;
      if (name != null
          && name.kind() != ApiName.Kind.NAMESPACE
          && !isThere(f, name)
          && !f.isOwn(name.cuda())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isThere(CudaFile f, ApiName name) {
    return !f.api.target(name).isEmpty()
        && (name.needs().isEmpty() || HipVersions.compare(name.needs(), f.options.hip()) <= 0);
  }
}
