#include <hip/hip_runtime.h>
#include "rocport/device_functions.h"
#include "rocport/syncthreads.h"
#include "rocport/warp_sync.h"

constexpr unsigned ALL = 0xffffffffu;

// Three roles; the middle one is a wave of its own.
__global__ void three(const int* in, int* out, int n) {
  __shared__ int a[32], b[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  {
    const int rocport_role = (warp == 0) ? 0 : (warp == 1) ? 1 : 2;
    int twice;
    int thrice;
    if (rocport_role == 0) {
    a[lane] = in[lane];  // first
    } else if (rocport_role == 1) {
    twice = 2 * in[lane + 32], thrice = twice + 1;
    }
    __syncthreads();
    if (rocport_role == 0) {
    // then nothing but waiting
    } else if (rocport_role == 1) {
    b[lane] = a[31 - lane] + twice;
    }
    __syncthreads();
    if (rocport_role == 1) {
    out[lane] = thrice;
    } else if (rocport_role == 2) {
    if (lane < n) out[lane + 32] = b[lane];
    }
  }
}

__global__ void shuffles(float* x, int* y) {
  const int lane = threadIdx.x & 31;
  float v = x[threadIdx.x];
  {
    const bool rocport_first = lane % 3 == 0;
    float twice;
    float other;
    float w;
    if (rocport_first) {
    twice = v * 2;
    }
    const auto rocport_got = rocport::shfl_sync(ALL, rocport_first ? (twice) : (v), rocport_first ? ((lane + 1) % 32) : (lane / 2));
    if (rocport_first) {
      other = rocport_got;
    } else {
      w = rocport_got;
    }
    const auto rocport_got2 = rocport::ballot_sync(ALL, rocport_first ? (other > 0) : (w < 1));
    if (rocport_first) {
      int votes = rocport::popc(rocport_got2);
    y[lane] = votes;
    } else {
      const unsigned set = rocport_got2;
    y[lane] = set >> lane;
    }
  }
  int i = y[lane];
  if (lane & 1) {  // want: W64-BRANCH
    v += rocport::shfl_sync(ALL, v, 0);
  } else {
    i += rocport::shfl_sync(ALL, i, 0);
  }
  x[threadIdx.x] = v + i;
}

__global__ void own_masks(int* x) {
  const int lane = threadIdx.x & 31;
  const unsigned low = rocport::ballot_sync(ALL, lane < 9);
  if (lane < 9) {
    x[lane] = rocport::reduce_add_sync(low, lane);
  } else {
    x[lane] = rocport::reduce_add_sync(~low, lane);
  }
}

__device__ int helper(int v) {
  for (int d = 16; d > 0; d /= 2) v += rocport::shfl_xor_sync(ALL, v, d);
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
    sum = rocport::shfl_sync(ALL, sum, 0);
  }
  if (lane == 0) sums[row] = sum;
  while (rocport::any_sync(ALL, sum > 0)) sum -= rocport::shfl_sync(ALL, sum, lane ^ 1);
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
  rocport::syncthreads();
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
