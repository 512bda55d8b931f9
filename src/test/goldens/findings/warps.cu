// Warps of 32 lanes on waves of 64: sizes that the host computes with, and code of the project for HIP.
#include <cuda_runtime.h>
#include <cub/cub.cuh>
#include <cstdio>

__device__ float sum(float v) {
  typedef cub::WarpReduce<float> Reduce;  // ok: W64-CUB
  __shared__ Reduce::TempStorage temp;
  return Reduce(temp).Sum(v);
}

__device__ void load(const float *in, float (&items)[4]) {
  cub::LoadDirectBlocked(threadIdx.x, in, items);  // ok: W64-CUB
  cub::LoadDirectWarpStriped(threadIdx.x, in, items);  // want: W64-CUB
}

void size(int threads, int *warps) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  *warps = threads / properties.warpSize;  // want: W64-HOST-SIZE
}

struct Machine {
  int warpSize;
};
int warps(const Machine &m, int n) { return n / m.warpSize; }  // want: W64-HOST-SIZE
int all(int n) { return n / 32;
}

#if defined(__HIP_PLATFORM_AMD__)
constexpr int kTile = 64;  // ok: W64-OWN-HIP
__device__ float other(float v, int d) { return __shfl_xor(v, d); }  // want: W64-OWN-HIP
#else
constexpr int kTile = 32;
__device__ float other(float v, int d) { return __shfl_xor_sync(0xffffffff, v, d); }
#endif
