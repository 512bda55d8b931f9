// exact: sparse wmma and dot products of 8-bit floats of RDNA 4 by builtins, against plain code
// targets: gfx1201
#include "check.h"

typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef _Float16 half8 __attribute__((ext_vector_type(8)));
typedef short short16 __attribute__((ext_vector_type(16)));
typedef short short8 __attribute__((ext_vector_type(8)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef int int8 __attribute__((ext_vector_type(8)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int2_ __attribute__((ext_vector_type(2)));

constexpr int N = 16, K = 32;

/** Of each four columns of A, two are not 0. */
struct Matrices {
  int a[N][K], b[K][N], c[N][N];
};

struct Results {
  float f16[N][N], bf16[N][N], i8[N][N], i4[N][N], fp8[N][N], halves[N][N], dots[32];
};

BOTH int small(uint32_t v, int bound) { return int(v % (2 * bound)) - bound; }

__device__ short brain(int v) { return short(__builtin_bit_cast(uint32_t, float(v)) >> 16); }

/** A whole number from -4 to 4 as float of 8 bits: E4M3, or E5M2. */
BOTH uint32_t fp8(int v, bool wide) {
  uint32_t sign = v < 0 ? 0x80 : 0, size = v < 0 ? -v : v;
  const uint32_t narrow[] = {0, 0x38, 0x40, 0x44, 0x48}, broad[] = {0, 0x3c, 0x40, 0x42, 0x44};
  return sign | (wide ? broad : narrow)[size];
}

/** Two bits for each kept element of four columns: which two of them are kept. */
__device__ uint32_t places(const int* four, int* kept) {
  uint32_t bits = 0;
  int n = 0;
  for (int k = 0; k < 4; k++) {
    if (four[k] != 0 && n < 2) bits |= k << 2 * n, kept[n++] = four[k];
  }
  for (int k = 3; n < 2; k--) {  // fewer than two: any others, which are 0
    if (four[k] == 0) bits |= k << 2 * n, kept[n++] = 0;
  }
  return bits;
}

__global__ void run(Matrices* m, Results* out) {
#ifdef __GFX12__
  int lane = threadIdx.x, i = lane % N, half = lane / N;
  half8 ha;
  half16 hb;
  short8 sa;
  short16 sb;
  uint32_t index16 = 0, index8 = 0, ba[2] = {}, fa[2] = {}, na = 0, bb[4] = {}, fb[4] = {}, nb[2] = {};
  for (int g = 0; g < 4; g++) {
    int kept[2];
    // of 16 bits a lane holds columns 8 half to 8 half + 7, and those 16 further
    int k16 = 16 * (g / 2) + 8 * half + 4 * (g % 2), k8 = 16 * half + 4 * g;
    index16 |= places(&m->a[i][k16], kept) << 4 * g;
    for (int t = 0; t < 2; t++) ha[2 * g + t] = kept[t], sa[2 * g + t] = brain(kept[t]);
    index8 |= places(&m->a[i][k8], kept) << 4 * g;
    for (int t = 0; t < 2; t++) {
      int e = 2 * g + t;
      ba[e / 4] |= (kept[t] & 255) << 8 * (e % 4), fa[e / 4] |= fp8(kept[t], false) << 8 * (e % 4);
      na |= (kept[t] & 15) << 4 * e;
    }
    for (int t = 0; t < 4; t++) {
      int e = 4 * g + t, b = m->b[k8 + t][i];
      hb[e] = m->b[k16 + t][i], sb[e] = brain(m->b[k16 + t][i]);
      bb[e / 4] |= (b & 255) << 8 * (e % 4), fb[e / 4] |= fp8(b, true) << 8 * (e % 4);
      nb[e / 8] |= (b & 15) << 4 * (e % 8);
    }
  }
  float8 fc;
  int8 ic;
  half8 hc;
  for (int r = 0; r < 8; r++) fc[r] = ic[r] = hc[r] = m->c[8 * half + r][i];
  int2_ byteA = {int(ba[0]), int(ba[1])}, smallA = {int(fa[0]), int(fa[1])}, nibbleB = {int(nb[0]), int(nb[1])};
  int4_ byteB = {int(bb[0]), int(bb[1]), int(bb[2]), int(bb[3])}, smallB = {int(fb[0]), int(fb[1]), int(fb[2]), int(fb[3])};
  float8 f = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(ha, hb, fc, short(index16));
  float8 g = __builtin_amdgcn_swmmac_f32_16x16x32_bf16_w32(sa, sb, fc, short(index16));
  half8 h = __builtin_amdgcn_swmmac_f16_16x16x32_f16_w32(ha, hb, hc, short(index16));
  int8 b = __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w32(true, byteA, true, byteB, ic, short(index8), false);
  int8 n = __builtin_amdgcn_swmmac_i32_16x16x32_iu4_w32(true, int(na), true, nibbleB, ic, short(index8), false);
  float8 s = __builtin_amdgcn_swmmac_f32_16x16x32_fp8_bf8_w32(smallA, smallB, fc, short(index8));
  for (int r = 0; r < 8; r++) {
    int row = 8 * half + r;
    out->f16[row][i] = f[r], out->bf16[row][i] = g[r], out->halves[row][i] = float(h[r]);
    out->i8[row][i] = float(b[r]), out->i4[row][i] = float(n[r]), out->fp8[row][i] = s[r];
  }
  uint32_t x = 0, y = 0;
  for (int t = 0; t < 4; t++) x |= fp8(m->a[i][16 * half + t], false) << 8 * t, y |= fp8(m->b[t][i], true) << 8 * t;
  out->dots[lane] = __builtin_amdgcn_dot4_f32_fp8_bf8(x, y, float(m->c[0][i]));
#endif
}

int main() {
  Check check;
  Buffer<Results> out(1);
  std::vector<Matrices> m(1);
  std::vector<float> want(N * N), dots(32);
  uint32_t x = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) m[0].c[i][j] = small(bits(x++), 40);
    for (int k = 0; k < K; k++) m[0].b[k][i] = small(bits(x++), 4);
    for (int k = 0; k < K; k += 4) {
      int first = bits(x++) % 4, second = (first + 1 + bits(x++) % 3) % 4;
      m[0].a[i][k + first] = small(bits(x++), 4), m[0].a[i][k + second] = small(bits(x++), 4);
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = m[0].c[i][j];
      for (int k = 0; k < K; k++) sum += m[0].a[i][k] * m[0].b[k][j];
      want[i * N + j] = float(sum);
    }
  for (int lane = 0; lane < 32; lane++) {
    int i = lane % N, sum = m[0].c[0][i];
    for (int t = 0; t < 4; t++) sum += m[0].a[i][16 * (lane / N) + t] * m[0].b[t][i];
    dots[lane] = float(sum);
  }
  Buffer<Matrices> in(m);
  run<<<1, 32>>>(in.get(), out.get());
  Results r = out.host()[0];
  auto list = [](const float (&v)[N][N]) { return std::vector<float>(&v[0][0], &v[0][0] + N * N); };
  check.same("f16", list(r.f16), want);
  check.same("bf16", list(r.bf16), want);
  check.same("i8", list(r.i8), want);
  check.same("i4", list(r.i4), want);
  check.same("fp8", list(r.fp8), want);
  check.same("f16 sums", list(r.halves), want);
  check.same("dots", std::vector<float>(r.dots, r.dots + 32), dots);
  return check.end();
}
