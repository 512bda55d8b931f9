// exact: byte histograms by LDS atomics, by global atomics and in private registers
#include "check.h"

__global__ void shared(const uint8_t* in, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}

__global__ void global(const uchar4* in, int n, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 v = in[i];
  atomicAdd(&bins[v.x], 1u);
  atomicAdd(&bins[v.y], 1u);
  atomicAdd(&bins[v.z], 1u);
  atomicAdd(&bins[v.w], 1u);
}

__global__ void privates(const uint8_t* in, int n, unsigned* bins) {
  uint8_t count[16] = {};
  for (int i = threadIdx.x; i < n; i += blockDim.x) count[in[i] >> 4]++;
  for (int b = 0; b < 16; b++) atomicAdd(&bins[b], unsigned(count[b]));
}

int main() {
  Check check;
  constexpr int n = 20000;
  std::vector<uint8_t> in(n);
  std::vector<unsigned> want(256), coarse(16);
  for (int i = 0; i < n; i++) {
    in[i] = bits(i) & bits(i + n);
    want[in[i]]++;
    coarse[in[i] >> 4]++;
  }
  Buffer<uint8_t> d(in);
  Buffer<unsigned> a(256), b(256), c(16);
  shared<<<7, 192>>>(d.get(), n, a.get());
  global<<<(n / 4 + 255) / 256, 256>>>(reinterpret_cast<uchar4*>(d.get()), n / 4, b.get());
  privates<<<1, 1024>>>(d.get(), n, c.get());
  check.same("shared", a.host(), want);
  check.same("global", b.host(), want);
  check.same("private", c.host(), coarse);
  return check.end();
}
