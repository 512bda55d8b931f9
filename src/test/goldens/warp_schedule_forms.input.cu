#include <cuda_runtime.h>
#define LOCK(m) while (atomicCAS((m), 0, 1) != 0)
#define UNLOCK(m) atomicExch((m), 0)
#define FULL 0xffffffff
__global__ void macros(int* m, int* s) {
  LOCK(m);  // want: W64-LOCK
  *s += threadIdx.x;
  __threadfence();
  UNLOCK(m);
}
struct Guard {
  int* m;
  __device__ Guard(int* p) : m(p) { while (atomicCAS(m, 0, 1) != 0); }  // want: W64-LOCK
  __device__ ~Guard() { __threadfence(); atomicExch(m, 0); }
};
__global__ void raii(int* m, int* s) {
  Guard g(m);
  *s += threadIdx.x;
}
__global__ void ordered(int* l, int* a, int n) {
  int i = threadIdx.x % n, j = (threadIdx.x * 7 + 1) % n;
  if (i == j) return;
  int lo = min(i, j), hi = max(i, j);
  bool done = false;
  while (!done) {
    if (atomicCAS(&l[lo], 0, 1) == 0) {
      if (atomicCAS(&l[hi], 0, 1) == 0) {
        a[lo]--; a[hi]++;
        __threadfence();
        atomicExch(&l[hi], 0);
        done = true;
      }
      atomicExch(&l[lo], 0);
    }
  }
}
__global__ void sw(int* x) {
  int lane = threadIdx.x & 31, v = x[lane];
  switch (lane / 8) {  // want: W64-BRANCH
    case 0: v += __shfl_sync(FULL, v, 3); break;
    case 1: v -= __shfl_sync(FULL, v, 7); break;
    default: v = __shfl_sync(FULL, v, 9);
  }
  x[lane] = v;
}
__global__ void tern(int* x) {
  int lane = threadIdx.x & 31, v = x[lane];
  v = lane < 7 ? __shfl_sync(FULL, v, 3) : __shfl_sync(FULL, v + 1, 5);  // want: W64-BRANCH
  x[lane] = v;
}
__global__ void syncwarps(int* x) {
  __shared__ int s[32];
  int lane = threadIdx.x & 31;
  if (lane < 16) {
    s[lane] = x[lane];
    __syncwarp();
    x[lane] = s[lane + 16];
  } else {
    s[lane] = x[lane];
    __syncwarp();
    x[lane] = s[lane - 16];
  }
}
__global__ void roles(volatile int* flag, int* x) {
  if (threadIdx.x == 33) {
    while (*flag == 0);  // want: W64-HANDOVER
    x[0] = 1;
  }
  if (threadIdx.x == 2) *flag = 1;
}
__global__ void lanes(int* x, volatile int* turn) {
  for (int i = 0; i < 32; i++) {
    if (*turn == (int)threadIdx.x) { x[0] = x[0] * 3 + threadIdx.x; *turn = threadIdx.x + 1; }
  }
  while (*turn < (int)threadIdx.x) {}  // want: W64-HANDOVER
  *turn = *turn + 1;
}
__device__ int dev_lock = 0;
__global__ void global_lock(float* s, float v) {
  while (atomicExch(&dev_lock, 1) != 0) ;
  *s = fmaxf(*s, v * threadIdx.x);
  __threadfence();
  dev_lock = 0;
}
__global__ void list(int** head, int* next, int n) {
  int i = threadIdx.x;
  bool blocked = true;
  while (blocked) {
    if (0 == atomicCAS(&next[n], 0, 1)) {
      next[i] = **head; **head = i;
      __threadfence();
      atomicCAS(&next[n], 1, 0);
      blocked = false;
    }
  }
}
__global__ void spin_var(int* lock, int* s) {
  int old = 1;
  while (old) old = atomicExch(lock, 1);
  *s += 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void spin_for(int* lock, int* s) {
  for (;;) { if (atomicCAS(lock, 0, 1) == 0) break; __nanosleep(32); }  // want: W64-LOCK
  *s += 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void spin_for2(int* lock, int* s) {
  for (; atomicCAS(lock, 0, 1) != 0;) {}
  *s += 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void uneven(int* s) {
  int w = threadIdx.x / 32;
  switch (w) {  // want: W64-BARRIER
    case 0: s[0] = 1; __syncthreads(); break;
    default: __syncthreads(); s[1] = s[0]; break;
  }
}
__global__ void while_pipe(int* s, int n) {
  if (threadIdx.x < 32) {  // want: W64-BARRIER
    int i = 0;
    while (i < n) { s[i] = i; __syncthreads(); i++; }
  } else {
    int i = 0;
    while (i < n) { __syncthreads(); s[i + n] = s[i]; i++; }
  }
}
int main() {}
