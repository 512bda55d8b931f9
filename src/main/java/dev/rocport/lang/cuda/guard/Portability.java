package dev.rocport.lang.cuda.guard;

import dev.rocport.core.result.Versions;
import dev.rocport.lang.cuda.asm.AsmPass;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.ApiName;
import java.util.BitSet;

/** Determines whether all code in a region has a HIP counterpart. */
final class Portability {
  /** Tokens that cannot be ported in any context: PTX, tensor cores, missing names. */
  private final BitSet missing = new BitSet();

  /** CUDA 13 gives some calls a location, by the number of arguments they always had. */
  private final BitSet locations = new BitSet();

  private final BitSet advice = new BitSet();

  private final CudaFile f;
  private boolean looked;

  /** Looks at the tokens when the first condition on CUDA asks. */
  Portability(CudaFile f) {
    this.f = f;
  }

  /** False if something between the two tokens cannot be ported. */
  boolean isPortable(int from, int to) {
    if (!looked) {
      // In the order of the file: the device function around a token is cheap to find only then.
      for (int i = 0; i < f.t.count(); i++) {
        look(i);
      }
      looked = true;
    }
    return !has(missing, from, to) && !(has(locations, from, to) && has(advice, from, to));
  }

  private void look(int i) {
    Tokens t = f.t;
    if (t.isIdentifier(i) && !f.isQualified(i)) {
      locations.set(i, t.is(i, "cudaMemLocation") || t.is(i, "CUmemLocation"));
      advice.set(i, isAdvice(t, i));
      missing.set(i, isMissing(f, i));
    }
  }

  private static boolean has(BitSet set, int from, int to) {
    int next = set.nextSetBit(from);
    return next >= 0 && next < to;
  }

  private static boolean isAdvice(Tokens t, int i) {
    return t.is(i, "cudaMemAdvise")
        || t.is(i, "cuMemAdvise")
        || t.is(i, "cudaMemPrefetchAsync")
        || t.is(i, "cuMemPrefetchAsync");
  }

  private static boolean isMissing(CudaFile f, int i) {
    if (AsmPass.isMissing(f, i) || isExperimental(f.t, i)) {
      return true;
    }
    ApiTable.Entry e = f.api.find(f.t, i);
    ApiName name = e == null ? null : e.name;
    return name != null
        && name.kind() != ApiName.Kind.NAMESPACE
        && !isThere(f, name)
        && !f.isOwn(name.cuda());
  }

  /**
   * {@code nvcuda::experimental}, {@code wmma::experimental}, {@code nvcuda::wmma::experimental}.
   */
  private static boolean isExperimental(Tokens t, int i) {
    if (!t.isPair(i + 1, ':')) {
      return false;
    }
    return t.is(i, "nvcuda")
        ? t.is(i + 2, "experimental") || isExperimental(t, i + 2)
        : t.is(i, "wmma") && t.is(i + 2, "experimental");
  }

  private static boolean isThere(CudaFile f, ApiName name) {
    return !f.api.target(name).isEmpty()
        && (name.needs().isEmpty() || Versions.compare(name.needs(), f.options.hip()) <= 0);
  }
}
