// exact: byte histograms by LDS atomics, by global atomics and in private registers; accesses outside the LDS
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

BOTH int place(int round, int each, int own, int outside) { return round % each == 2 ? outside : own; }

__global__ void leaves(unsigned* out, int outside, int rounds) {
  extern __shared__ unsigned words[];
  int t = threadIdx.x;
  unsigned sum = 0;
  words[t] = t;
  for (int r = 0; r < rounds; r++) {
    sum = sum * 31 + words[place(r, 3, t, outside + t)];
    words[place(r, 5, t, outside - 2 * t)] += r;
    if (r % 7 == 3) sum += atomicAdd(&words[outside + t], 1u) + 5;
  }
  out[t] = sum;
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
  Buffer<unsigned> near(128), far(128);
  leaves<<<1, 128, 512>>>(near.get(), 1024, 200);
  leaves<<<1, 128, 512>>>(far.get(), 0x3c0000, 200);
  std::vector<unsigned> left(128);
  for (int t = 0; t < 128; t++) {
    unsigned word = t;
    for (int r = 0; r < 200; r++) {
      left[t] = left[t] * 31 + (place(r, 3, 1, 0) ? word : 0);
      if (place(r, 5, 1, 0)) word += r;
      if (r % 7 == 3) left[t] += 5;
    }
  }
  check.same("outside, near", near.host(), left);
  check.same("outside, far", far.host(), left);
  return check.end();
}
