// exact: more live values than registers: spills of vectors and scalars, accumulators as spill space
#include "check.h"

constexpr int kLive = 150;

template <class T>
BOTH T crowd(uint32_t seed, int rounds) {
  T v[kLive];
#pragma unroll
  for (int i = 0; i < kLive; i++) v[i] = T(bits(seed + i));
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int i = 0; i < kLive; i++) v[i] = v[i] * T(5) + v[(i * 7 + 3) % kLive];
  }
  T sum = 0;
#pragma unroll
  for (int i = 0; i < kLive; i++) sum = sum * T(3) + v[i];
  return sum;
}

__global__ __launch_bounds__(1024) void tight(uint32_t* out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = crowd<uint32_t>(i * 1000, rounds);
}

__global__ __launch_bounds__(256) void wide(uint64_t* out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = crowd<uint64_t>(i * 1000, rounds);
}

// Scalars: everything is uniform over the block.
__global__ void scalars(uint32_t* out, uint32_t seed, int rounds) {
  uint32_t v = crowd<uint32_t>(seed + blockIdx.x, rounds);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

__attribute__((noinline)) __device__ uint32_t called(uint32_t a, uint32_t b) { return a * 17 ^ b; }

__global__ __launch_bounds__(64) void across(uint32_t* out) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = bits(i + k);
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = called(v[k], v[(k + 1) % 40]);
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < 40; k++) sum = sum * 3 + v[k];
  out[i] = sum;
}

int main() {
  Check check;
  constexpr int n = 128, rounds = 3;
  Buffer<uint32_t> a(n), c(6), d(n);
  Buffer<uint64_t> b(n);
  tight<<<1, n>>>(a.get(), rounds);
  wide<<<1, n>>>(b.get(), rounds);
  scalars<<<6, 64>>>(c.get(), 77, rounds);
  across<<<n / 64, 64>>>(d.get());
  std::vector<uint32_t> wa(n), wc(6), wd(n);
  std::vector<uint64_t> wb(n);
  for (int i = 0; i < n; i++) {
    wa[i] = crowd<uint32_t>(i * 1000, rounds);
    wb[i] = crowd<uint64_t>(i * 1000, rounds);
    uint32_t v[40];
    for (int k = 0; k < 40; k++) v[k] = bits(i + k);
    for (int k = 0; k < 40; k++) v[k] = v[k] * 17 ^ v[(k + 1) % 40];
    for (int k = 0; k < 40; k++) wd[i] = wd[i] * 3 + v[k];
  }
  for (int i = 0; i < 6; i++) wc[i] = crowd<uint32_t>(77 + i, rounds);
  check.same("tight", a.host(), wa);
  check.same("wide", b.host(), wb);
  check.same("scalars", c.host(), wc);
  check.same("across", d.host(), wd);
  return check.end();
}
