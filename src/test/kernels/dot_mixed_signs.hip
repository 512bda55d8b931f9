// exact: dot products of signed and unsigned small integers, and of bfloat16, by builtins of RDNA, against plain code
// targets: gfx1100 gfx1151 gfx1201
#include "check.h"

typedef short short2_ __attribute__((ext_vector_type(2)));

BOTH int part(uint32_t v, int k, int width, bool isSigned) {
  int top = int(v << (32 - width * (k + 1)));
  return isSigned ? top >> (32 - width) : int(uint32_t(top) >> (32 - width));
}

BOTH uint32_t plain(uint32_t a, uint32_t b, uint32_t c, int width, bool signedA, bool signedB) {
  for (int k = 0; k < 32 / width; k++) c += uint32_t(part(a, k, width, signedA) * part(b, k, width, signedB));
  return c;
}

__global__ void run(int* out, float* sums, int n) {
#if defined(__GFX11__) || defined(__GFX12__)
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = int(bits(i)), b = int(bits(i + n)), c = int(bits(i + 2 * n)) >> 4;
  out[8 * i] = __builtin_amdgcn_sudot4(false, a, false, b, c, false);
  out[8 * i + 1] = __builtin_amdgcn_sudot4(true, a, false, b, c, false);
  out[8 * i + 2] = __builtin_amdgcn_sudot4(false, a, true, b, c, false);
  out[8 * i + 3] = __builtin_amdgcn_sudot4(true, a, true, b, c, false);
  out[8 * i + 4] = __builtin_amdgcn_sudot8(true, a, false, b, c, false);
  out[8 * i + 5] = __builtin_amdgcn_sudot8(true, a, true, b, c, false);
  out[8 * i + 6] = __builtin_amdgcn_sudot4(false, -1, false, -1, 0x7fffff00 + (i & 255), true);
  out[8 * i + 7] = __builtin_amdgcn_sudot4(true, 0x80808080, false, -1, int(0x80000000) + (i & 255), true);
  short2_ x = {short(0x3f80 + (i & 1) * 0x80), short(0xbf00)}, y = {short(0x4000), short(0x4040)};
  sums[i] = __builtin_amdgcn_fdot2_f32_bf16(x, y, float(i), false);
#endif
}

int main() {
  Check check;
  constexpr int n = 300;
  Buffer<int> out(8 * n);
  Buffer<float> sums(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), sums.get(), n);
  std::vector<int> want(8 * n);
  std::vector<float> wanted(n);
  for (int i = 0; i < n; i++) {
    uint32_t a = bits(i), b = bits(i + n), c = uint32_t(int(bits(i + 2 * n)) >> 4);
    for (int signs = 0; signs < 4; signs++) want[8 * i + signs] = int(plain(a, b, c, 8, signs & 1, signs & 2));
    want[8 * i + 4] = int(plain(a, b, c, 4, true, false));
    want[8 * i + 5] = int(plain(a, b, c, 4, true, true));
    want[8 * i + 6] = INT32_MAX;
    want[8 * i + 7] = INT32_MIN;
    wanted[i] = (i & 1 ? 2.0f : 1.0f) * 2.0f - 0.5f * 3.0f + float(i);
  }
  check.same("integers", out.host(), want);
  check.same("bfloat16", sums.host(), wanted);
  return check.end();
}
