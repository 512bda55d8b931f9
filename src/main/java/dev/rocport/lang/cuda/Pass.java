package dev.rocport.lang.cuda;

import dev.rocport.lang.cuda.api.HostMathPass;
import dev.rocport.lang.cuda.api.OverloadHeaderPass;
import dev.rocport.lang.cuda.api.OwnFunctionPass;
import dev.rocport.lang.cuda.mpi.FencePass;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.VanishPass;
import dev.rocport.lang.ptx.find.Lexicon;
import dev.rocport.rules.RuleCatalog;
import java.util.Set;

/** A pass over a CUDA file: it edits, reports findings, and leaves facts for other passes. */
interface Pass {
  /** Name of the class that does it. */
  String id();

  /** When it runs. */
  Scope scope();

  /** What passes before it must have left; all passes that provide it come first. */
  Set<Fact> needs();

  /** What it leaves for passes after it. */
  Set<Fact> provides();

  /** True for a pass over kernels in string literals, too. */
  boolean inStrings();

  void run(CudaFile file, Tools tools);

  /** When a pass runs. */
  enum Scope {
    ALWAYS,
    /** Unless rules about PTX are the only ones in force. */
    CODE,
    /** The same, in files that name something of NVSHMEM. */
    SHMEM
  }

  /** What passes are made with for the rules of a porter. */
  record Tools(
      RuleCatalog catalog,
      VanishPass vanish,
      OwnFunctionPass ownFunctions,
      HostMathPass hostMath,
      OverloadHeaderPass overloadHeaders,
      FencePass fence,
      Lexicon lexicon) {}
}
