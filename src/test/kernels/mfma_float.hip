// quick exact: matrix cores, float and double: 32x32x2, 16x16x4, 4x4x1, 32x32x1 in two blocks, f64 16x16x4
#include "check.h"

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef float f32 __attribute__((ext_vector_type(32)));
typedef double d4 __attribute__((ext_vector_type(4)));

// Small integers: every order of summation gives the same result.
BOTH float a(int i, int k) { return float(int(bits(i * 131 + k) % 31) - 15); }
BOTH float b(int k, int j) { return float(int(bits(k * 977 + j + 50000) % 31) - 15); }
BOTH float c(int i, int j) { return float(int(bits(i * 61 + j + 90000) % 1001) - 500); }

__global__ void m32x32x2(float* out, int k) {
  int lane = threadIdx.x;
  f16 acc;
  for (int r = 0; r < 16; r++) acc[r] = c(8 * (r / 4) + 4 * (lane / 32) + r % 4, lane % 32);
  for (int t = 0; t < k; t += 2)
    acc = __builtin_amdgcn_mfma_f32_32x32x2f32(a(lane % 32, t + lane / 32), b(t + lane / 32, lane % 32), acc, 0, 0, 0);
  for (int r = 0; r < 16; r++) out[(8 * (r / 4) + 4 * (lane / 32) + r % 4) * 32 + lane % 32] = acc[r];
}

__global__ void m16x16x4(float* out, int k) {
  int lane = threadIdx.x;
  f4 acc;
  for (int r = 0; r < 4; r++) acc[r] = c(4 * (lane / 16) + r, lane % 16);
  for (int t = 0; t < k; t += 4)
    acc = __builtin_amdgcn_mfma_f32_16x16x4f32(a(lane % 16, t + lane / 16), b(t + lane / 16, lane % 16), acc, 0, 0, 0);
  for (int r = 0; r < 4; r++) out[(4 * (lane / 16) + r) * 16 + lane % 16] = acc[r];
}

// Sixteen products of 4x4 at once: block n is in lanes 4n to 4n + 3.
__global__ void m4x4x1(float* out, int k) {
  int lane = threadIdx.x, block = lane / 4;
  f4 acc = {0, 0, 0, 0};
  for (int t = 0; t < k; t++)
    acc = __builtin_amdgcn_mfma_f32_4x4x1f32(a(lane, t), b(t, lane), acc, 0, 0, 0);
  for (int r = 0; r < 4; r++) out[block * 16 + r * 4 + lane % 4] = acc[r];
}

__global__ void m32x32x1(float* out, int k) {
  int lane = threadIdx.x;
  f32 acc = {};
  for (int t = 0; t < k; t++) acc = __builtin_amdgcn_mfma_f32_32x32x1f32(a(lane, t), b(t, lane), acc, 0, 0, 0);
  for (int r = 0; r < 32; r++) {
    int block = r / 16, q = r % 16;
    out[block * 1024 + (8 * (q / 4) + 4 * (lane / 32) + q % 4) * 32 + lane % 32] = acc[r];
  }
}

__global__ void d16x16x4(double* out, int k) {
  int lane = threadIdx.x;
  d4 acc;
  for (int r = 0; r < 4; r++) acc[r] = c(lane / 16 + 4 * r, lane % 16);
  for (int t = 0; t < k; t += 4)
    acc = __builtin_amdgcn_mfma_f64_16x16x4f64(a(lane % 16, t + lane / 16), b(t + lane / 16, lane % 16), acc, 0, 0, 0);
  for (int r = 0; r < 4; r++) out[(lane / 16 + 4 * r) * 16 + lane % 16] = acc[r];
}

template <class T>
std::vector<T> product(int m, int k, int from = 0, bool zero = false) {
  std::vector<T> out(m * m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      T sum = zero ? 0 : c(i, j);
      for (int t = 0; t < k; t++) sum += T(a(from + i, t)) * T(b(t, from + j));
      out[i * m + j] = sum;
    }
  return out;
}

int main() {
  Check check;
  constexpr int k = 24;
  Buffer<float> out(2048);
  auto first = [&](size_t n) {
    std::vector<float> v = out.host();
    v.resize(n);
    return v;
  };
  m32x32x2<<<1, 64>>>(out.get(), k);
  check.same("32x32x2", first(1024), product<float>(32, k));
  m16x16x4<<<1, 64>>>(out.get(), k);
  check.same("16x16x4", first(256), product<float>(16, k));
  m4x4x1<<<1, 64>>>(out.get(), k);
  std::vector<float> want;
  for (int n = 0; n < 16; n++)
    for (float v : product<float>(4, k, 4 * n, true)) want.push_back(v);
  check.same("4x4x1", first(256), want);
  m32x32x1<<<1, 64>>>(out.get(), k);
  want.clear();
  for (int n = 0; n < 2; n++)
    for (float v : product<float>(32, k, 32 * n, true)) want.push_back(v);
  check.same("32x32x1", first(2048), want);
  Buffer<double> d(256);
  d16x16x4<<<1, 64>>>(d.get(), k);
  check.same("f64 16x16x4", d.host(), product<double>(16, k));
  return check.end();
}
