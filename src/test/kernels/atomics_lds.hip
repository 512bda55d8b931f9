// exact: integer atomics on LDS, 32 and 64 bits, through a generic pointer too
#include "check.h"

#include <algorithm>

template <class T>
__device__ __attribute__((noinline)) void through(T* any, T v) {
  atomicAdd(any, v);
}

template <class T>
__global__ void run(T* out, T* global) {
  __shared__ T a[10];
  if (threadIdx.x < 10) a[threadIdx.x] = threadIdx.x == 2 ? ~T(0) : 0;
  __syncthreads();
  T v = T(bits64(threadIdx.x));
  atomicAdd(&a[0], v);
  atomicXor(&a[1], v);
  atomicMin(&a[2], v);
  atomicMax(&a[3], v);
  atomicOr(&a[4], v & 0xf0f0);
  through(threadIdx.x & 1 ? &a[5] : global, v);
  T was, now = a[6];
  do {
    was = now;
    now = atomicCAS(&a[6], was, was * 3 + 1);
  } while (now != was);
  atomicExch(&a[7], T(threadIdx.x));
  atomicInc((unsigned*)&a[8], 10u);
  if (atomicAdd(&a[9], T(1)) == blockDim.x - 1) a[7] = 77;
  __syncthreads();
  if (threadIdx.x < 10) out[threadIdx.x] = a[threadIdx.x];
}

template <class T>
void check1(Check& check, const char* name) {
  constexpr int n = 200;
  Buffer<T> out(10), global(1);
  run<T><<<1, n>>>(out.get(), global.get());
  std::vector<T> want(10);
  want[2] = ~T(0);
  T other = 0;
  unsigned inc = 0;
  for (int i = 0; i < n; i++) {
    T v = T(bits64(i));
    want[0] += v;
    want[1] ^= v;
    want[2] = std::min(want[2], v);
    want[3] = std::max(want[3], v);
    want[4] |= v & 0xf0f0;
    (i & 1 ? want[5] : other) += v;
    want[6] = want[6] * 3 + 1;
    inc = inc >= 10 ? 0 : inc + 1;
  }
  want[7] = 77;
  want[8] = inc;
  want[9] = n;
  check.same(name, out.host(), want);
  check.same(name, global.host(), std::vector<T>{other});
}

int main() {
  Check check;
  check1<unsigned>(check, "32");
  check1<unsigned long long>(check, "64");
  return check.end();
}
