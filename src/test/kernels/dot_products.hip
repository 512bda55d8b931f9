// exact: packed dot products by builtins (int8, uint8, int16, int4, half) against plain code
#include "check.h"

typedef short short2_ __attribute__((ext_vector_type(2)));
typedef unsigned short ushort2_ __attribute__((ext_vector_type(2)));
typedef _Float16 half2_ __attribute__((ext_vector_type(2)));

BOTH int byteOf(uint32_t v, int k) { return int8_t(v >> 8 * k); }

BOTH int plain(uint32_t a, uint32_t b, int c) {
  for (int k = 0; k < 4; k++) c += byteOf(a, k) * byteOf(b, k);
  return c;
}

__global__ void run(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t a = bits(i), b = bits(i + n), c = bits(i + 2 * n) >> 4;
  out[6 * i] = plain(a, b, int(c));
  out[6 * i + 1] = __builtin_amdgcn_sdot4(int(a), int(b), int(c), false);
  out[6 * i + 2] = int(__builtin_amdgcn_udot4(a, b, c, false));
  out[6 * i + 3] = __builtin_amdgcn_sdot2(__builtin_bit_cast(short2_, a), __builtin_bit_cast(short2_, b), int(c), false);
  out[6 * i + 4] = __builtin_amdgcn_sdot8(int(a), int(b), int(c), false);
  out[6 * i + 5] = int(__builtin_amdgcn_udot2(__builtin_bit_cast(ushort2_, a), __builtin_bit_cast(ushort2_, b), c, false));
}

__global__ void clamped(int* out) {
  uint32_t a = 0x7f7f7f7f ^ (threadIdx.x & 1 ? 0xffffffffu : 0u), b = 0x7f7f7f7f;
  int c = threadIdx.x & 1 ? -2147483647 : 2147483600;
  out[threadIdx.x] = __builtin_amdgcn_sdot4(int(a), int(b), c, true);
}

__global__ void halves(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  half2_ a = {_Float16(int(bits(i) % 64) - 32), _Float16(int(bits(i) >> 8 & 63))};
  half2_ b = {_Float16(int(bits(i) >> 16 & 63)), _Float16(0.5f)};
  out[i] = __builtin_amdgcn_fdot2(a, b, float(i), false);
}

int main() {
  Check check;
  constexpr int n = 500;
  Buffer<int> out(6 * n), c(64);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<int> want(6 * n);
  for (int i = 0; i < n; i++) {
    uint32_t a = bits(i), b = bits(i + n), x = bits(i + 2 * n) >> 4;
    want[6 * i] = want[6 * i + 1] = plain(a, b, int(x));
    uint32_t u = x, s2 = x, s8 = x, u2 = x;
    for (int k = 0; k < 4; k++) u += (a >> 8 * k & 255) * (b >> 8 * k & 255);
    for (int k = 0; k < 2; k++) s2 += uint32_t(int16_t(a >> 16 * k) * int16_t(b >> 16 * k));
    for (int k = 0; k < 2; k++) u2 += (a >> 16 * k & 0xffff) * (b >> 16 * k & 0xffff);
    for (int k = 0; k < 8; k++) s8 += uint32_t((int(a << (28 - 4 * k)) >> 28) * (int(b << (28 - 4 * k)) >> 28));
    want[6 * i + 2] = int(u);
    want[6 * i + 3] = int(s2);
    want[6 * i + 4] = int(s8);
    want[6 * i + 5] = int(u2);
  }
  check.same("dots", out.host(), want);
  clamped<<<1, 64>>>(c.get());
  std::vector<int> wc(64);
  for (int i = 0; i < 64; i++) wc[i] = i & 1 ? INT32_MIN : INT32_MAX;
  check.same("clamped", c.host(), wc);
  Buffer<float> f(n);
  halves<<<(n + 63) / 64, 64>>>(f.get(), n);
  std::vector<float> wf(n);
  for (int i = 0; i < n; i++)
    wf[i] = float((int(bits(i) % 64) - 32) * int(bits(i) >> 16 & 63)) + float(bits(i) >> 8 & 63) * 0.5f + float(i);
  check.same("halves", f.host(), wf);
  return check.end();
}
