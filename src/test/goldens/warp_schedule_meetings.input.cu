#include <cuda_runtime.h>

constexpr unsigned ALL = 0xffffffffu;

// Three roles; the middle one is a wave of its own.
__global__ void three(const int* in, int* out, int n) {
  __shared__ int a[32], b[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    a[lane] = in[lane];  // first
    __syncthreads();
    // then nothing but waiting
    __syncthreads();
  } else if (warp == 1) {
    const int twice = 2 * in[lane + 32], thrice = twice + 1;
    __syncthreads();
    b[lane] = a[31 - lane] + twice;
    __syncthreads();
    out[lane] = thrice;
  } else {
    __syncthreads();
    __syncthreads();
    if (lane < n) out[lane + 32] = b[lane];
  }
}

__global__ void shuffles(float* x, int* y) {
  const int lane = threadIdx.x & 31;
  float v = x[threadIdx.x];
  if (lane % 3 == 0) {
    float twice = v * 2;
    float other = __shfl_sync(ALL, twice, (lane + 1) % 32);
    int votes = __popc(__ballot_sync(ALL, other > 0));
    y[lane] = votes;
  } else {
    float w = __shfl_sync(ALL, v, lane / 2);
    const unsigned set = __ballot_sync(ALL, w < 1);
    y[lane] = set >> lane;
  }
  int i = y[lane];
  if (lane & 1) {  // want: W64-BRANCH
    v += __shfl_sync(ALL, v, 0);
  } else {
    i += __shfl_sync(ALL, i, 0);
  }
  x[threadIdx.x] = v + i;
}

__global__ void own_masks(int* x) {
  const int lane = threadIdx.x & 31;
  const unsigned low = __ballot_sync(ALL, lane < 9);
  if (lane < 9) {
    x[lane] = __reduce_add_sync(low, lane);
  } else {
    x[lane] = __reduce_add_sync(~low, lane);
  }
}

__device__ int helper(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
  return v;
}

__global__ void rows(const int* first, int* sums, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  const int length = first[row + 1] - first[row];
  int sum = 0;
  if (length > 32) {
    for (int k = lane; k < length; k += 32) sum += first[k];
    sum = helper(sum);
  } else {
    sum = lane < length ? helper(1) : 0;
    sum = __shfl_sync(ALL, sum, 0);
  }
  if (lane == 0) sums[row] = sum;
  while (__any_sync(ALL, sum > 0)) sum -= __shfl_sync(ALL, sum, lane ^ 1);
}

__global__ void barriers(int* cell, int n) {
  if (threadIdx.x < 96) {  // want: W64-BARRIER
    for (int i = 0; i < n; ++i) __syncthreads();
  } else {
    int i = 0;
    while (i++ < n) __syncthreads();
  }
  if (threadIdx.x < 128) {
    __syncthreads();
  } else {
    cell[threadIdx.x] = 0;
    __syncthreads();
  }
}

__global__ void ticket(unsigned* next, volatile unsigned* serving, int* sum) {
  const unsigned mine = atomicAdd(next, 1u);
  while (*serving != mine) {}  // want: W64-HANDOVER
  *sum += 1;
  __threadfence();
  *serving = mine + 1;
}

__device__ unsigned arrived = 0;
__device__ volatile unsigned sense = 0;

__device__ void grid_barrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = sense;
    if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      sense = before + 1;
    } else {
      while (sense == before) {}
    }
  }
  __syncthreads();
}

__global__ void phases(int* x) {
  x[threadIdx.x]++;
  grid_barrier();
  x[threadIdx.x]--;
}

int main() { return 0; }
