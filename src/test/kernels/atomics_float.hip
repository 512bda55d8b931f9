// exact: float and double atomics: add, min, max and exchange, on global memory and LDS
#include "check.h"

// The values are small integers, so that every order gives the same sum.
BOTH float value(int i) { return float(int(bits(i) % 4001) - 2000); }

template <class T>
__global__ void global(T* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&a[0], T(value(i)));
  unsafeAtomicAdd(&a[1 + i % 5], T(value(i)));
  atomicMin(&a[6], T(value(i)));
  atomicMax(&a[7], T(value(i)));
  safeAtomicAdd(&a[8], T(value(i)));
}

template <class T>
__global__ void shared(T* out) {
  __shared__ T a[9];
  if (threadIdx.x < 9) a[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x;
  atomicAdd(&a[0], T(value(i)));
  unsafeAtomicAdd(&a[1 + i % 5], T(value(i)));
  atomicMin(&a[6], T(value(i)));
  atomicMax(&a[7], T(value(i)));
  T before = atomicAdd(&a[8], T(1));
  if (before == T(blockDim.x - 1)) atomicExch(&a[8], T(-1));
  __syncthreads();
  if (threadIdx.x < 9) out[threadIdx.x] = a[threadIdx.x];
}

template <class T>
void run(Check& check, const char* name) {
  Buffer<T> a(9), b(9);
  global<T><<<3, 100>>>(a.get());
  shared<T><<<1, 300>>>(b.get());
  std::vector<T> want(9);
  for (int i = 0; i < 300; i++) {
    T v = value(i);
    want[0] += v;
    want[1 + i % 5] += v;
    want[6] = std::min(want[6], v);
    want[7] = std::max(want[7], v);
    want[8] += v;
  }
  check.same(name, a.host(), want);
  want[8] = -1;
  check.same(name, b.host(), want);
}

int main() {
  Check check;
  run<float>(check, "float");
  run<double>(check, "double");
  return check.end();
}
