// exact: wmma of RDNA by builtins, in the fragments of each generation, against plain code
// targets: gfx1100 gfx1151 gfx1201
#include "check.h"

#include <cmath>

typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef short short16 __attribute__((ext_vector_type(16)));
typedef _Float16 half8 __attribute__((ext_vector_type(8)));
typedef short short8 __attribute__((ext_vector_type(8)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef int int8 __attribute__((ext_vector_type(8)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int2_ __attribute__((ext_vector_type(2)));

constexpr int N = 16;

struct Matrices {
  int a[N][N], b[N][N], c[N][N];
};

struct Results {
  float f16[N][N], bf16[N][N], i8[N][N], i4[N][N], halves[N][N], brain[N][N];
};

BOTH int small(uint32_t v, int bound) { return int(v % (2 * bound)) - bound; }

__device__ short brain(int v) { return short(__builtin_bit_cast(uint32_t, float(v)) >> 16); }
__device__ float wide(short v) { return __builtin_bit_cast(float, uint32_t(uint16_t(v)) << 16); }

#if defined(__gfx1200__) || defined(__gfx1201__)
// A lane holds half of a row or column, and rows 8 (lane / 16) to 8 (lane / 16) + 7 of C and D.
#define EACH 8
#define FIRST (8 * (lane / 16))
#define ROW(r) (8 * (lane / 16) + (r))
typedef half8 Half;
typedef short8 Short;
#define F16(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c)
#define BF16(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c)
#else
// A lane holds all of a row or column, and every other row of C and D.
#define EACH 16
#define FIRST 0
#define ROW(r) (2 * (r) + lane / 16)
typedef half16 Half;
typedef short16 Short;
#define F16(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c)
#define BF16(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c)
#endif

__global__ void run(Matrices* m, Results* out) {
#if defined(__GFX11__) || defined(__GFX12__)
  int lane = threadIdx.x, i = lane % N;
  Half ha, hb;
  Short sa, sb;
  uint32_t bytesA[4] = {}, bytesB[4] = {}, nibblesA[2] = {}, nibblesB[2] = {};
  for (int e = 0; e < EACH; e++) {
    int a = m->a[i][FIRST + e], b = m->b[FIRST + e][i];
    ha[e] = a, hb[e] = b;
    sa[e] = brain(a), sb[e] = brain(b);
    bytesA[e / 4] |= uint32_t(a & 255) << 8 * (e % 4), bytesB[e / 4] |= uint32_t(b & 255) << 8 * (e % 4);
    nibblesA[e / 8] |= uint32_t(a & 15) << 4 * (e % 8), nibblesB[e / 8] |= uint32_t(b & 15) << 4 * (e % 8);
  }
  float8 fc;
  int8 ic;
  for (int r = 0; r < 8; r++) fc[r] = ic[r] = m->c[ROW(r)][i];
  float8 f = F16(ha, hb, fc), g = BF16(sa, sb, fc);
#if EACH == 16
  int4_ ba = {int(bytesA[0]), int(bytesA[1]), int(bytesA[2]), int(bytesA[3])};
  int4_ bb = {int(bytesB[0]), int(bytesB[1]), int(bytesB[2]), int(bytesB[3])};
  int2_ na = {int(nibblesA[0]), int(nibblesA[1])}, nb = {int(nibblesB[0]), int(nibblesB[1])};
  int8 b = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, ba, true, bb, ic, false);
  int8 n = __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32(true, na, true, nb, ic, true);
  half16 hc;
  short16 sc;
  for (int r = 0; r < 8; r++) hc[2 * r] = hc[2 * r + 1] = m->c[ROW(r)][i], sc[2 * r] = sc[2 * r + 1] = brain(m->c[ROW(r)][i]);
  // both halves of each register, one after the other
  half16 low = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(ha, hb, hc, false);
  half16 high = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(ha, hb, hc, true);
  short16 s = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w32(sa, sb, sc, true);
#define HALF(r) (r % 2 ? float(high[2 * r + 1]) : float(low[2 * r]))
#define BRAIN(r) wide(s[2 * r + 1])
#else
  int2_ ba = {int(bytesA[0]), int(bytesA[1])}, bb = {int(bytesB[0]), int(bytesB[1])};
  int8 b = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, ba, true, bb, ic, false);
  int8 n = __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32_gfx12(true, int(nibblesA[0]), true, int(nibblesB[0]), ic, true);
  half8 hc;
  short8 sc;
  for (int r = 0; r < 8; r++) hc[r] = m->c[ROW(r)][i], sc[r] = brain(m->c[ROW(r)][i]);
  half8 h = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32_gfx12(ha, hb, hc);
  short8 s = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w32_gfx12(sa, sb, sc);
#define HALF(r) float(h[r])
#define BRAIN(r) wide(s[r])
#endif
  for (int r = 0; r < 8; r++) {
    out->f16[ROW(r)][i] = f[r], out->bf16[ROW(r)][i] = g[r];
    out->i8[ROW(r)][i] = float(b[r]), out->i4[ROW(r)][i] = float(n[r]);
    out->halves[ROW(r)][i] = HALF(r), out->brain[ROW(r)][i] = BRAIN(r);
  }
#endif
}

int main() {
  Check check;
  Buffer<Results> out(1);
  std::vector<Matrices> m(1);
  std::vector<float> want(N * N);
  uint32_t x = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      m[0].a[i][j] = small(bits(x++), 2), m[0].b[i][j] = small(bits(x++), 2), m[0].c[i][j] = small(bits(x++), 40);
  Buffer<Matrices> in(m);
  run<<<1, 32>>>(in.get(), out.get());
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = m[0].c[i][j];
      for (int k = 0; k < N; k++) sum += m[0].a[i][k] * m[0].b[k][j];
      want[i * N + j] = float(sum);
    }
  Results r = out.host()[0];
  auto list = [](const float (&v)[N][N]) { return std::vector<float>(&v[0][0], &v[0][0] + N * N); };
  check.same("f16", list(r.f16), want);
  check.same("bf16", list(r.bf16), want);
  check.same("i8", list(r.i8), want);
  check.same("i4", list(r.i4), want);
  check.same("f16 sums", list(r.halves), want);
  check.same("bf16 sums", list(r.brain), want);
  return check.end();
}
