class Kernels {
  static final String SUM =
      /* want: JAVA-KERNEL */ """
      extern "C" __global__ void sum(float* p, float* q) {
        if (__any_sync(~0u, p[0] > 0)) atomicAdd(p, q[threadIdx.x]);
      }
      """;
  static final String TEXT = "a kernel is __global__";  // ok: JAVA-KERNEL
}
