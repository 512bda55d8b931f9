// Locks, barriers and waits between lanes that run in lockstep.
#include <cuda_runtime.h>

// A return while the lock is held: the work does not move into the loop.
__global__ void add(int *lock, int *sum, int x, int n) {
  while (atomicCAS(lock, 0, 1) != 0) {}  // want: W64-LOCK
  if (x < n) return;
  *sum += x;
  atomicExch(lock, 0);
}

// This one is ported.
__global__ void add(int *lock, int *sum, int x) {
  while (atomicCAS(lock, 0, 1) != 0) {}  // ok: W64-LOCK
  *sum += x;
  __threadfence();
  atomicExch(lock, 0);
}

// One thread of a block waits.
__global__ void add_first(int *lock, int *sum, int x) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}  // ok: W64-LOCK
    *sum += x;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void roles(int *cell, int n) {
  if (threadIdx.x < 96) {  // want: W64-BARRIER
    for (int i = 0; i < n; ++i) __syncthreads();
  } else {
    int i = 0;
    while (i++ < n) __syncthreads();
  }
}

__global__ void halves(int *cell) {
  if (threadIdx.x < 64) {  // ok: W64-BARRIER
    cell[threadIdx.x] = 1;
    __syncthreads();
  } else {
    __syncthreads();
    cell[threadIdx.x] += cell[threadIdx.x - 64];
  }
}

__global__ void exchange(int *x, int n) {
  const int lane = threadIdx.x % 32;
  int v = x[lane];
  if (lane < 5) {  // want: W64-BRANCH
    for (int d = 1; d < 4; d *= 2) v += v > n ? __shfl_xor_sync(0xffffffff, v, d) : 0;
  } else {
    v += v < n ? __shfl_sync(0xffffffff, v, 0) : 0;
  }
  x[lane] = v;
}

__global__ void parts(int *x) {
  const int lane = threadIdx.x % 32;
  if (lane < 16) {  // ok: W64-BRANCH
    x[lane] += __shfl_xor_sync(0x0000ffffu, x[lane], 1);
  } else {
    x[lane] += __shfl_xor_sync(0xffff0000u, x[lane], 2);
  }
}

__global__ void islands(unsigned *states, int meetings) {
  const int lane = threadIdx.x % 32;
  unsigned x = states[lane];
  int met = 0;
  for (int k = 1; met < meetings; k++) {
    if (k % (1 + lane % 4) == 0) {
      x += __shfl_xor_sync(0xffffffffu, x, 1);  // want: W64-LOOP
      met++;
    }
  }
  for (int k = 1; k < 5; k++) x += __shfl_xor_sync(0xffffffffu, x, k);  // ok: W64-LOOP
  states[lane] = x;
}
