// exact: half arithmetic: fma, add, multiply, divide, square root, min, max, compare, convert
#include "check.h"

using Half = _Float16;

BOTH uint16_t raw(Half h) { return __builtin_bit_cast(uint16_t, h); }

BOTH Half operand(uint32_t i) {
  switch (i % 23) {
    case 0: return Half(0.0f);
    case 1: return Half(-0.0f);
    case 2: return __builtin_bit_cast(Half, uint16_t(0x7c00));
    case 3: return __builtin_bit_cast(Half, uint16_t(bits(i) & 0x3ff));
    case 4: return Half(65504.0f);
    default: return __builtin_bit_cast(Half, uint16_t(0x3000 + (bits(i) & 0x9fff)));
  }
}

BOTH uint16_t number(Half h) { return h != h ? 0x7e00 : raw(h); }

BOTH Half root(Half a) {
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_elementwise_sqrt(a);
#else
  return Half(sqrtf(float(a)));
#endif
}

struct Out {
  uint16_t sum, product, quotient, root, least, most, fused, chain;
  int16_t truncated;
  uint16_t fromInt;
  uint32_t compare;
  float wide;
};

BOTH Out compute(uint32_t i) {
  Half a = operand(i), b = operand(i * 3 + 1), c = operand(i * 5 + 2);
  Out o;
  o.sum = number(a + b);
  o.product = number(a * b);
  o.quotient = number(Half(float(a) / float(b)));
  o.root = number(root(a < 0 ? -a : a));
  o.least = number(a < b ? a : b);
  o.most = number(a > b ? a : b);
  o.fused = number(Half(double(a) * double(b) + double(c)));
  // Every step in a statement of its own: the host may keep intermediate halves in float.
  Half difference = a - b, scaled = difference * c, quarter = Half(0.25f) * a;
  o.chain = number(scaled + quarter);
  o.truncated = int16_t(a > 30000 || a < -30000 ? 0 : a);
  o.fromInt = raw(Half(int16_t(bits(i))));
  o.compare = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > c) << 4 | (a >= c) << 5;
  o.wide = float(a) + float(b) * 0.5f;
  if (o.wide != o.wide) o.wide = 0;
  return o;
}

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = compute(i);
}

typedef Half Half2 __attribute__((ext_vector_type(2)));

BOTH Half2 packed(uint32_t i) {
  Half2 a = {Half(int(bits(i) & 63) - 32), Half(unit(i))}, b = {Half(unit(i + 1)), Half(int(bits(i + 1) & 31))};
  Half2 product = a * b;
  Half2 sum = product + a;
  Half2 difference = sum - b.yx;
  Half2 scaled = difference * Half2{Half(2.0f), Half(-0.75f)};
  return scaled + b.xx;
}

__global__ void pairs(Half2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = packed(i);
}

int main() {
  Check check;
  constexpr int n = 1500;
  Buffer<Out> out(n);
  Buffer<Half2> p(n);
  run<<<(n + 255) / 256, 256>>>(out.get(), n);
  pairs<<<(n + 255) / 256, 256>>>(p.get(), n);
  std::vector<Out> want(n);
  std::vector<Half2> wp(n);
  for (int i = 0; i < n; i++) {
    want[i] = compute(i);
    wp[i] = packed(i);
  }
  check.same("half", out.host(), want);
  check.same("pairs", p.host(), wp);
  return check.end();
}
