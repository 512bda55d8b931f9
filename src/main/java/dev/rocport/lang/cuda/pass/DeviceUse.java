package dev.rocport.lang.cuda.pass;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

  /** Names that only CUDA sources may rely on; a header may have its own for the host. */
  private static final List<String> VECTORS =
      Stream.of("char", "short", "int", "long", "longlong", "float", "double")
          .flatMap(t -> t.matches("float|double") ? Stream.of(t) : Stream.of(t, "u" + t))
          .flatMap(t -> IntStream.rangeClosed(1, 4).mapToObj(n -> t + n))
          .flatMap(t -> Stream.of(t, "make_" + t))
          .toList();

  private DeviceUse() {}

  public static void run(CudaFile f) {
    f.needsRuntime =
        f.needsRuntime || f.t.mentions(WORDS) || (f.isCudaSource() && f.t.mentions(VECTORS));
  }
}
