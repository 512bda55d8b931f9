// Lanes that wait for a value of another lane, and blocks that wait for other blocks.
#include <cuda_runtime.h>

__global__ void solve(const int *first, int *x, volatile int *ready, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int k = first[row]; k < row; ++k) {
    while (ready[k] == 0) {}  // want: W64-HANDOVER
    x[row] += x[k];
  }
  __threadfence();
  ready[row] = 1;
}

__global__ void wait_for_blocks(int *arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {}  // ok: W64-HANDOVER
  }
  __syncthreads();
}

__global__ void late(float *data, unsigned *flag) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    *flag = 1;
  }
}

__global__ void in_time(float *data, unsigned *flag) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *flag = 1;
  }
}
