// quick exact: IEEE float: divide, root, fma, rounding, denormals, infinities, comparisons, conversions
#include "check.h"

BOTH float operand(uint32_t i) {
  switch (i % 29) {
    case 0: return 0.0f;
    case 1: return -0.0f;
    case 2: return INFINITY;
    case 3: return -INFINITY;
    case 4: return __builtin_bit_cast(float, bits(i) & 0x807fffffu);
    case 5: return __builtin_bit_cast(float, 0x7f7fffffu);
    case 6: return __builtin_bit_cast(float, 0x00800000u);
    default: return __builtin_bit_cast(float, (bits(i) & 0x807fffffu) | (127 - 40 + bits(i + 5) % 80) << 23);
  }
}

BOTH uint32_t number(float f) { return f != f ? 0x7fc00000u : __builtin_bit_cast(uint32_t, f); }

template <class T>
BOTH T saturate(float f) {
  constexpr float low = sizeof(T) == 4 ? (T(-1) < T(0) ? -0x1p31f : 0.0f) : (T(-1) < T(0) ? -0x1p63f : 0.0f);
  constexpr float high = sizeof(T) == 4 ? (T(-1) < T(0) ? 0x1p31f : 0x1p32f) : (T(-1) < T(0) ? 0x1p63f : 0x1p64f);
  return f >= low && f < high ? T(f) : T(0);
}

struct Out {
  uint32_t sum, product, quotient, root, fused, floor, ceil, trunc, rint, round, least, most, sign, mantissa, scaled;
  int exponent;
  uint32_t compare, fromInt, fromUnsigned, fromLong, fromUlong, wide[2];
  int toInt;
  unsigned toUnsigned;
  long long toLong;
  unsigned long long toUlong;
};

BOTH Out compute(uint32_t i) {
  float a = operand(i), b = operand(i * 3 + 1), c = operand(i * 5 + 2);
  Out o = {};
  o.sum = number(a + b);
  o.product = number(a * b);
  o.quotient = number(a / b);
  o.root = number(sqrtf(fabsf(a)));
  o.fused = number(fmaf(a, b, c));
  o.floor = number(floorf(c));
  o.ceil = number(ceilf(c));
  o.trunc = number(truncf(c));
  o.rint = number(rintf(c));
  o.round = number(roundf(c));
  o.least = a == b ? 0 : number(fminf(a, b));
  o.most = a == b ? 0 : number(fmaxf(a, b));
  o.sign = number(copysignf(a, b));
  if (std::isfinite(c)) {
    o.mantissa = number(frexpf(c, &o.exponent));
  }
  o.scaled = number(ldexpf(a, int(i % 61) - 30));
  o.compare = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | !(a < c) << 5 |
              std::isinf(a) << 6 | std::isnan(a - b) << 7 | std::isfinite(b) << 8 | std::signbit(c) << 9;
  o.fromInt = number(float(int(bits(i))));
  o.fromUnsigned = number(float(bits(i)));
  o.fromLong = number(float((long long)bits64(i) >> i % 60));
  o.fromUlong = number(float((unsigned long long)bits64(i) >> i % 60));
  double d = double(a) * 3.0 + double(bits64(i) >> i % 60);
  uint64_t w = d != d ? 0 : __builtin_bit_cast(uint64_t, d);
  o.wide[0] = uint32_t(w);
  o.wide[1] = uint32_t(w >> 32);
  o.toInt = saturate<int>(c);
  o.toUnsigned = saturate<unsigned>(c);
  o.toLong = saturate<long long>(c);
  o.toUlong = saturate<unsigned long long>(c);
  return o;
}

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = compute(i);
}

int main() {
  Check check;
  constexpr int n = 2000;
  Buffer<Out> out(n);
  run<<<(n + 255) / 256, 256>>>(out.get(), n);
  std::vector<Out> want(n);
  for (int i = 0; i < n; i++) want[i] = compute(i);
  check.same("float", out.host(), want);
  return check.end();
}
