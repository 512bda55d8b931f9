// PTX's cvt with a floating-point type on either side, as functions in namespace rocport::ptx, and
// cvt.pack. Halves and bfloat16 are their 16 bits, packed types their 32.
//   cvt_MODE_from_F<T>(a)    float to the integer T, saturated: rni rzi rmi rpi, F of f16 bf16 f32 f64
//   cvt_MODE_F_from<T>(a)    integer T to float: rn rz rm rp
//   cvt_MODE_F_F(a)          float to float, named after the instruction
// A NaN becomes 0, or the top bit of the integer if PTX says so (a double, or 64 bits). In
// conversions between floats it becomes NVIDIA's NaN, 0x7fff or 0x7fffffff; the NaN of a double
// keeps sign and payload. e4m3 and e5m2 are the OCP formats, in software: the instructions of
// gfx942 have a different bias.
#ifndef ROCPORT_PTX_CONVERT_H
#define ROCPORT_PTX_CONVERT_H

#include "ptx_float.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {
namespace conversion {

/// To the nearest with ties to even or away from zero, towards zero, down, up.
enum Mode { kEven, kAway, kZero, kDown, kUp };

/// (-1)^negative * significand * 2^exponent, unless infinite or a NaN.
struct Number {
  bool negative, infinite, nan;
  int exponent;
  unsigned long long significand;
};

/// Whether the magnitude is rounded up, given the last kept bit and the part that is cut off.
ROCPORT_PTX bool rounds_up(bool odd, unsigned long long rest, unsigned long long half, bool negative,
                           Mode mode) {
  switch (mode) {
    case kEven:
      return rest > half || (rest == half && odd);
    case kAway:
      return rest >= half;
    case kDown:
      return negative && rest != 0;
    case kUp:
      return !negative && rest != 0;
    default:
      return false;
  }
}

/// significand * 2^-down, rounded; a negative down shifts up.
ROCPORT_PTX unsigned long long shifted(unsigned long long significand, int down, bool negative,
                                       Mode mode) {
  if (down <= 0) return significand << -down;
  if (down > 64) return rounds_up(false, significand != 0, 2, negative, mode);
  const unsigned long long kept = down == 64 ? 0 : significand >> down;
  const unsigned long long half = 1ull << (down - 1);
  const unsigned long long rest = significand & (half | (half - 1));
  return kept + rounds_up(kept & 1, rest, half, negative, mode);
}

/// A format with a sign, E bits of exponent and M of significand.
template <int E, int M>
struct Format {
  static constexpr int kBias = (1 << (E - 1)) - 1;
  static constexpr unsigned long long kInfinity = ((1ull << E) - 1) << M;
  static constexpr unsigned long long kSign = 1ull << (E + M);

  static ROCPORT_PTX Number decode(unsigned long long bits) {
    const bool negative = (bits & kSign) != 0;
    const unsigned long long size = bits & (kSign - 1), fraction = size & ((1ull << M) - 1);
    const int biased = static_cast<int>(size >> M);
    return {negative, size == kInfinity, size > kInfinity, (biased ? biased : 1) - kBias - M,
            biased ? fraction | 1ull << M : fraction};
  }

  /// The bits of a finite number without sign, with an unbounded exponent.
  static ROCPORT_PTX unsigned long long size_of(Number a, Mode mode) {
    if (a.significand == 0) return 0;
    const int top = 63 - __builtin_clzll(a.significand) + a.exponent;
    const int exponent = top < 1 - kBias ? 1 - kBias : top;
    const unsigned long long kept =
        shifted(a.significand, exponent - M - a.exponent, a.negative, mode);
    return (static_cast<unsigned long long>(exponent + kBias) << M) + kept - (1ull << M);
  }

  static ROCPORT_PTX unsigned long long encode(Number a, Mode mode, bool finite = false) {
    if (a.nan) return kSign - 1;
    const unsigned long long sign = a.negative ? kSign : 0;
    unsigned long long size = a.infinite ? kInfinity : size_of(a, mode);
    if (size >= kInfinity) {
      const bool inward = mode == kZero || (mode == kDown && !a.negative) || (mode == kUp && a.negative);
      size = finite || (inward && !a.infinite) ? kInfinity - 1 : kInfinity;
    }
    return sign | size;
  }
};
using F16 = Format<5, 10>;
using Bf16 = Format<8, 7>;
using F32 = Format<8, 23>;
using F64 = Format<11, 52>;

ROCPORT_PTX Number of_f16(unsigned short a) { return F16::decode(a); }
ROCPORT_PTX Number of_bf16(unsigned short a) { return Bf16::decode(a); }
ROCPORT_PTX Number of_f32(float a) { return F32::decode(rounded::bits(a)); }
ROCPORT_PTX Number of_f64(double a) { return F64::decode(rounded::bits(a)); }
template <typename T>
ROCPORT_PTX Number of_integer(T a) {
  const bool negative = a < T(0);
  const unsigned long long wide = static_cast<unsigned long long>(a);
  return {negative, false, false, 0, negative ? 0ull - wide : wide};
}

ROCPORT_PTX unsigned short to_f16(Number a, Mode mode) {
  return static_cast<unsigned short>(F16::encode(a, mode));
}
ROCPORT_PTX unsigned short to_bf16(Number a, Mode mode) {
  return static_cast<unsigned short>(Bf16::encode(a, mode));
}
ROCPORT_PTX float to_f32(Number a, Mode mode) {
  return rounded::from_bits(static_cast<unsigned>(F32::encode(a, mode)));
}
ROCPORT_PTX double to_f64(Number a, Mode mode) {
  return a.nan ? floating::nan_of(0.0) : rounded::from_bits(F64::encode(a, mode));
}

/// An integral float as an integer.
template <typename T, typename F>
ROCPORT_PTX T to_integer(F whole) {
  constexpr bool is_signed = T(-1) < T(0);
  constexpr int width = sizeof(T) * 8;
  constexpr T least = is_signed ? static_cast<T>(1ull << (width - 1)) : T(0);
  constexpr T most = static_cast<T>(~least);
  if (floating::is_nan(whole)) {
    return sizeof(F) == 8 || width == 64 ? static_cast<T>(1ull << (width - 1)) : T(0);
  }
  if (whole >= static_cast<F>(1ull << (width - 1)) * F(is_signed ? 1 : 2)) return most;
  return whole < static_cast<F>(least) ? least : static_cast<T>(whole);
}

ROCPORT_PTX float value_of_f16(unsigned short a) {
  _Float16 half;
  __builtin_memcpy(&half, &a, sizeof a);
  return floating::canonical(static_cast<float>(half));
}
ROCPORT_PTX float value_of_bf16(unsigned short a) {
  return floating::canonical(rounded::from_bits(static_cast<unsigned>(a) << 16));
}
/// The part of a double NaN in a narrower format: its sign and the upper bits of its payload.
template <int E, int M>
ROCPORT_PTX unsigned narrow_nan(double a) {
  const unsigned long long raw = rounded::bits(a);
  return static_cast<unsigned>(raw >> 63 << (E + M) | ((1ull << E) - 1) << M | 1ull << (M - 1) |
                               (raw & 0xfffffffffffffull) >> (52 - M));
}
/// To the nearest half.
ROCPORT_PTX unsigned short half_of(float a) {
  if (floating::is_nan(a)) return 0x7fff;
  const _Float16 half = static_cast<_Float16>(a);
  unsigned short bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  return bits;
}
ROCPORT_PTX unsigned pair(unsigned short high, unsigned short low) {
  return static_cast<unsigned>(high) << 16 | low;
}
/// Negative values become 0; a NaN stays.
ROCPORT_PTX float positive(float a) {
  return floating::is_negative(a) && !floating::is_nan(a) ? 0.0f : a;
}
/// Clamped to [0, 1]; a NaN becomes 0.
ROCPORT_PTX unsigned short saturated_f16(unsigned short a) {
  return a > 0x7c00u ? 0 : a > 0x3c00u ? 0x3c00 : a;
}
}  // namespace conversion

// Floats to integers.
#define ROCPORT_PTX_TO_INTEGER(suffix, call)                                                      \
  template <typename T>                                                                           \
  ROCPORT_PTX T cvt_##suffix##_from_f32(float a) {                                                \
    return conversion::to_integer<T>(__builtin_##call##f(a));                                     \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T cvt_##suffix##_ftz_from_f32(float a) {                                            \
    return cvt_##suffix##_from_f32<T>(floating::flushed(a));                                      \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T cvt_##suffix##_from_f16(unsigned short a) {                                       \
    return cvt_##suffix##_from_f32<T>(conversion::value_of_f16(a));                               \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T cvt_##suffix##_from_bf16(unsigned short a) {                                      \
    return cvt_##suffix##_from_f32<T>(conversion::value_of_bf16(a));                              \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T cvt_##suffix##_from_f64(double a) {                                               \
    return conversion::to_integer<T>(__builtin_##call(a));                                        \
  }
ROCPORT_PTX_TO_INTEGER(rni, rint)
ROCPORT_PTX_TO_INTEGER(rzi, trunc)
ROCPORT_PTX_TO_INTEGER(rmi, floor)
ROCPORT_PTX_TO_INTEGER(rpi, ceil)
#undef ROCPORT_PTX_TO_INTEGER

// Integers to floats, and floats to narrower ones.
#define ROCPORT_PTX_TO_FLOAT(suffix, mode)                                                        \
  template <typename T>                                                                           \
  ROCPORT_PTX unsigned short cvt_##suffix##_f16_from(T a) {                                       \
    return conversion::to_f16(conversion::of_integer(a), conversion::mode);                       \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX unsigned short cvt_##suffix##_sat_f16_from(T a) {                                   \
    return conversion::saturated_f16(cvt_##suffix##_f16_from<T>(a));                              \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX unsigned short cvt_##suffix##_bf16_from(T a) {                                      \
    return conversion::to_bf16(conversion::of_integer(a), conversion::mode);                      \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX float cvt_##suffix##_f32_from(T a) {                                                \
    if (conversion::mode == conversion::kEven) return static_cast<float>(a);                      \
    return conversion::to_f32(conversion::of_integer(a), conversion::mode);                       \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX float cvt_##suffix##_sat_f32_from(T a) {                                            \
    return floating::saturated(cvt_##suffix##_f32_from<T>(a));                                    \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX double cvt_##suffix##_f64_from(T a) {                                               \
    if (conversion::mode == conversion::kEven) return static_cast<double>(a);                     \
    return conversion::to_f64(conversion::of_integer(a), conversion::mode);                       \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX double cvt_##suffix##_sat_f64_from(T a) {                                           \
    return floating::saturated(cvt_##suffix##_f64_from<T>(a));                                    \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_f32_f64(double a) {                                            \
    if (floating::is_nan(a)) return rounded::from_bits(conversion::narrow_nan<8, 23>(a));         \
    if (conversion::mode == conversion::kEven) return static_cast<float>(a);                      \
    return conversion::to_f32(conversion::of_f64(a), conversion::mode);                           \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_ftz_f32_f64(double a) {                                        \
    return floating::flushed<conversion::mode == conversion::kEven>(cvt_##suffix##_f32_f64(a), a, 0); \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_sat_f32_f64(double a) {                                        \
    return floating::saturated(cvt_##suffix##_f32_f64(a));                                        \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_ftz_sat_f32_f64(double a) {                                    \
    return floating::saturated(cvt_##suffix##_ftz_f32_f64(a));                                    \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_f16_f32(float a) {                                    \
    if (conversion::mode == conversion::kEven) return conversion::half_of(a);                     \
    return conversion::to_f16(conversion::of_f32(a), conversion::mode);                           \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_sat_f16_f32(float a) {                                \
    return conversion::saturated_f16(cvt_##suffix##_f16_f32(a));                                  \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_f16_f64(double a) {                                   \
    if (floating::is_nan(a)) return static_cast<unsigned short>(conversion::narrow_nan<5, 10>(a)); \
    return conversion::to_f16(conversion::of_f64(a), conversion::mode);                           \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_sat_f16_f64(double a) {                               \
    return conversion::saturated_f16(cvt_##suffix##_f16_f64(a));                                  \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_bf16_f32(float a) {                                   \
    if (conversion::mode == conversion::kEven) return float2bfloat16_rn_bits(a);                  \
    return conversion::to_bf16(conversion::of_f32(a), conversion::mode);                          \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_bf16_f64(double a) {                                  \
    if (floating::is_nan(a)) return static_cast<unsigned short>(conversion::narrow_nan<8, 7>(a)); \
    return conversion::to_bf16(conversion::of_f64(a), conversion::mode);                          \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_bf16_f16(unsigned short a) {                          \
    return conversion::to_bf16(conversion::of_f16(a), conversion::mode);                          \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_f16_bf16(unsigned short a) {                          \
    return conversion::to_f16(conversion::of_bf16(a), conversion::mode);                          \
  }
ROCPORT_PTX_TO_FLOAT(rn, kEven)
ROCPORT_PTX_TO_FLOAT(rz, kZero)
ROCPORT_PTX_TO_FLOAT(rm, kDown)
ROCPORT_PTX_TO_FLOAT(rp, kUp)
#undef ROCPORT_PTX_TO_FLOAT

// Floats to wider ones, which is exact.
ROCPORT_PTX float cvt_f32_f16(unsigned short a) { return conversion::value_of_f16(a); }
ROCPORT_PTX float cvt_sat_f32_f16(unsigned short a) { return floating::saturated(cvt_f32_f16(a)); }
/// A shift: a NaN keeps its payload, but not with .ftz.
ROCPORT_PTX float cvt_f32_bf16(unsigned short a) {
  return rounded::from_bits(static_cast<unsigned>(a) << 16);
}
ROCPORT_PTX float cvt_ftz_f32_bf16(unsigned short a) {
  return floating::flushed(conversion::value_of_bf16(a));
}
ROCPORT_PTX double cvt_f64_f32(float a) { return floating::canonical(static_cast<double>(a)); }
ROCPORT_PTX double cvt_ftz_f64_f32(float a) { return cvt_f64_f32(floating::flushed(a)); }
ROCPORT_PTX double cvt_sat_f64_f32(float a) { return floating::saturated(cvt_f64_f32(a)); }
ROCPORT_PTX double cvt_ftz_sat_f64_f32(float a) { return floating::saturated(cvt_ftz_f64_f32(a)); }
ROCPORT_PTX double cvt_f64_f16(unsigned short a) { return cvt_f64_f32(cvt_f32_f16(a)); }
ROCPORT_PTX double cvt_sat_f64_f16(unsigned short a) { return floating::saturated(cvt_f64_f16(a)); }
ROCPORT_PTX double cvt_f64_bf16(unsigned short a) { return cvt_f64_f32(cvt_f32_bf16(a)); }

// The same type: to an integral value, clamped, flushed.
ROCPORT_PTX float cvt_f32_f32(float a) { return a; }
ROCPORT_PTX float cvt_ftz_f32_f32(float a) { return floating::canonical(floating::flushed(a)); }
ROCPORT_PTX float cvt_sat_f32_f32(float a) { return floating::saturated(a); }
ROCPORT_PTX float cvt_ftz_sat_f32_f32(float a) { return floating::saturated(floating::flushed(a)); }
ROCPORT_PTX double cvt_f64_f64(double a) { return a; }
ROCPORT_PTX double cvt_sat_f64_f64(double a) { return floating::saturated(a); }
ROCPORT_PTX unsigned short cvt_f16_f16(unsigned short a) {
  return (a & 0x7fffu) > 0x7c00u ? 0x7fff : a;
}
ROCPORT_PTX unsigned short cvt_sat_f16_f16(unsigned short a) { return conversion::saturated_f16(a); }
ROCPORT_PTX unsigned short cvt_bf16_bf16(unsigned short a) {
  return (a & 0x7fffu) > 0x7f80u ? 0x7fff : a;
}
#define ROCPORT_PTX_INTEGRAL(suffix, call)                                                        \
  ROCPORT_PTX float cvt_##suffix##_f32_f32(float a) {                                             \
    return floating::canonical(__builtin_##call##f(a));                                           \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_ftz_f32_f32(float a) {                                         \
    return cvt_##suffix##_f32_f32(floating::flushed(a));                                          \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_sat_f32_f32(float a) {                                         \
    return floating::saturated(cvt_##suffix##_f32_f32(a));                                        \
  }                                                                                               \
  ROCPORT_PTX float cvt_##suffix##_ftz_sat_f32_f32(float a) {                                     \
    return floating::saturated(cvt_##suffix##_ftz_f32_f32(a));                                    \
  }                                                                                               \
  ROCPORT_PTX double cvt_##suffix##_f64_f64(double a) {                                           \
    return floating::canonical(__builtin_##call(a));                                              \
  }                                                                                               \
  ROCPORT_PTX double cvt_##suffix##_sat_f64_f64(double a) {                                       \
    return floating::saturated(cvt_##suffix##_f64_f64(a));                                        \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_f16_f16(unsigned short a) {                           \
    return conversion::half_of(__builtin_##call##f(conversion::value_of_f16(a)));                 \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_sat_f16_f16(unsigned short a) {                       \
    return conversion::saturated_f16(cvt_##suffix##_f16_f16(a));                                  \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_bf16_bf16(unsigned short a) {                         \
    return cvt_rn_bf16_f32(__builtin_##call##f(conversion::value_of_bf16(a)));                    \
  }
ROCPORT_PTX_INTEGRAL(rni, rint)
ROCPORT_PTX_INTEGRAL(rzi, trunc)
ROCPORT_PTX_INTEGRAL(rmi, floor)
ROCPORT_PTX_INTEGRAL(rpi, ceil)
#undef ROCPORT_PTX_INTEGRAL

// Machine learning formats. The first of two sources becomes the upper half.
#define ROCPORT_PTX_NARROW(suffix, mode)                                                          \
  ROCPORT_PTX unsigned short cvt_##suffix##_relu_f16_f32(float a) {                               \
    return cvt_##suffix##_f16_f32(conversion::positive(a));                                       \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_satfinite_f16_f32(float a) {                          \
    return static_cast<unsigned short>(                                                           \
        conversion::F16::encode(conversion::of_f32(a), conversion::mode, true));                  \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_relu_satfinite_f16_f32(float a) {                     \
    return cvt_##suffix##_satfinite_f16_f32(conversion::positive(a));                             \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_relu_bf16_f32(float a) {                              \
    return cvt_##suffix##_bf16_f32(conversion::positive(a));                                      \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_satfinite_bf16_f32(float a) {                         \
    return static_cast<unsigned short>(                                                           \
        conversion::Bf16::encode(conversion::of_f32(a), conversion::mode, true));                 \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##suffix##_relu_satfinite_bf16_f32(float a) {                    \
    return cvt_##suffix##_satfinite_bf16_f32(conversion::positive(a));                            \
  }                                                                                               \
  ROCPORT_PTX_PAIR(suffix, )                                                                      \
  ROCPORT_PTX_PAIR(suffix, relu_)                                                                 \
  ROCPORT_PTX_PAIR(suffix, satfinite_)                                                            \
  ROCPORT_PTX_PAIR(suffix, relu_satfinite_)
#define ROCPORT_PTX_PAIR(suffix, more)                                                            \
  ROCPORT_PTX unsigned cvt_##suffix##_##more##f16x2_f32(float a, float b) {                       \
    return conversion::pair(cvt_##suffix##_##more##f16_f32(a), cvt_##suffix##_##more##f16_f32(b)); \
  }                                                                                               \
  ROCPORT_PTX unsigned cvt_##suffix##_##more##bf16x2_f32(float a, float b) {                      \
    return conversion::pair(cvt_##suffix##_##more##bf16_f32(a), cvt_##suffix##_##more##bf16_f32(b)); \
  }
ROCPORT_PTX_NARROW(rn, kEven)
ROCPORT_PTX_NARROW(rz, kZero)
#undef ROCPORT_PTX_PAIR
#undef ROCPORT_PTX_NARROW

namespace conversion {
/// tf32 in the upper 19 bits of a word, the rest zero.
ROCPORT_PTX unsigned tf32(float a, Mode mode) {
  if (floating::is_nan(a)) return 0x7fffe000u;
  return static_cast<unsigned>(Format<8, 10>::encode(of_f32(a), mode)) << 13;
}
/// OCP 8-bit formats; overflows give the greatest finite number.
ROCPORT_PTX unsigned e4m3(Number a) {
  if (a.nan) return 0x7fu;
  const unsigned long long size = a.infinite ? 0x7eu : Format<4, 3>::size_of(a, kEven);
  return (a.negative ? 0x80u : 0u) | static_cast<unsigned>(size > 0x7eu ? 0x7eu : size);
}
ROCPORT_PTX unsigned e5m2(Number a) {
  return static_cast<unsigned>(Format<5, 2>::encode(a, kEven, true));
}
ROCPORT_PTX unsigned short half_of_e4m3(unsigned bits) {
  Number a = Format<4, 3>::decode(bits);
  a.infinite = false;
  a.nan = (bits & 0x7fu) == 0x7fu;
  return to_f16(a, kEven);
}
ROCPORT_PTX unsigned short half_of_e5m2(unsigned bits) {
  return to_f16(Format<5, 2>::decode(bits), kEven);
}
ROCPORT_PTX Number positive_part(Number a) {
  if (a.negative && !a.nan) return {false, false, false, 0, 0};
  return a;
}
ROCPORT_PTX unsigned short upper(unsigned a) { return static_cast<unsigned short>(a >> 16); }
ROCPORT_PTX unsigned short lower(unsigned a) { return static_cast<unsigned short>(a); }
/// The halves of a pair whose sign bit is set and that are no NaN become 0.
ROCPORT_PTX unsigned short positive_f16(unsigned short a) {
  return (a & 0x8000u) != 0u && (a & 0x7fffu) <= 0x7c00u ? 0 : a;
}
}  // namespace conversion

/// Adds half of the cut part to the bits, except for an infinity or a NaN.
ROCPORT_PTX unsigned cvt_rna_tf32_f32(float a) {
  const unsigned raw = rounded::bits(a);
  return ((raw & 0x7f800000u) == 0x7f800000u ? raw : raw + 0x1000u) & ~0x1fffu;
}
ROCPORT_PTX unsigned cvt_rna_satfinite_tf32_f32(float a) {
  const unsigned bits = cvt_rna_tf32_f32(a);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits - 0x2000u : bits;
}
ROCPORT_PTX unsigned cvt_rn_tf32_f32(float a) { return conversion::tf32(a, conversion::kEven); }
ROCPORT_PTX unsigned cvt_rn_relu_tf32_f32(float a) {
  return cvt_rn_tf32_f32(conversion::positive(a));
}
ROCPORT_PTX unsigned cvt_rz_tf32_f32(float a) { return conversion::tf32(a, conversion::kZero); }
ROCPORT_PTX unsigned cvt_rz_relu_tf32_f32(float a) {
  return cvt_rz_tf32_f32(conversion::positive(a));
}

#define ROCPORT_PTX_FP8(format)                                                                   \
  ROCPORT_PTX unsigned short cvt_##format##x2_f32(float a, float b) {                             \
    return static_cast<unsigned short>(conversion::format(conversion::of_f32(a)) << 8 |           \
                                       conversion::format(conversion::of_f32(b)));                \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_relu_##format##x2_f32(float a, float b) {                        \
    return cvt_##format##x2_f32(conversion::positive(a), conversion::positive(b));                \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_##format##x2_f16x2(unsigned a) {                                 \
    return static_cast<unsigned short>(                                                           \
        conversion::format(conversion::of_f16(conversion::upper(a))) << 8 |                       \
        conversion::format(conversion::of_f16(conversion::lower(a))));                            \
  }                                                                                               \
  ROCPORT_PTX unsigned short cvt_relu_##format##x2_f16x2(unsigned a) {                            \
    return cvt_##format##x2_f16x2(conversion::pair(conversion::positive_f16(conversion::upper(a)), \
                                                conversion::positive_f16(conversion::lower(a)))); \
  }                                                                                               \
  ROCPORT_PTX unsigned cvt_f16x2_##format##x2(unsigned short a) {                                 \
    return conversion::pair(conversion::half_of_##format(a >> 8 & 0xffu),                         \
                         conversion::half_of_##format(a & 0xffu));                                \
  }                                                                                               \
  ROCPORT_PTX unsigned cvt_relu_f16x2_##format##x2(unsigned short a) {                            \
    const unsigned both = cvt_f16x2_##format##x2(a);                                              \
    return conversion::pair(conversion::positive_f16(conversion::upper(both)),                    \
                         conversion::positive_f16(conversion::lower(both)));                      \
  }
ROCPORT_PTX_FP8(e4m3)
ROCPORT_PTX_FP8(e5m2)
#undef ROCPORT_PTX_FP8

/// cvt.pack: the integers a and b, saturated to Width bits, below what c shifts up.
template <int Width, bool Signed>
ROCPORT_PTX unsigned cvt_pack(int a, int b, unsigned c) {
  constexpr int most = Signed ? (1 << (Width - 1)) - 1 : (1 << Width) - 1;
  constexpr int least = Signed ? -most - 1 : 0;
  constexpr unsigned mask = (1u << Width) - 1u;
  const int high = a < least ? least : a > most ? most : a;
  const int low = b < least ? least : b > most ? most : b;
  const unsigned both =
      (static_cast<unsigned>(high) & mask) << Width | (static_cast<unsigned>(low) & mask);
  return Width == 16 ? both : c << (2 * Width & 31) | both;
}
ROCPORT_PTX unsigned cvt_pack_sat_u16_s32(int a, int b) { return cvt_pack<16, false>(a, b, 0); }
ROCPORT_PTX unsigned cvt_pack_sat_s16_s32(int a, int b) { return cvt_pack<16, true>(a, b, 0); }
ROCPORT_PTX unsigned cvt_pack_sat_u8_s32(int a, int b, unsigned c) { return cvt_pack<8, false>(a, b, c); }
ROCPORT_PTX unsigned cvt_pack_sat_s8_s32(int a, int b, unsigned c) { return cvt_pack<8, true>(a, b, c); }
ROCPORT_PTX unsigned cvt_pack_sat_u4_s32(int a, int b, unsigned c) { return cvt_pack<4, false>(a, b, c); }
ROCPORT_PTX unsigned cvt_pack_sat_s4_s32(int a, int b, unsigned c) { return cvt_pack<4, true>(a, b, c); }
ROCPORT_PTX unsigned cvt_pack_sat_u2_s32(int a, int b, unsigned c) { return cvt_pack<2, false>(a, b, c); }
ROCPORT_PTX unsigned cvt_pack_sat_s2_s32(int a, int b, unsigned c) { return cvt_pack<2, true>(a, b, c); }

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_CONVERT_H
