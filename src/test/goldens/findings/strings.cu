// CUDA in string literals.
#include <nvrtc.h>
#include <cstdio>

const char *plain = "extern \"C\" __global__ void k(int *p) { p[threadIdx.x] = 1; }";  // ok: STRING-KERNEL

const char *source = R"(  // want: STRING-KERNEL
#if __CUDA_ARCH__ >= 700  // want: GUARD-ARCH
extern "C" __global__ void k(int *p) { p[threadIdx.x] = __any_sync(~0u, p[0]); }
#endif
)";

void compile(nvrtcProgram program) {
  const char *options[] = {"--std=c++17",                    // ok: STRING-NVRTC-OPTION
                           "--gpu-architecture=compute_90"};  // ok: STRING-NVRTC-OPTION
  nvrtcCompileProgram(program, 2, options);
  puts("cooperative_groups.h");                              // want: STRING-HEADER
  puts("settings.h");                                        // ok: STRING-HEADER
  puts("cudaMalloc failed");                                 // ok: STRING-KERNEL
}
