// quick exact: the functions on bits of rocport/device_functions.h, whose results have CUDA's signs
#include "../../../hip-runtime/include/rocport/device_functions.h"

#include <type_traits>

#include "check.h"

BOTH int popcount(uint64_t v) {
  int n = 0;
  for (; v; v &= v - 1) n++;
  return n;
}
// Position of the offset-th set bit from base on, downwards if it is negative; ~0u if there is none.
BOTH uint32_t position(uint32_t v, uint32_t base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset * step;
  for (int k = int(base); k >= 0 && k < 32; k += step) {
    if ((v >> k & 1) && --left <= 0) return uint32_t(k);
    if (offset == 0) break;
  }
  return ~0u;
}

struct Counts {
  int narrow, wide;
};
struct Out {
  Counts counts;
  int fewer, fewer_wide, half, first, position, found;
  uint32_t product;
};

__device__ Counts counts(bool both, uint32_t v, uint64_t x) {
  return {both ? rocport::popc(v) : 0, both ? rocport::popcll(x) : 0};
}

__global__ void run(Out* out, int n) {
  static_assert(std::is_same<decltype(rocport::popc(1u)), int>::value, "as in CUDA");
  static_assert(std::is_same<decltype(rocport::popcll(1ull)), int>::value, "as in CUDA");
  static_assert(std::is_same<decltype(rocport::umul24(1u, 1u)), unsigned>::value, "as in CUDA");
  static_assert(std::is_same<decltype(rocport::fns(1u, 0u, 1)), unsigned>::value, "as in CUDA");
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const uint32_t v = bits(i), w = bits(i + 7);
  const uint64_t x = bits64(i), y = bits64(i + 7);
  const uint32_t at = rocport::fns(v, w & 31, int(w >> 5 & 15) - 7);
  Out o;
  o.counts = counts(i % 3 != 0, v, x);
  o.fewer = rocport::popc(v) - rocport::popc(w) < 0;
  o.fewer_wide = rocport::popcll(x) < rocport::popcll(y) - 8;
  o.half = (rocport::popc(v) - rocport::popc(w)) / 2;
  o.first = rocport::ffsll(uint64_t(w) << (v & 63));
  o.position = int(at);
  o.found = at < 32;
  o.product = rocport::umul24(v, w) / 2;
  out[i] = o;
}

int main() {
  Check check;
  constexpr int n = 600;
  Buffer<Out> out(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<Out> want(n);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = bits(i), w = bits(i + 7);
    const uint64_t x = bits64(i), y = bits64(i + 7), moved = uint64_t(w) << (v & 63);
    const uint32_t at = position(v, w & 31, int(w >> 5 & 15) - 7);
    Out& o = want[i];
    o.counts = i % 3 != 0 ? Counts{popcount(v), popcount(x)} : Counts{0, 0};
    o.fewer = popcount(v) < popcount(w);
    o.fewer_wide = popcount(x) < popcount(y) - 8;
    o.half = (popcount(v) - popcount(w)) / 2;
    o.first = moved ? popcount((moved & -moved) - 1) + 1 : 0;
    o.position = int(at);
    o.found = at != ~0u;
    o.product = uint32_t(uint64_t(v & 0xffffff) * (w & 0xffffff)) / 2;
  }
  check.same("signs", out.host(), want);
  return check.end();
}
