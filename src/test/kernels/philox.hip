// exact: Philox 4x32-10 with its known answer, xorshift128, a Monte Carlo estimate of pi
#include "check.h"

struct Four {
  uint32_t v[4];
};

BOTH Four philox(Four c, uint32_t k0, uint32_t k1) {
  for (int r = 0; r < 10; r++) {
    uint64_t a = uint64_t(0xd2511f53u) * c.v[0], b = uint64_t(0xcd9e8d57u) * c.v[2];
    c = {{uint32_t(b >> 32) ^ c.v[1] ^ k0, uint32_t(b), uint32_t(a >> 32) ^ c.v[3] ^ k1, uint32_t(a)}};
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return c;
}

BOTH uint32_t xorshift(Four& s) {
  uint32_t t = s.v[3], a = s.v[0];
  s.v[3] = s.v[2];
  s.v[2] = s.v[1];
  s.v[1] = a;
  t ^= t << 11;
  t ^= t >> 8;
  return s.v[0] = t ^ a ^ a >> 19;
}

BOTH unsigned inside(uint32_t stream, int n) {
  unsigned hits = 0;
  for (int i = 0; i < n; i++) {
    Four f = philox({{uint32_t(i), stream, 0, 0}}, 1234, 5678);
    for (int h = 0; h < 2; h++) {
      float x = float(f.v[2 * h] >> 8) * 0x1p-24f, y = float(f.v[2 * h + 1] >> 8) * 0x1p-24f;
      hits += fmaf(x, x, y * y) < 1;
    }
  }
  return hits;
}

__global__ void numbers(Four* out) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = philox({{i, bits(i), 7, ~i}}, bits(i + 1), 42);
}

__global__ void shifts(uint32_t* out, int n) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  Four s = {{bits(i), bits(i + 1), bits(i + 2), bits(i + 3) | 1}};
  uint32_t v = 0;
  for (int k = 0; k < n; k++) v = v * 5 + xorshift(s);
  out[i] = v;
}

__global__ void pi(unsigned* hits, int n) {
  unsigned mine = inside(blockIdx.x * blockDim.x + threadIdx.x, n);
  for (int s = 32; s > 0; s /= 2) mine += __shfl_down(mine, s);
  if (threadIdx.x % 64 == 0) atomicAdd(hits, mine);
}

int main() {
  Check check;
  Four known = philox({{0, 0, 0, 0}}, 0, 0);
  check.same("known answer", known, Four{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  constexpr int n = 256;
  Buffer<Four> a(n);
  Buffer<uint32_t> b(n);
  Buffer<unsigned> hits(1);
  numbers<<<2, n / 2>>>(a.get());
  shifts<<<4, n / 4>>>(b.get(), 50);
  pi<<<2, n / 2>>>(hits.get(), 40);
  std::vector<Four> wa(n);
  std::vector<uint32_t> wb(n);
  unsigned total = 0;
  for (uint32_t i = 0; i < n; i++) {
    wa[i] = philox({{i, bits(i), 7, ~i}}, bits(i + 1), 42);
    Four s = {{bits(i), bits(i + 1), bits(i + 2), bits(i + 3) | 1}};
    for (int k = 0; k < 50; k++) wb[i] = wb[i] * 5 + xorshift(s);
    total += inside(i, 40);
  }
  check.same("philox", a.host(), wa);
  check.same("xorshift", b.host(), wb);
  check.same("hits", hits.host(), std::vector<unsigned>{total});
  check.that("pi", fabs(4.0 * total / (n * 40 * 2) - M_PI) < 0.05);
  return check.end();
}
