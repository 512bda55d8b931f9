// exact: matrix cores of gfx950: floats of 8, 6 and 4 bits in all pairs of formats, with scales
// targets: gfx950
#include "check.h"

#include <string>

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef int i8 __attribute__((ext_vector_type(8)));

constexpr int FORMATS = 5;

struct Format {
  int bits, mantissa, bias;
};

// FP8, BF8, FP6, BF6, FP4
BOTH Format format(int f) {
  const Format all[FORMATS] = {{8, 3, 7}, {8, 2, 15}, {6, 3, 1}, {6, 2, 3}, {4, 1, 1}};
  return all[f];
}

// Codes without infinities and NaN, small enough for sums that do not round.
BOTH unsigned code(int f, unsigned i, unsigned k) {
  Format t = format(f);
  unsigned x = bits(i * 4096 + k + 77 * f);
  if (t.bits == 4) return x & 15;
  unsigned exponent = t.bias + int(x >> 8 & 3) - 2 < 0 ? 0 : t.bias + int(x >> 8 & 3) - 2;
  if (exponent > 3 && t.bits == 6 && t.mantissa == 3) exponent = 3;
  return (x >> 16 & 1) << (t.bits - 1) | exponent << t.mantissa | (x & ((1 << t.mantissa) - 1));
}

float value(int f, unsigned c) {
  Format t = format(f);
  int exponent = c >> t.mantissa & ((1 << (t.bits - 1 - t.mantissa)) - 1);
  int fraction = c & ((1 << t.mantissa) - 1);
  float v = exponent == 0 ? ldexpf(fraction, 1 - t.bias - t.mantissa)
                          : ldexpf(fraction + (1 << t.mantissa), exponent - t.bias - t.mantissa);
  return c >> (t.bits - 1) ? -v : v;
}

// The byte that scales block b of row or column i, in byte `sel` of a word.
BOTH unsigned scale(unsigned i, unsigned b, unsigned sel) { return 125 + bits(i * 8 + b + 1000 * sel) % 3; }
BOTH unsigned scales(unsigned i, unsigned b) {
  unsigned w = 0;
  for (int s = 0; s < 4; s++) w |= scale(i, b, s) << 8 * s;
  return w;
}

template <int F, int M>
__device__ i8 operand(unsigned lane, unsigned seed) {
  constexpr int groups = 64 / M;
  unsigned i = lane % M, g = lane / M, n = format(F).bits;
  unsigned w[8] = {};
  for (unsigned e = 0; e < 32; e++) {
    unsigned k = n == 8 ? e / 16 * 16 * groups + g * 16 + e % 16 : g * 32 + e;
    unsigned c = code(F, i + seed, k), at = e * n;
    w[at / 32] |= c << at % 32;
    if (at % 32 + n > 32) w[at / 32 + 1] |= c >> (32 - at % 32);
  }
  i8 r;
  for (int q = 0; q < 8; q++) r[q] = w[q];
  return r;
}

template <int A, int B>
__global__ void small(float* out, float* plain) {
#if defined(__gfx950__)
  unsigned lane = threadIdx.x;
  i8 a = operand<A, 16>(lane, 0), b = operand<B, 16>(lane, 100);
  int sa = scales(lane % 16, lane / 16), sb = scales(lane % 16 + 100, lane / 16);
  f4 c = {1, 2, 3, 4};
  f4 d = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, c, A, B, 1, sa, 2, sb);
  f4 p = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, c, A, B, 0, 0, 0, 0);
  for (int r = 0; r < 4; r++) {
    out[(4 * (lane / 16) + r) * 16 + lane % 16] = d[r];
    plain[(4 * (lane / 16) + r) * 16 + lane % 16] = p[r];
  }
#endif
}

template <int A, int B>
__global__ void large(float* out, float* uniform) {
#if defined(__gfx950__)
  unsigned lane = threadIdx.x;
  i8 a = operand<A, 32>(lane, 0), b = operand<B, 32>(lane, 100);
  int sa = scales(lane % 32, lane / 32), sb = scales(lane % 32 + 100, lane / 32);
  f16 c = {}, u = {};
  c = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a, b, c, A, B, 3, sa, 0, sb);
  u = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a, b, u, A, B, 0, 128, 0, 126);
  for (int r = 0; r < 16; r++) {
    unsigned row = 8 * (r / 4) + 4 * (lane / 32) + r % 4;
    out[row * 32 + lane % 32] = c[r];
    uniform[row * 32 + lane % 32] = u[r];
  }
#endif
}

std::vector<float> product(int fa, int fb, int m, bool scaled, int selA, int selB) {
  std::vector<float> want(m * m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double sum = m == 16 ? i % 4 + 1 : 0;
      for (int k = 0; k < 2048 / m; k++) {
        double p = double(value(fa, code(fa, i, k))) * value(fb, code(fb, j + 100, k));
        if (scaled) p = ldexp(p, int(scale(i, k / 32, selA)) + int(scale(j + 100, k / 32, selB)) - 254);
        sum += p;
      }
      want[i * m + j] = float(sum);
    }
  return want;
}

template <int A, int B>
void pair(Check& check) {
  Buffer<float> s(256), p(256), l(1024), u(1024);
  small<A, B><<<1, 64>>>(s.get(), p.get());
  large<A, B><<<1, 64>>>(l.get(), u.get());
  std::string name = std::to_string(A) + " " + std::to_string(B);
  check.same(("16 scaled " + name).c_str(), s.host(), product(A, B, 16, true, 1, 2));
  check.same(("16 " + name).c_str(), p.host(), product(A, B, 16, false, 0, 0));
  check.same(("32 scaled " + name).c_str(), l.host(), product(A, B, 32, true, 3, 0));
  check.same(("32 uniform " + name).c_str(), u.host(), product(A, B, 32, false, 0, 0));
}

template <int A>
void row(Check& check) {
  pair<A, 0>(check);
  pair<A, 1>(check);
  pair<A, 2>(check);
  pair<A, 3>(check);
  pair<A, 4>(check);
}

int main() {
  Check check;
  row<0>(check);
  row<1>(check);
  row<2>(check);
  row<3>(check);
  row<4>(check);
  return check.end();
}
