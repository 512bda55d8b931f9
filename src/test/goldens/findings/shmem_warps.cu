// Warp-collective calls of NVSHMEM: warps become waves.
#include <cuda_runtime.h>
#include <nvshmemx.h>

__global__ void rows(float *out, const float *in, int n, int peer) {  // want: W64-WAVES
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int warps = gridDim.x * blockDim.x / 32;
  for (int r = warp; r < 8; r += warps) nvshmemx_float_put_warp(out + r * n, in + r * n, n, peer);  // want: SHMEM-RMA
}
void run(float *out, const float *in, int blocks) {
  rows<<<blocks, 256>>>(out, in, 7, 1);
}

__global__ void blocks(float *out, const float *in, int n, int peer) {
  nvshmemx_float_put_block(out, in, n, peer);  // ok: W64-WAVES
}
