// A launch inside a macro that is the file's last line: the launch is never closed there.
#include <hip/hip_runtime.h>
#include "rocport/warp_sync.h"
#ifndef BLOCK
#define BLOCK 128
#endif
#define EMPTY

__global__ void swap(int* p) { p[threadIdx.x] = rocport::shfl_xor_sync(~0u, p[threadIdx.x], 1); }

#define LAUNCH(kernel, ...) kernel<<<1, BLOCK>>>(__VA_ARGS__)
