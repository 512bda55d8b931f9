package dev.rocport.lang.cuda.pass;

import dev.rocport.lang.cuda.symbols.VectorTypes;
import java.util.List;

/** Detects device code and uses of the built-in variables that nvcc declares implicitly. */
public final class DeviceUse {
  private static final List<String> WORDS =
      List.of(
          "__global__",
          "__device__",
          "__shared__",
          "__constant__",
          "__managed__",
          "threadIdx",
          "blockIdx",
          "blockDim",
          "gridDim",
          "__syncthreads",
          "__launch_bounds__",
          "dim3",
          "__host__");

  private DeviceUse() {}

  public static void run(CudaFile f) {
    f.needsRuntime = f.needsRuntime || f.t.mentions(WORDS) || usesVectors(f);
  }

  /** Only CUDA sources may rely on these names; a header may have its own for the host. */
  private static boolean usesVectors(CudaFile f) {
    return f.isCudaSource()
        && (f.t.mentions(VectorTypes.NAMES) || f.t.mentions(VectorTypes.MAKERS));
  }
}
