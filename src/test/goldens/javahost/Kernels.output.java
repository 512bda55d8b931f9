package demo;

class Kernels {
  static final int N = 4;

  static final String BLOCK = """
      #include <hip/hip_fp16.h>
      #include <hip/hip_runtime.h>
      #if __HIP_DEVICE_COMPILE__ /* __CUDA_ARCH__ >= 800 */
      #define FAST 1
      #endif
        /* deeper, "quoted", \
      joined */
      extern "C" __global__ void add(__half* p) {
        p[threadIdx.x] = __hadd(p[threadIdx.x], p[0]);\t// caf\u00e9
      }""";

  static final String LINES = "#include <hip/hip_runtime.h>\n" // why
      + "#include <hip/hip_fp16.h>\n"
      + "extern \"C\" __global__ void scale(float* p) {\n"
      + "  if (threadIdx.x < " + N + ") p[threadIdx.x] *= 2;\n"
      + "}\n";

  static final String JOINED = String.join("\n",
      "#include <hip/hip_fp16.h>",
      "__global__ void k(half* p) {",
      "}");

  String built(String type) {
    StringBuilder s = new StringBuilder();
    s.append("#include <hip/hip_fp16.h>\n");
    s.append("__global__ void k(").append(type).append("* p) {\n");
    s.append("}\n");
    return s.toString();
  }

  String chained() {
    return new StringBuilder("#include <hip/hip_fp16.h>\n").append("__device__ int x;\n").toString();
  }

  static final String WARP = /* want: JAVA-KERNEL */ """
      #include "rocport/warp_sync.h"
      __global__ void sum(float* p) {
        float v = p[threadIdx.x];
        for (int o = 16; o > 0; o >>= 1) v += rocport::shfl_down_sync(0xffffffff, v, o);
      }
      """;

  static final String PLAIN = "a text about cuda_fp16.h";
}
