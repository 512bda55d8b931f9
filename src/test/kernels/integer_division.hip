// quick exact: division and remainder of 8 to 64 bits, by variables and constants, edge values
#include "check.h"

template <class T>
struct Pair {
  T quotient, remainder;
};

template <class T>
BOTH T operand(uint32_t i) {
  uint64_t w = bits64(i) >> (bits(i * 7) % (8 * sizeof(T)));
  switch (i % 11) {
    case 0: return T(0);
    case 1: return T(-1);
    case 2: return T(T(1) << (8 * sizeof(T) - 1));
    case 3: return T(1);
    default: return T(w);
  }
}

template <class T>
BOTH Pair<T> divide(uint32_t i) {
  T a = operand<T>(i), b = operand<T>(i / 11 + 3 * i + 5);
  if (b == 0) b = 3;
  if constexpr (T(-1) < T(0))
    if (b == T(-1) && a == T(T(1) << (8 * sizeof(T) - 1))) b = 2;
  return {T(a / b), T(a % b)};
}

template <class T>
BOTH T constants(uint32_t i) {
  T a = operand<T>(i);
  return T(a / 3 + a % 7 * 5 + a / 10 - a % 100 + a / 127 + a % 64 + a / 16);
}

template <class T>
__global__ void run(Pair<T>* out, T* byConstants, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = divide<T>(i);
  byConstants[i] = constants<T>(i);
}

template <class T>
void all(Check& check, const char* name) {
  constexpr int n = 1331;
  Buffer<Pair<T>> out(n);
  Buffer<T> c(n);
  run<T><<<(n + 255) / 256, 256>>>(out.get(), c.get(), n);
  std::vector<Pair<T>> want(n);
  std::vector<T> wc(n);
  for (int i = 0; i < n; i++) {
    want[i] = divide<T>(i);
    wc[i] = constants<T>(i);
  }
  check.same(name, out.host(), want);
  check.same(name, c.host(), wc);
}

__global__ void uniform(unsigned long long* out, unsigned a, unsigned b, unsigned long long c, unsigned long long d) {
  out[0] = a / b;
  out[1] = a % b;
  out[2] = c / d;
  out[3] = c % d;
  out[4] = (unsigned long long)((long long)c / (int)b);
}

int main() {
  Check check;
  all<int8_t>(check, "int8");
  all<uint8_t>(check, "uint8");
  all<int16_t>(check, "int16");
  all<uint16_t>(check, "uint16");
  all<int>(check, "int32");
  all<unsigned>(check, "uint32");
  all<long long>(check, "int64");
  all<unsigned long long>(check, "uint64");
  Buffer<unsigned long long> u(5);
  unsigned long long c = 0xfedcba9876543210ull, d = 0x123456789ull;
  uniform<<<1, 1>>>(u.get(), 4000000001u, 977u, c, d);
  check.same("uniform", u.host(),
             std::vector<unsigned long long>{4000000001u / 977u, 4000000001u % 977u, c / d, c % d,
                                             (unsigned long long)((long long)c / 977)});
  return check.end();
}
