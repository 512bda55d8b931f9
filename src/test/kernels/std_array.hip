// exact: comparisons of std::array by rocport/array.h, also in functions for host and device
#include "../../../hip-runtime/include/rocport/array.h"

#include "check.h"

using Key = std::array<unsigned char, 5>;
using Wide = std::array<std::array<int, 2>, 2>;

template <typename T>
struct Same {
  constexpr bool operator()(const T& a, const T& b) const { return a == b; }
};

BOTH Key key(int i) {
  const uint64_t v = bits64(i % 29);
  Key k{};
  // Two values in each place, so that many keys share their first elements.
  for (int j = 0; j < 5; ++j) k[j] = (unsigned char)(v >> j & 1);
  return k;
}

BOTH Wide wide(int i) {
  const int v = int(bits(i) & 15);
  return {{{v & 1, v >> 1 & 1}, {v >> 2 & 1, -(v >> 3 & 1)}}};
}

template <typename T>
BOTH int compared(const T& a, const T& b) {
  return (a == b) | (a != b) << 1 | (a < b) << 2 | (a > b) << 3 | (a <= b) << 4 | (a >= b) << 5 |
         Same<T>()(a, b) << 6;
}

struct Out {
  int v[2];
};

BOTH Out all(int i) {
  return {{compared(key(i), key(i * 7 + 3)), compared(wide(i), wide(i * 5 + 1))}};
}

__global__ void run(Out* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = all(i);
}

int main() {
  Check check;
  constexpr int n = 600;
  Buffer<Out> out(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<Out> want(n);
  for (int i = 0; i < n; i++) want[i] = all(i);  // with the comparisons of the library for the host
  check.same("comparisons", out.host(), want);
  return check.end();
}
