// exact: 8-bit floats by rocport/fp8.h: each encoding, ties, overflow, subnormals, in OCP's two formats
namespace other {
namespace internal {}  // as in hipCUB; the header of HIP has one, too
}  // namespace other
using namespace other;
#include "../../../hip-runtime/include/rocport/fp8.h"

#include "check.h"

/** A quarter of the inputs lie halfway between two numbers, or next to that. */
BOTH float operand(uint32_t i) {
  const uint32_t v = bits(i);
  if (i < 8) {
    const float special[] = {0.0f, -0.0f, 448.0f, 464.0f, 465.0f, 57344.0f, 61440.0f, INFINITY};
    return special[i];
  }
  const uint32_t exponent = 105u + v % 40u;
  const uint32_t cut = i % 4 == 0 ? (v >> 8 & 0x780000u) + 0x1ffffu + i / 4 % 3 : v >> 8 & 0x7fffffu;
  return __builtin_bit_cast(float, (v & 0x80000000u) | exponent << 23 | cut);
}

struct Out {
  uint8_t e4m3, e5m2, open4, open5, of_half, of_double;
  uint16_t pair;
  uint32_t four;
  float back4, back5, back_pair, back_four;
  int whole;
  unsigned positive;
};

BOTH Out converted(uint32_t i) {
  const float a = operand(i), b = operand(i + 11);
  Out o;
  o.e4m3 = rocport::fp8_e4m3(a).__x;
  o.e5m2 = rocport::fp8_e5m2(a).__x;
  o.open4 = rocport::cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E4M3);
  o.open5 = rocport::cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E5M2);
  o.of_half = rocport::cvt_halfraw_to_fp8(__float2half(a), __HIP_SATFINITE, __HIP_E4M3);
  o.of_double = rocport::cvt_double_to_fp8(double(a) * (1 + 0x1p-40), __HIP_SATFINITE, __HIP_E4M3);
  o.pair = rocport::fp8x2_e4m3(make_float2(a, b)).__x;
  const rocport::fp8x4_e5m2 four(make_float4(a, b, -a, -b));
  o.four = four.__x;
  o.back4 = float(rocport::fp8_e4m3(a));
  o.back5 = __half2float(__half(rocport::cvt_fp8_to_halfraw(o.e5m2, __HIP_E5M2)));
  o.back_pair = float2(rocport::fp8x2_e4m3(make_float2(a, b))).y;
  o.back_four = float4(four).z;
  o.whole = int(rocport::fp8_e5m2(a));
  o.positive = unsigned(rocport::fp8_e4m3(a));
  return o;
}

__global__ void run(Out* out, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = converted(i);
}

struct Format {
  int kept, bias;
  unsigned most;

  double value(unsigned size) const {
    const int exponent = int(size >> kept);
    const double part = size & ((1u << kept) - 1u);
    return exponent == 0 ? std::ldexp(part, 1 - bias - kept)
                         : std::ldexp(part + (1 << kept), exponent - bias - kept);
  }
  /** By a search over all numbers, the one after the greatest among them. */
  unsigned nearest(double v) const {
    if (std::isinf(v)) return most + 1;
    unsigned best = 0;
    for (unsigned size = 1; size <= most + 1; size++) {
      const double old = std::fabs(v - value(best)), now = std::fabs(v - value(size));
      if (now < old || (now == old && size % 2 == 0)) best = size;
    }
    return best;
  }
  unsigned encode(double v, bool saturate) const {
    const unsigned size = nearest(std::fabs(v));
    return (std::signbit(v) ? 0x80u : 0u) | (size <= most ? size : saturate ? most : most == 0x7e ? 0x7f : 0x7c);
  }
  double decode(unsigned code) const { return (code & 0x80 ? -1 : 1) * value(code & 0x7f); }
};

int main() {
  Check check;
  constexpr Format e4m3{3, 7, 0x7e}, e5m2{2, 15, 0x7b};
  constexpr uint32_t n = 6000;
  Buffer<Out> out(n);
  run<<<(n + 255) / 256, 256>>>(out.get(), n);
  std::vector<Out> want(n), host(n);
  for (uint32_t i = 0; i < n; i++) {
    host[i] = converted(i);
    const double a = operand(i), b = operand(i + 11);
    Out& o = want[i];
    o.e4m3 = e4m3.encode(a, true);
    o.e5m2 = e5m2.encode(a, true);
    o.open4 = e4m3.encode(a, false);
    o.open5 = e5m2.encode(a, false);
    o.of_half = e4m3.encode(double(_Float16(a)), true);
    o.of_double = e4m3.encode(a * (1 + 0x1p-40), true);
    o.pair = o.e4m3 | e4m3.encode(b, true) << 8;
    o.four = o.e5m2 | e5m2.encode(b, true) << 8 | (o.e5m2 ^ 0x80u) << 16 | e5m2.encode(-b, true) << 24;
    o.back4 = float(e4m3.decode(o.e4m3));
    o.back5 = float(e5m2.decode(o.e5m2));
    o.back_pair = float(e4m3.decode(o.pair >> 8));
    o.back_four = -o.back5;
    o.whole = int(o.back5);
    o.positive = o.back4 > 0 ? unsigned(o.back4) : 0;
  }
  check.same("device", out.host(), want);
  check.same("host", host, want);
  const float nan = __builtin_bit_cast(float, 0xffc00001u);
  check.same("NaN", rocport::fp8_e4m3(nan).__x, uint8_t(0x7f));
  check.same("NaN", rocport::fp8x2_e5m2(make_float2(nan, 1)).__x, uint16_t(0x3c7f));
  const double wide = __builtin_bit_cast(double, 0xfff8000000000000ull);
  check.same("NaN of 64 bits", rocport::fp8_e4m3(wide).__x, uint8_t(0xff));
  check.same("NaN of 64 bits", rocport::fp8_e5m2(wide).__x, uint8_t(0xfe));
  check.that("NaN", std::isnan(float(rocport::fp8_e5m2(nan))) && int(rocport::fp8_e4m3(nan)) == 0);
  return check.end();
}
