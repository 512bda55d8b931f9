// The 8-bit floats of cuda_fp8.h, for host and device: fp8_e4m3, fp8_e5m2, their pairs and quadruples
// (fp8x2_e4m3, fp8x4_e4m3 ...), and the conversions cvt_float_to_fp8, cvt_fp8_to_halfraw ...
// The encodings are those of OCP and of CUDA. The conversions are in software and exact: gfx942 has
// instructions for another encoding (FNUZ) only, and the headers of HIP before 7.0 stop the program,
// or with NDEBUG return bits of that encoding, where device code for gfx942 asks for OCP.
// A value is rounded to the nearest, ties to even. Beyond the greatest finite number it becomes that
// number (__HIP_SATFINITE, and all constructors), else a NaN (e4m3) or an infinity (e5m2).
// A NaN becomes 0x7f; one of 64 bits keeps its sign, and in e5m2 the second bit of its payload.
#ifndef ROCPORT_FP8_H
#define ROCPORT_FP8_H

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <climits>
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
// The namespace of its functions has the name of one in hipCUB, for whose names a file can ask
// (using namespace) before it includes this header.
#define internal rocport_hip_fp8
#include <hip/hip_fp8.h>
#undef internal
#define ROCPORT_FP8 __host__ __device__ inline
#else
#define ROCPORT_FP8 __device__ inline
#endif

namespace rocport {
namespace fp8 {

ROCPORT_FP8 unsigned char encode(double value, bool saturate, bool e4m3) {
  const int kept = e4m3 ? 3 : 2;
  const unsigned most = e4m3 ? 0x7eu : 0x7bu;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned long long size = bits & 0x7fffffffffffffffull;
  const unsigned sign = static_cast<unsigned>(bits >> 56) & 0x80u;
  if (size > 0x7ff0000000000000ull) {
    const unsigned payload = e4m3 ? 1 : static_cast<unsigned>(bits >> 50) & 1u;
    return static_cast<unsigned char>(sign | 0x7eu | payload);
  }
  const int exponent = static_cast<int>(size >> 52) - 1023 + (e4m3 ? 7 : 15);
  const int down = 52 - kept + (exponent < 1 ? 1 - exponent : 0);
  if (down > 53) return static_cast<unsigned char>(sign);
  const unsigned long long significand = (size & 0xfffffffffffffull) | 0x10000000000000ull;
  const unsigned long long half = 1ull << (down - 1);
  const unsigned long long rest = significand & (half | (half - 1));
  unsigned whole = static_cast<unsigned>(significand >> down);
  whole += rest > half || (rest == half && (whole & 1u) != 0u);
  // The leading one of a normal number adds 1 to the exponent.
  unsigned magnitude = (static_cast<unsigned>(exponent < 1 ? 0 : exponent - 1) << kept) + whole;
  if (magnitude > most) magnitude = saturate ? most : e4m3 ? 0x7fu : 0x7cu;
  return static_cast<unsigned char>(sign | magnitude);
}

ROCPORT_FP8 float decode(unsigned bits, bool e4m3) {
  const int kept = e4m3 ? 3 : 2;
  const unsigned sign = (bits & 0x80u) << 24;
  const unsigned size = bits & 0x7fu;
  if (e4m3 ? size == 0x7fu : size > 0x7cu) return __builtin_bit_cast(float, 0x7fffffffu);
  if (!e4m3 && size == 0x7cu) return __builtin_bit_cast(float, sign | 0x7f800000u);
  const unsigned exponent = size >> kept;
  if (exponent == 0) {
    const float unit = e4m3 ? 0x1p-9f : 0x1p-16f;
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, unit * size));
  }
  return __builtin_bit_cast(float, sign | ((size << (23 - kept)) + ((e4m3 ? 120u : 112u) << 23)));
}

// The value; the NaN that becomes 0x7f for any NaN.
ROCPORT_FP8 double of_float(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return nan ? __builtin_bit_cast(double, 0x7fffffffffffffffull) : value;
}

ROCPORT_FP8 float of_bits(unsigned short bfloat16) {
  return __builtin_bit_cast(float, static_cast<unsigned>(bfloat16) << 16);
}

}  // namespace fp8

ROCPORT_FP8 __hip_fp8_storage_t cvt_double_to_fp8(double a, __hip_saturation_t saturation,
                                                  __hip_fp8_interpretation_t format) {
  return fp8::encode(a, saturation == __HIP_SATFINITE, format == __HIP_E4M3);
}
ROCPORT_FP8 __hip_fp8_storage_t cvt_float_to_fp8(float a, __hip_saturation_t saturation,
                                                 __hip_fp8_interpretation_t format) {
  return cvt_double_to_fp8(fp8::of_float(a), saturation, format);
}
ROCPORT_FP8 __hip_fp8_storage_t cvt_halfraw_to_fp8(__half_raw a, __hip_saturation_t saturation,
                                                   __hip_fp8_interpretation_t format) {
  return cvt_float_to_fp8(__half2float(__half(a)), saturation, format);
}
ROCPORT_FP8 __hip_fp8_storage_t cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw a,
                                                       __hip_saturation_t saturation,
                                                       __hip_fp8_interpretation_t format) {
  return cvt_float_to_fp8(fp8::of_bits(a.x), saturation, format);
}

// The first component is in the lower bits.
ROCPORT_FP8 __hip_fp8x2_storage_t cvt_double2_to_fp8x2(double2 a, __hip_saturation_t saturation,
                                                       __hip_fp8_interpretation_t format) {
  return static_cast<__hip_fp8x2_storage_t>(cvt_double_to_fp8(a.x, saturation, format) |
                                            cvt_double_to_fp8(a.y, saturation, format) << 8);
}
ROCPORT_FP8 __hip_fp8x2_storage_t cvt_float2_to_fp8x2(float2 a, __hip_saturation_t saturation,
                                                      __hip_fp8_interpretation_t format) {
  return cvt_double2_to_fp8x2(make_double2(fp8::of_float(a.x), fp8::of_float(a.y)),
                              saturation, format);
}
ROCPORT_FP8 __hip_fp8x2_storage_t cvt_halfraw2_to_fp8x2(__half2_raw a,
                                                        __hip_saturation_t saturation,
                                                        __hip_fp8_interpretation_t format) {
  const __half2 pair(a);
  return cvt_float2_to_fp8x2(make_float2(__low2float(pair), __high2float(pair)), saturation,
                             format);
}
ROCPORT_FP8 __hip_fp8x2_storage_t cvt_bfloat16raw2_to_fp8x2(__hip_bfloat162_raw a,
                                                            __hip_saturation_t saturation,
                                                            __hip_fp8_interpretation_t format) {
  return cvt_float2_to_fp8x2(make_float2(fp8::of_bits(a.x), fp8::of_bits(a.y)), saturation,
                             format);
}

ROCPORT_FP8 __half_raw cvt_fp8_to_halfraw(__hip_fp8_storage_t a,
                                          __hip_fp8_interpretation_t format) {
  return __half_raw(__float2half(fp8::decode(a, format == __HIP_E4M3)));
}
ROCPORT_FP8 __half2_raw cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t a,
                                              __hip_fp8_interpretation_t format) {
  const bool e4m3 = format == __HIP_E4M3;
  return __half2_raw(__floats2half2_rn(fp8::decode(a & 0xffu, e4m3), fp8::decode(a >> 8, e4m3)));
}

/// One number.
template <__hip_fp8_interpretation_t Format>
struct fp8_number {
  __hip_fp8_storage_t __x;

  fp8_number() = default;
#define ROCPORT_FP8_FROM(type, conversion)                                 \
  ROCPORT_FP8 explicit fp8_number(type a)                                  \
      : __x(conversion(a, __HIP_SATFINITE, Format)) {}                     
  ROCPORT_FP8_FROM(float, cvt_float_to_fp8)
  ROCPORT_FP8_FROM(double, cvt_double_to_fp8)
  ROCPORT_FP8_FROM(__half, cvt_halfraw_to_fp8)
  ROCPORT_FP8_FROM(__hip_bfloat16, cvt_bfloat16raw_to_fp8)
  ROCPORT_FP8_FROM(short, cvt_float_to_fp8)
  ROCPORT_FP8_FROM(unsigned short, cvt_float_to_fp8)
  ROCPORT_FP8_FROM(int, cvt_double_to_fp8)
  ROCPORT_FP8_FROM(unsigned, cvt_double_to_fp8)
  ROCPORT_FP8_FROM(long, cvt_double_to_fp8)
  ROCPORT_FP8_FROM(unsigned long, cvt_double_to_fp8)
  ROCPORT_FP8_FROM(long long, cvt_double_to_fp8)
  ROCPORT_FP8_FROM(unsigned long long, cvt_double_to_fp8)
#undef ROCPORT_FP8_FROM

  ROCPORT_FP8 explicit operator float() const { return fp8::decode(__x, Format == __HIP_E4M3); }
  ROCPORT_FP8 explicit operator double() const { return static_cast<float>(*this); }
  ROCPORT_FP8 explicit operator __half() const { return __half(cvt_fp8_to_halfraw(__x, Format)); }
  ROCPORT_FP8 explicit operator __hip_bfloat16() const {
    return __float2bfloat16(static_cast<float>(*this));
  }
  ROCPORT_FP8 explicit operator bool() const { return (__x & 0x7fu) != 0u; }

  /// Towards zero, saturated; a NaN becomes 0.
#define ROCPORT_FP8_TO(type, least, most)                                    \
  ROCPORT_FP8 explicit operator type() const {                               \
    const float a = static_cast<float>(*this);                               \
    if (a != a) return 0;                                                    \
    if (a <= static_cast<float>(least)) return static_cast<type>(least);     \
    if (a >= static_cast<float>(most)) return static_cast<type>(most);       \
    return static_cast<type>(a);                                             \
  }
  ROCPORT_FP8_TO(char, static_cast<char>(-1) < 0 ? -128 : 0, static_cast<char>(-1) < 0 ? 127 : 255)
  ROCPORT_FP8_TO(signed char, -128, 127)
  ROCPORT_FP8_TO(unsigned char, 0, 255)
  ROCPORT_FP8_TO(short, -32768, 32767)
  ROCPORT_FP8_TO(unsigned short, 0, 65535)
  ROCPORT_FP8_TO(int, -__INT_MAX__ - 1, __INT_MAX__)
  ROCPORT_FP8_TO(unsigned, 0, ~0u)
  ROCPORT_FP8_TO(long, -__LONG_MAX__ - 1, __LONG_MAX__)
  ROCPORT_FP8_TO(unsigned long, 0, ~0ul)
  ROCPORT_FP8_TO(long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
  ROCPORT_FP8_TO(unsigned long long, 0, ~0ull)
#undef ROCPORT_FP8_TO
};

/// Two numbers, the first in the lower bits.
template <__hip_fp8_interpretation_t Format>
struct fp8_pair {
  __hip_fp8x2_storage_t __x;

  fp8_pair() = default;
  ROCPORT_FP8 explicit fp8_pair(float2 a) : __x(cvt_float2_to_fp8x2(a, __HIP_SATFINITE, Format)) {}
  ROCPORT_FP8 explicit fp8_pair(double2 a)
      : __x(cvt_double2_to_fp8x2(a, __HIP_SATFINITE, Format)) {}
  ROCPORT_FP8 explicit fp8_pair(__half2 a)
      : __x(cvt_halfraw2_to_fp8x2(__half2_raw(a), __HIP_SATFINITE, Format)) {}
  ROCPORT_FP8 explicit fp8_pair(__hip_bfloat162 a)
      : __x(cvt_bfloat16raw2_to_fp8x2(__hip_bfloat162_raw(a), __HIP_SATFINITE, Format)) {}

  ROCPORT_FP8 explicit operator float2() const {
    const bool e4m3 = Format == __HIP_E4M3;
    return make_float2(fp8::decode(__x & 0xffu, e4m3), fp8::decode(__x >> 8, e4m3));
  }
  ROCPORT_FP8 explicit operator __half2() const {
    return __half2(cvt_fp8x2_to_halfraw2(__x, Format));
  }
};

/// Four numbers, the first in the lowest bits.
template <__hip_fp8_interpretation_t Format>
struct fp8_quadruple {
  __hip_fp8x4_storage_t __x;

  fp8_quadruple() = default;
  ROCPORT_FP8 fp8_quadruple(fp8_pair<Format> low, fp8_pair<Format> high)
      : __x(low.__x | static_cast<unsigned>(high.__x) << 16) {}
  ROCPORT_FP8 explicit fp8_quadruple(float4 a)
      : fp8_quadruple(fp8_pair<Format>(make_float2(a.x, a.y)),
                      fp8_pair<Format>(make_float2(a.z, a.w))) {}
  ROCPORT_FP8 explicit fp8_quadruple(double4 a)
      : fp8_quadruple(fp8_pair<Format>(make_double2(a.x, a.y)),
                      fp8_pair<Format>(make_double2(a.z, a.w))) {}
  ROCPORT_FP8 explicit fp8_quadruple(__half2 low, __half2 high)
      : fp8_quadruple(fp8_pair<Format>(low), fp8_pair<Format>(high)) {}
  ROCPORT_FP8 explicit fp8_quadruple(__hip_bfloat162 low, __hip_bfloat162 high)
      : fp8_quadruple(fp8_pair<Format>(low), fp8_pair<Format>(high)) {}

  ROCPORT_FP8 explicit operator float4() const {
    const bool e4m3 = Format == __HIP_E4M3;
    return make_float4(fp8::decode(__x & 0xffu, e4m3), fp8::decode(__x >> 8 & 0xffu, e4m3),
                       fp8::decode(__x >> 16 & 0xffu, e4m3), fp8::decode(__x >> 24, e4m3));
  }
};

using fp8_e4m3 = fp8_number<__HIP_E4M3>;
using fp8_e5m2 = fp8_number<__HIP_E5M2>;
using fp8x2_e4m3 = fp8_pair<__HIP_E4M3>;
using fp8x2_e5m2 = fp8_pair<__HIP_E5M2>;
using fp8x4_e4m3 = fp8_quadruple<__HIP_E4M3>;
using fp8x4_e5m2 = fp8_quadruple<__HIP_E5M2>;

}  // namespace rocport

#undef ROCPORT_FP8

#endif
#endif
