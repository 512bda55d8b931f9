// exact: matrix cores, half and bfloat16 (1k): 32x32x8, 16x16x16; int8 per target
#include "check.h"

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef short s4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((ext_vector_type(4)));

BOTH int a(int i, int k) { return int(bits(i * 131 + k) % 31) - 15; }
BOTH int b(int k, int j) { return int(bits(k * 977 + j + 50000) % 31) - 15; }

BOTH short bf16(int v) { return short(__builtin_bit_cast(uint32_t, float(v)) >> 16); }

__global__ void h32x32x8(float* out, int k) {
  int lane = threadIdx.x;
  f16 acc = {};
  for (int t = 0; t < k; t += 8) {
    h4 x, y;
    for (int q = 0; q < 4; q++) {
      x[q] = _Float16(a(lane % 32, t + 4 * (lane / 32) + q));
      y[q] = _Float16(b(t + 4 * (lane / 32) + q, lane % 32));
    }
    acc = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc, 0, 0, 0);
  }
  for (int r = 0; r < 16; r++) out[(8 * (r / 4) + 4 * (lane / 32) + r % 4) * 32 + lane % 32] = acc[r];
}

__global__ void h16x16x16(float* out, int k) {
  int lane = threadIdx.x;
  f4 acc = {};
  for (int t = 0; t < k; t += 16) {
    h4 x, y;
    for (int q = 0; q < 4; q++) {
      x[q] = _Float16(a(lane % 16, t + 4 * (lane / 16) + q));
      y[q] = _Float16(b(t + 4 * (lane / 16) + q, lane % 16));
    }
    acc = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, acc, 0, 0, 0);
  }
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

__global__ void b16x16x16(float* out, int k) {
  int lane = threadIdx.x;
  f4 acc = {};
  for (int t = 0; t < k; t += 16) {
    s4 x, y;
    for (int q = 0; q < 4; q++) {
      x[q] = bf16(a(lane % 16, t + 4 * (lane / 16) + q));
      y[q] = bf16(b(t + 4 * (lane / 16) + q, lane % 16));
    }
    acc = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, acc, 0, 0, 0);
  }
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

// gfx90a multiplies 16 int8 a step, gfx942 and gfx950 32: the sum over k is the same.
__global__ void int8(int* out, int k) {
  int lane = threadIdx.x;
  i4 acc = {};
#if defined(__gfx942__) || defined(__gfx950__)
  for (int t = 0; t < k; t += 32) {
    long long x = 0, y = 0;
    for (int q = 7; q >= 0; q--) {
      x = x << 8 | (a(lane % 16, t + 8 * (lane / 16) + q) & 255);
      y = y << 8 | (b(t + 8 * (lane / 16) + q, lane % 16) & 255);
    }
    acc = __builtin_amdgcn_mfma_i32_16x16x32_i8(x, y, acc, 0, 0, 0);
  }
#elif defined(__gfx90a__)
  for (int t = 0; t < k; t += 16) {
    int x = 0, y = 0;
    for (int q = 3; q >= 0; q--) {
      x = x << 8 | (a(lane % 16, t + 4 * (lane / 16) + q) & 255);
      y = y << 8 | (b(t + 4 * (lane / 16) + q, lane % 16) & 255);
    }
    acc = __builtin_amdgcn_mfma_i32_16x16x16i8(x, y, acc, 0, 0, 0);
  }
#endif
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

template <class T>
std::vector<T> product(int m, int k) {
  std::vector<T> out(m * m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      for (int t = 0; t < k; t++) out[i * m + j] += T(a(i, t) * b(t, j));
  return out;
}

int main() {
  Check check;
  constexpr int k = 64;
  Buffer<float> x(1024), y(256), z(256);
  Buffer<int> w(256);
  h32x32x8<<<1, 64>>>(x.get(), k);
  h16x16x16<<<1, 64>>>(y.get(), k);
  b16x16x16<<<1, 64>>>(z.get(), k);
  int8<<<1, 64>>>(w.get(), k);
  check.same("half 32x32x8", x.host(), product<float>(32, k));
  check.same("half 16x16x16", y.host(), product<float>(16, k));
  check.same("bfloat 16x16x16", z.host(), product<float>(16, k));
  check.same("int8", w.host(), product<int>(16, k));
  return check.end();
}
