// exact: matrix cores of gfx942 only: fp8, bf8 and xf32
// targets: gfx942
#include "check.h"

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f16 __attribute__((ext_vector_type(16)));

// Integers up to 15 are exact in e4m3 (gfx942's fnuz form: bias 8), up to 7 in e5m2 (bias 16).
BOTH uint8_t code(int v, int mantissa, int bias) {
  if (v == 0) return 0;
  int m = v < 0 ? -v : v, e = 31 - __builtin_clz(m);
  int fraction = (m << mantissa >> e) & ((1 << mantissa) - 1);
  return uint8_t((v < 0) << 7 | (e + bias) << mantissa | fraction);
}

BOTH int a(int i, int k) { return int(bits(i * 131 + k) % 15) - 7; }
BOTH int b(int k, int j) { return int(bits(k * 977 + j + 50000) % 15) - 7; }

__device__ long long pack(int from, int lane, bool left, int mantissa, int bias, int width) {
  long long v = 0;
  for (int q = 7; q >= 0; q--) {
    int k = from + 8 * (lane / width) + q;
    v = v << 8 | code(left ? a(lane % width, k) : b(k, lane % width), mantissa, bias);
  }
  return v;
}

__global__ void fp8(float* out, int k) {
  int lane = threadIdx.x;
  f4 acc = {};
  for (int t = 0; t < k; t += 32)
    acc = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(pack(t, lane, true, 3, 8, 16), pack(t, lane, false, 3, 8, 16), acc, 0, 0, 0);
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

__global__ void mixed(float* out, int k) {
  int lane = threadIdx.x;
  f16 acc = {};
  for (int t = 0; t < k; t += 16)
    acc = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(pack(t, lane, true, 3, 8, 32), pack(t, lane, false, 3, 8, 32), acc, 0, 0, 0);
  for (int r = 0; r < 16; r++) out[(8 * (r / 4) + 4 * (lane / 32) + r % 4) * 32 + lane % 32] = acc[r];
}

__global__ void bf8(float* out, int k) {
  int lane = threadIdx.x;
  f4 acc = {};
  for (int t = 0; t < k; t += 32)
    acc = __builtin_amdgcn_mfma_f32_16x16x32_bf8_fp8(pack(t, lane, true, 2, 16, 16), pack(t, lane, false, 3, 8, 16), acc, 0, 0, 0);
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

__global__ void xf32(float* out, int k) {
  int lane = threadIdx.x;
  f4 acc = {};
  for (int t = 0; t < k; t += 8) {
    f2 x, y;
    for (int q = 0; q < 2; q++) {
      x[q] = float(a(lane % 16, t + 2 * (lane / 16) + q));
      y[q] = float(b(t + 2 * (lane / 16) + q, lane % 16));
    }
    acc = __builtin_amdgcn_mfma_f32_16x16x8_xf32(x, y, acc, 0, 0, 0);
  }
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

// e5m2 keeps two bits of fraction: odd numbers above 4 round toward the code above.
int rounded(int v) {
  int m = v < 0 ? -v : v, e = m ? 31 - __builtin_clz(m) : 0, keep = m << 2 >> e;
  return (v < 0 ? -1 : 1) * (e >= 2 ? keep << (e - 2) : m);
}

std::vector<float> product(int m, int k, bool bf8) {
  std::vector<float> out(m * m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      for (int t = 0; t < k; t++) out[i * m + j] += float((bf8 ? rounded(a(i, t)) : a(i, t)) * b(t, j));
  return out;
}

int main() {
  Check check;
  constexpr int k = 64;
  Buffer<float> w(256), x(1024), y(256), z(256);
  fp8<<<1, 64>>>(w.get(), k);
  mixed<<<1, 64>>>(x.get(), k);
  bf8<<<1, 64>>>(y.get(), k);
  xf32<<<1, 64>>>(z.get(), k);
  check.same("fp8", w.host(), product(16, k, false));
  check.same("fp8 32x32", x.host(), product(32, k, false));
  check.same("bf8", y.host(), product(16, k, true));
  check.same("xf32", z.host(), product(16, k, false));
  return check.end();
}
