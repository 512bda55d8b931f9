// exact: DPP moves by builtins: row shifts, rotations, mirrors, broadcasts, quads, masks
#include "check.h"

constexpr int kCases = 15;

template <int Ctrl, int Rows, int Banks, bool Bound>
__device__ void one(int* out, int at) {
  int i = threadIdx.x;
  out[at * 64 + i] = __builtin_amdgcn_update_dpp(int(bits(i + 64)), int(bits(i)), Ctrl, Rows, Banks, Bound);
}

__global__ void run(int* out) {
  one<0x1b, 15, 15, true>(out, 0);
  one<0x101, 15, 15, false>(out, 1);
  one<0x113, 15, 15, true>(out, 2);
  one<0x125, 15, 15, false>(out, 3);
  one<0x140, 15, 15, false>(out, 4);
  one<0x141, 15, 15, false>(out, 5);
  one<0x142, 10, 15, false>(out, 6);
  one<0x143, 12, 15, false>(out, 7);
  one<0x138, 15, 15, false>(out, 8);
  one<0x130, 15, 15, true>(out, 9);
  one<0x134, 15, 15, false>(out, 10);
  one<0x13c, 15, 15, false>(out, 11);
  one<0x112, 5, 6, false>(out, 12);
  one<0x153, 15, 15, false>(out, 13);
  one<0x11f, 15, 9, true>(out, 14);
}

// The source lane, or -1 where it lies outside.
int source(int ctrl, int i) {
  int row = i & ~15, k = i & 15, n = ctrl & 15;
  if (ctrl <= 0xff) return (i & ~3) + (ctrl >> 2 * (i & 3) & 3);
  if (ctrl <= 0x10f) return k + n < 16 ? i + n : -1;
  if (ctrl <= 0x11f) return k >= n ? i - n : -1;
  if (ctrl <= 0x12f) return row + ((k - n) & 15);
  switch (ctrl) {
    case 0x130: return i < 63 ? i + 1 : -1;
    case 0x134: return (i + 1) & 63;
    case 0x138: return i - 1;
    case 0x13c: return (i - 1) & 63;
    case 0x140: return row + 15 - k;
    case 0x141: return (i & ~7) + 7 - (i & 7);
    case 0x142: return row ? row - 1 : -1;
    case 0x143: return i >= 32 ? 31 : -1;
    default: return row + n;
  }
}

int main() {
  Check check;
  int cases[kCases][4] = {{0x1b, 15, 15, 1},  {0x101, 15, 15, 0}, {0x113, 15, 15, 1}, {0x125, 15, 15, 0},
                          {0x140, 15, 15, 0}, {0x141, 15, 15, 0}, {0x142, 10, 15, 0}, {0x143, 12, 15, 0},
                          {0x138, 15, 15, 0}, {0x130, 15, 15, 1}, {0x134, 15, 15, 0}, {0x13c, 15, 15, 0},
                          {0x112, 5, 6, 0},   {0x153, 15, 15, 0}, {0x11f, 15, 9, 1}};
  std::vector<int> want(kCases * 64);
  for (int c = 0; c < kCases; c++)
    for (int i = 0; i < 64; i++) {
      int from = source(cases[c][0], i), old = int(bits(i + 64));
      bool enabled = (cases[c][1] >> i / 16 & 1) && (cases[c][2] >> i % 16 / 4 & 1);
      want[c * 64 + i] = !enabled ? old : from >= 0 ? int(bits(from)) : cases[c][3] ? 0 : old;
    }
  Buffer<int> out(kCases * 64);
  run<<<1, 64>>>(out.get());
  check.same("dpp", out.host(), want);
  return check.end();
}
