package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.regex.Pattern;

/** Marks branches that a project has for HIP, or for a platform that is neither CUDA nor HIP. */
final class PlatformBranches {
  /** Macros that are defined where a project is built for HIP, its own ones too. */
  private static final Pattern HIP_MACRO =
      Pattern.compile("(?:.*_)?(?:HIP|HIPCC|HCC|ROCM|AMD|AMDGCN|AMDGPU)(?:_.*)?");

  /** Macros that are defined where a project is built for neither CUDA nor HIP. */
  private static final Pattern FOREIGN_MACRO =
      Pattern.compile("(?:.*_)?(?:SYCL|ONEAPI|1API|DPCT|DPCPP|OPENCL|MUSA)(?:_.*)?");

  private final CudaFile f;
  private final Tokens t;
  private final LibraryMacros libraries;

  PlatformBranches(CudaFile f, LibraryMacros libraries) {
    this.f = f;
    this.t = f.t;
    this.libraries = libraries;
  }

  void mark() {
    f.regions.chains().forEach(this::markHip);
    f.regions.chains().forEach(this::markForeign);
  }

  /** Branches that need a HIP macro, or that none is left for once such a macro is missing. */
  private void markHip(Chain chain) {
    boolean asks = false;
    boolean taken = false;
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      asks |= names(d, HIP_MACRO);
      Boolean inCuda = taken ? Boolean.FALSE : Condition.evaluate(t, d, this::inCuda);
      if (asks && inCuda != null && !inCuda) {
        f.regions.markHip(b);
      }
      taken |= inCuda != null && inCuda;
    }
  }

  /** Marks branches whose condition, or that of a branch before them, asks for such a platform. */
  private void markForeign(Chain chain) {
    boolean excluded = false;
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      Boolean without = null;
      if (names(d, FOREIGN_MACRO)) {
        without = Condition.evaluate(t, d, PlatformBranches::withoutForeign);
      }
      if (excluded || (without != null && !without)) {
        f.regions.markForeign(b);
      }
      excluded |= without != null && without;
    }
  }

  private static Macro withoutForeign(String name) {
    return FOREIGN_MACRO.matcher(name).matches() ? new Macro.Undefined() : new Macro.Unknown();
  }

  private boolean names(Directive d, Pattern macros) {
    for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
      if (t.isIdentifier(i) && macros.matcher(t.text(i)).matches()) {
        return true;
      }
    }
    return false;
  }

  /** The value of a macro in a current NVIDIA build. */
  private Macro inCuda(String name) {
    ApiTable.Entry e = f.api.find(name);
    if (e != null && e.guard != null) {
      return switch (e.guard.kind()) {
        case COMPILER -> new Macro.Value(1);
        case ARCHITECTURE -> new Macro.Value(f.api.architecture.current());
        case VERSION, MAJOR, MINOR, CONSTANT, LIBRARY ->
            libraries.isOwn(e.guard)
                ? new Macro.Unknown()
                : new Macro.Value(GuardPass.valueOf(e.guard, f.api.version.current()));
      };
    }
    return HIP_MACRO.matcher(name).matches() ? new Macro.Undefined() : new Macro.Unknown();
  }
}
