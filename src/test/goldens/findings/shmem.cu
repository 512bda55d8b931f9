// NVSHMEM: numbers in place of constants, the choice of a GPU, and blocks that are not ordered.
#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>

constexpr int kLess = 4;

__global__ void wait(int *p) {
  nvshmem_int_wait_until(p, NVSHMEM_CMP_GE, 1);  // ok: SHMEM-LITERAL
  nvshmem_int_wait_until(p, 5, 1);  // want: SHMEM-LITERAL
  nvshmem_int_wait_until(p, kLess, 1);  // want: SHMEM-LITERAL
}

void start() {
  nvshmem_init();
  cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE));  // want: SHMEM-DEVICE, SHMEM-NAME
}

void start(int local) {
  cudaSetDevice(local);  // ok: SHMEM-DEVICE
  nvshmem_init();  // want: SHMEM-SETUP
}

__global__ void move(float *out, const float *in, long *offsets, int pes) {
  nvshmemx_getmem_nbi_block(out, in + offsets[blockIdx.x], 64, blockIdx.x);
  if (blockIdx.x == 0 && threadIdx.x < pes) offsets[threadIdx.x] = 0;  // want: SHMEM-SPLIT
}
