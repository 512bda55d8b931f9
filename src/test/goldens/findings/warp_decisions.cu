// What 32 means in kernels: the hardware's warps, or numbers of the program.
#include <cuda_runtime.h>

__global__ void sum(const float *in, float *out) {  // want: W64-KEEP
  float v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);  // want: W64-SITE
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);  // want: W64-SITE
}

__global__ void store(const int *in, int *out) {  // want: W64-KEEP
  const int lane = threadIdx.x % 32;  // want: W64-SITE
  out[lane] = __shfl_sync(0xffffffff, in[lane], 0);  // want: W64-SITE
}

__device__ int later(int v) { return __any_sync(0xffffffff, v); }  // want: W64-SITE, W64-UNSURE

__device__ int warp_sum(int v) {  // want: W64-WIDE
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);  // want: W64-SITE
  return v;
}

__global__ void total(const int *in, int *out) {  // want: W64-WIDE
  __shared__ int part[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;  // want: W64-SITE
  int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0;  // want: W64-SITE
  if (warp == 0) v = warp_sum(v);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}
void run(const int *in, int *out, int blocks) { total<<<blocks, 256>>>(in, out); }

__global__ void rows(float *out, int n) {
  out[blockIdx.x] = n / 32;  // ok: W64-SITE
}
