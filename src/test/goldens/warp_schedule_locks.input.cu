#include <cuda_runtime.h>

struct Spin {
  unsigned* word;
  __device__ __forceinline__ void lock() {
    unsigned wait = 8;
    while (atomicCAS(word, 0u, 1u) != 0u) {
      __nanosleep(wait);
      if (wait < 256) wait *= 2;
    }
    __threadfence();
  }
  __device__ __forceinline__ void unlock() {
    __threadfence();
    atomicExch(word, 0u);
  }
};

__device__ void acquire(int* m) { while (atomicExch(m, 1) == 1); }
__device__ void release(int* m) { __threadfence(); atomicExch(m, 0); }

__device__ bool try_lock(volatile int* m) { return atomicCAS((int*)m, 0, 1) == 0; }

// Every thread of the grid; two locks, one after the other.
__global__ void totals(Spin s, int* mutex, int* sums, const int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s.lock();
  sums[0] += values[i];
  s.unlock();
  acquire(mutex);
  int old = sums[1];
  sums[1] = old + values[i];
  release(mutex);
}

__global__ void tries(int* locks, int* counts, const int* bins, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int* lock = locks + bins[i];
    while (!try_lock(lock)) {
    }
    counts[bins[i]]++;
    __threadfence();
    *lock = 0;
  }
}

// One lane of each warp: two of a wave.
__global__ void leaders(int* lock, int* sum, const int* values) {
  int lane = threadIdx.x & 31;
  int v = __reduce_add_sync(0xffffffffu, values[threadIdx.x]);
  if (lane == 0) {
    bool got;
    do {
      got = atomicCAS(lock, 0, 1) == 0;
    } while (!got);
    *sum += v;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// One thread of each block: as it is.
__global__ void blocks(int* lock, int* sum, const int* values) {
  const unsigned tid = threadIdx.x;
  bool leader = tid == 0;
  if (leader) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    *sum += values[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void turns(int* lock, int* sum, const int* values) {
  for (int tries = 0; tries < 1000000; ++tries) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *sum += values[threadIdx.x];
      __threadfence();
      atomicExch(lock, 0);
      break;
    }
  }
}

__global__ void nested(int* a, int* b, int* sum) {
  while (atomicCAS(a, 0, 1) != 0) {}  // want: W64-LOCK
  while (atomicCAS(b, 0, 1) != 0) {}
  sum[0]++;
  atomicExch(b, 0);
  atomicExch(a, 0);
}

__global__ void barrier_inside(int* a, int* sum) {
  while (atomicCAS(a, 0, 1) != 0) {}  // want: W64-LOCK
  sum[threadIdx.x]++;
  __syncthreads();
  atomicExch(a, 0);
}

__device__ void grab(int* m) {
  while (atomicCAS(m, 0, 1) != 0) {}  // want: W64-LOCK
}

int main() { return 0; }
