// exact: min and max of two integer types by rocport/host_math.h: compared as CUDA compares them
#include "../../../hip-runtime/include/rocport/host_math.h"

#include <type_traits>

#include "check.h"

// Takes precedence over that of the header.
__device__ __forceinline__ unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

struct Out {
  int v[12];
  uint64_t w[2];
};

template <typename R, typename A, typename B>
BOTH void is() {
  static_assert(std::is_same<decltype(min(A(), B())), R>::value, "as in CUDA");
  static_assert(std::is_same<decltype(max(B(), A())), R>::value, "as in CUDA");
}

__global__ void run(Out* out, int n) {
  is<int, short, int>();
  is<int, unsigned char, int>();
  is<int, bool, int>();
  is<int, unsigned short, short>();
  is<int, signed char, unsigned char>();
  is<unsigned, unsigned short, unsigned>();
  is<unsigned, char, unsigned>();
  is<unsigned, int, unsigned>();
  is<unsigned long long, long long, unsigned long long>();
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const uint32_t v = bits(i), w = bits(i + 7);
  const int s = int(w) >> (v & 31);
  const uint64_t x = bits64(i), y = bits64(i + 7);
  Out o;
  o.v[0] = min(short(v), s) / 2 % 1000;
  o.v[1] = max(s, short(v)) / 2 % 1000;
  o.v[2] = min((unsigned char)v, s) / 8 % 9;
  o.v[3] = max((signed char)v, (unsigned char)w) / 2 * 4;
  o.v[4] = int(min((signed char)v, w) / 2 * 4);
  o.v[5] = int(max(w, (short)v) / 2 * 4);
  o.v[6] = min((unsigned short)v, short(w)) / 2 * 4;
  o.v[7] = int(min(v, s));
  o.v[8] = int(max(s, v));
  o.v[9] = min(v % 2 == 0, s);
  o.v[10] = 100 % ((max((unsigned char)v, 3) & 7) | 1);
  o.v[11] = int(min((unsigned short)v, w) / 2 * 4);
  o.w[0] = min((long long)x, (unsigned long long)y);
  o.w[1] = max((unsigned long)x, (long)y);
  out[i] = o;
}

template <typename T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
T most(T a, T b) {
  return a < b ? b : a;
}

int main() {
  Check check;
  constexpr int n = 600;
  Buffer<Out> out(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<Out> want(n);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = bits(i), w = bits(i + 7);
    const int s = int(w) >> (v & 31);
    const uint64_t x = bits64(i), y = bits64(i + 7);
    Out& o = want[i];
    o.v[0] = least<int>(short(v), s) / 2 % 1000;
    o.v[1] = most<int>(s, short(v)) / 2 % 1000;
    o.v[2] = least<int>((unsigned char)v, s) / 8 % 9;
    o.v[3] = most<int>((signed char)v, (unsigned char)w) / 2 * 4;
    o.v[4] = int(least<unsigned>((signed char)v, w) / 2 * 4);
    o.v[5] = int(most<unsigned>(w, (short)v) / 2 * 4);
    o.v[6] = least<int>((unsigned short)v, short(w)) / 2 * 4;
    o.v[7] = int(least<unsigned>(v, s));
    o.v[8] = int(most<unsigned>(s, v));
    o.v[9] = least<int>(v % 2 == 0, s);
    o.v[10] = 100 % ((most<int>((unsigned char)v, 3) & 7) | 1);
    o.v[11] = int(least<unsigned>((unsigned short)v, w) / 2 * 4);
    o.w[0] = least<uint64_t>(x, y);
    o.w[1] = most<uint64_t>(x, y);
  }
  check.same("extremes", out.host(), want);
  return check.end();
}
