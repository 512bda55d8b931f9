// The PTX instructions on f32 and f64 as functions in namespace rocport::ptx. A function is named
// after its instruction, with _ for the points: add.rz.ftz.f32 is add_rz_ftz_f32; .rn is written out.
//   add sub mul fma div rcp sqrt, each with _rn _rz _rm _rp; abs neg min max copysign testp
//   setp slct; ex2 lg2 rcp rsqrt sqrt sin cos tanh div with _approx, div_full
// _ftz turns subnormal operands and results into zeros of the same sign; _sat clamps to [0, 1] and
// turns a NaN into 0. A float NaN is that of NVIDIA GPUs, 0x7fffffff; the payload of a double NaN
// differs from CUDA. Nothing is contracted into an fma, whatever the options. The _approx functions
// use AMD's approximations, within the error that PTX documents. Directed rounding is computed in
// software (rounded_functions.h): about 20 to 100 instructions, and wrong for NaNs and infinities
// with -ffast-math, which also keeps AMD's NaNs in other functions. Subnormal floats are lost
// with -fgpu-flush-denormals-to-zero.
#ifndef ROCPORT_PTX_FLOAT_H
#define ROCPORT_PTX_FLOAT_H

#include "ptx_integer.h"
#include "rounded_functions.h"

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

#define ROCPORT_PTX __device__ __forceinline__

namespace rocport {
namespace ptx {
namespace floating {

/// Returns the value; the compiler cannot combine operations on either side.
template <typename T>
ROCPORT_PTX T opaque(T value) {
#if defined(__HIP_DEVICE_COMPILE__)
  asm("" : "+v"(value));
#endif
  return value;
}

// Tests bits that the compiler cannot trace, so that no NaN option changes the result.
ROCPORT_PTX unsigned magnitude(float a) { return opaque(rounded::bits(a)) & 0x7fffffffu; }
ROCPORT_PTX unsigned long long magnitude(double a) {
  return opaque(rounded::bits(a)) & ~(1ull << 63);
}
ROCPORT_PTX bool is_nan(float a) { return magnitude(a) > 0x7f800000u; }
ROCPORT_PTX bool is_nan(double a) { return magnitude(a) > 0x7ffull << 52; }
ROCPORT_PTX bool is_infinite(float a) { return magnitude(a) == 0x7f800000u; }
ROCPORT_PTX bool is_infinite(double a) { return magnitude(a) == 0x7ffull << 52; }
ROCPORT_PTX bool is_subnormal(float a) { return __builtin_amdgcn_classf(a, 0x90); }
ROCPORT_PTX bool is_subnormal(double a) { return __builtin_amdgcn_class(a, 0x90); }
ROCPORT_PTX bool is_negative(float a) { return rounded::bits(a) >> 31 != 0u; }
ROCPORT_PTX bool is_negative(double a) { return rounded::bits(a) >> 63 != 0ull; }

ROCPORT_PTX float nan_of(float) { return rounded::from_bits(0x7fffffffu); }
ROCPORT_PTX double nan_of(double) { return rounded::from_bits(0xfff8000000000000ull); }

template <typename T>
ROCPORT_PTX T canonical(T a) {
  return is_nan(a) ? nan_of(a) : a;
}
ROCPORT_PTX float flushed(float a) {
  return is_subnormal(a) ? rounded::from_bits(rounded::bits(a) & 0x80000000u) : a;
}
/// .ftz on a result that was rounded from high + low. It counts as subnormal if, with an unbounded
/// exponent, it is below the least normal number: numbers there are twice as dense.
template <bool ToNearest>
ROCPORT_PTX float flushed(float result, double high, double low) {
  if (magnitude(result) > 0x800000u) return result;
  // the least normal float less a quarter or a half of a step
  const double limit = rounded::from_bits(ToNearest ? 0x380ffffff0000000ull : 0x380fffffe0000000ull);
  const double size = high < 0 ? -high : high, rest = high < 0 ? -low : low;
  const bool reaches = size > limit || (size == limit && (ToNearest ? rest >= 0 : rest > 0));
  if (reaches && magnitude(result) == 0x800000u) return result;
  return rounded::from_bits(rounded::bits(result) & 0x80000000u);
}
/// a * b + c without rounding error.
ROCPORT_PTX rounded::Pair exact_sum(float a, float b, float c) {
  const double product = opaque(static_cast<double>(a) * static_cast<double>(b));
  return rounded::two_sum(product, static_cast<double>(c));
}
/// Clamped to [0, 1]; 0 for a NaN and for values below.
template <typename T>
ROCPORT_PTX T saturated(T a) {
  if (is_nan(a) || is_negative(a)) return 0;
  return a > T(1) ? T(1) : a;
}

template <typename T>
ROCPORT_PTX T add_rn(T a, T b) {
  return canonical(opaque(opaque(a) + opaque(b)));
}
template <typename T>
ROCPORT_PTX T mul_rn(T a, T b) {
  return canonical(opaque(opaque(a) * opaque(b)));
}
ROCPORT_PTX float fma_rn(float a, float b, float c) {
  return canonical(opaque(__builtin_fmaf(opaque(a), opaque(b), opaque(c))));
}
ROCPORT_PTX double fma_rn(double a, double b, double c) {
  return canonical(opaque(__builtin_fma(opaque(a), opaque(b), opaque(c))));
}
// Computed in double, where double rounding is harmless and division options have no effect.
ROCPORT_PTX float div_rn(float a, float b) {
  return canonical(static_cast<float>(opaque(static_cast<double>(a)) / opaque(static_cast<double>(b))));
}
ROCPORT_PTX double div_rn(double a, double b) { return canonical(opaque(a) / opaque(b)); }
ROCPORT_PTX float sqrt_rn(float a) {
  return canonical(static_cast<float>(__builtin_sqrt(opaque(static_cast<double>(a)))));
}
ROCPORT_PTX double sqrt_rn(double a) { return canonical(__builtin_sqrt(opaque(a))); }

#define ROCPORT_PTX_DIRECTED(suffix, mode)                                                        \
  template <typename T>                                                                           \
  ROCPORT_PTX T add_##suffix(T a, T b) {                                                          \
    return canonical(rounded::add(a, b, rounded::mode));                                          \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T mul_##suffix(T a, T b) {                                                          \
    return canonical(rounded::multiply(a, b, rounded::mode));                                     \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T fma_##suffix(T a, T b, T c) {                                                     \
    return canonical(rounded::multiply_add(a, b, c, rounded::mode));                              \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T div_##suffix(T a, T b) {                                                          \
    return canonical(rounded::divide(a, b, rounded::mode));                                       \
  }                                                                                               \
  template <typename T>                                                                           \
  ROCPORT_PTX T sqrt_##suffix(T a) {                                                              \
    return canonical(rounded::square_root(a, rounded::mode));                                     \
  }
ROCPORT_PTX_DIRECTED(rz, kZero)
ROCPORT_PTX_DIRECTED(rm, kDown)
ROCPORT_PTX_DIRECTED(rp, kUp)
#undef ROCPORT_PTX_DIRECTED

/// Orders -0 below +0; a number and a NaN give the number.
template <typename T>
ROCPORT_PTX T least(T a, T b) {
  if (is_nan(a)) return canonical(b);
  if (is_nan(b)) return a;
  return a < b || (a == b && is_negative(a)) ? a : b;
}
template <typename T>
ROCPORT_PTX T greatest(T a, T b) {
  if (is_nan(a)) return canonical(b);
  if (is_nan(b)) return a;
  return a > b || (a == b && is_negative(b)) ? a : b;
}
template <typename T>
ROCPORT_PTX T least_nan(T a, T b) {
  return is_nan(a) || is_nan(b) ? nan_of(a) : least(a, b);
}
template <typename T>
ROCPORT_PTX T greatest_nan(T a, T b) {
  return is_nan(a) || is_nan(b) ? nan_of(a) : greatest(a, b);
}
ROCPORT_PTX float absolute(float a) { return rounded::from_bits(magnitude(a)); }
ROCPORT_PTX double absolute(double a) { return rounded::from_bits(magnitude(a)); }
/// A value with the exclusive or of two signs.
ROCPORT_PTX float signed_as(float value, float a, float b) {
  const unsigned sign = (rounded::bits(a) ^ rounded::bits(b)) & 0x80000000u;
  return is_nan(value) ? value : rounded::from_bits(magnitude(value) | sign);
}

}  // namespace floating

// Arithmetic: of floats with .ftz and .sat, of doubles without.
#define ROCPORT_PTX_F32_2(name, call, b_of, flush)                                                \
  ROCPORT_PTX float name##_f32(float a, float b) { return floating::call(a, b_of(b)); }           \
  ROCPORT_PTX float name##_ftz_f32(float a, float b) {                                            \
    const float x = floating::flushed(a), y = b_of(floating::flushed(b));                         \
    return flush;                                                                                 \
  }                                                                                               \
  ROCPORT_PTX float name##_sat_f32(float a, float b) {                                            \
    return floating::saturated(name##_f32(a, b));                                                 \
  }                                                                                               \
  ROCPORT_PTX float name##_ftz_sat_f32(float a, float b) {                                        \
    return floating::saturated(name##_ftz_f32(a, b));                                             \
  }
#define ROCPORT_PTX_ROUNDED(mode, nearest)                                                        \
  ROCPORT_PTX_F32_2(add_##mode, add_##mode, , floating::flushed(floating::add_##mode(x, y)))      \
  ROCPORT_PTX_F32_2(sub_##mode, add_##mode, -, floating::flushed(floating::add_##mode(x, y)))     \
  ROCPORT_PTX_F32_2(mul_##mode, mul_##mode, ,                                                     \
                    floating::flushed<nearest>(floating::mul_##mode(x, y),                        \
                                               static_cast<double>(x) * static_cast<double>(y), 0)) \
  ROCPORT_PTX float fma_##mode##_f32(float a, float b, float c) {                                 \
    return floating::fma_##mode(a, b, c);                                                         \
  }                                                                                               \
  ROCPORT_PTX float fma_##mode##_ftz_f32(float a, float b, float c) {                             \
    const float x = floating::flushed(a), y = floating::flushed(b), z = floating::flushed(c);     \
    const rounded::Pair exact = floating::exact_sum(x, y, z);                                     \
    return floating::flushed<nearest>(floating::fma_##mode(x, y, z), exact.sum, exact.error);     \
  }                                                                                               \
  ROCPORT_PTX float fma_##mode##_sat_f32(float a, float b, float c) {                             \
    return floating::saturated(fma_##mode##_f32(a, b, c));                                        \
  }                                                                                               \
  ROCPORT_PTX float fma_##mode##_ftz_sat_f32(float a, float b, float c) {                         \
    return floating::saturated(fma_##mode##_ftz_f32(a, b, c));                                    \
  }                                                                                               \
  ROCPORT_PTX float div_##mode##_f32(float a, float b) { return floating::div_##mode(a, b); }     \
  ROCPORT_PTX float div_##mode##_ftz_f32(float a, float b) {                                      \
    const float x = floating::flushed(a), y = floating::flushed(b);                               \
    return floating::flushed<nearest>(floating::div_##mode(x, y),                                 \
                                      static_cast<double>(x) / static_cast<double>(y), 0);        \
  }                                                                                               \
  ROCPORT_PTX float rcp_##mode##_f32(float a) { return floating::div_##mode(1.0f, a); }           \
  ROCPORT_PTX float rcp_##mode##_ftz_f32(float a) { return div_##mode##_ftz_f32(1.0f, a); }       \
  ROCPORT_PTX float sqrt_##mode##_f32(float a) { return floating::sqrt_##mode(a); }               \
  ROCPORT_PTX float sqrt_##mode##_ftz_f32(float a) {                                              \
    return floating::sqrt_##mode(floating::flushed(a));                                           \
  }                                                                                               \
  ROCPORT_PTX double add_##mode##_f64(double a, double b) { return floating::add_##mode(a, b); }  \
  ROCPORT_PTX double sub_##mode##_f64(double a, double b) { return floating::add_##mode(a, -b); } \
  ROCPORT_PTX double mul_##mode##_f64(double a, double b) { return floating::mul_##mode(a, b); }  \
  ROCPORT_PTX double fma_##mode##_f64(double a, double b, double c) {                             \
    return floating::fma_##mode(a, b, c);                                                         \
  }                                                                                               \
  ROCPORT_PTX double div_##mode##_f64(double a, double b) { return floating::div_##mode(a, b); }  \
  ROCPORT_PTX double rcp_##mode##_f64(double a) { return floating::div_##mode(1.0, a); }          \
  ROCPORT_PTX double sqrt_##mode##_f64(double a) { return floating::sqrt_##mode(a); }
ROCPORT_PTX_ROUNDED(rn, true)
ROCPORT_PTX_ROUNDED(rz, false)
ROCPORT_PTX_ROUNDED(rm, false)
ROCPORT_PTX_ROUNDED(rp, false)
#undef ROCPORT_PTX_ROUNDED
#undef ROCPORT_PTX_F32_2

// Pairs of floats in 64 bits.
namespace floating {
ROCPORT_PTX float lower(unsigned long long a) { return rounded::from_bits(static_cast<unsigned>(a)); }
ROCPORT_PTX float upper(unsigned long long a) {
  return rounded::from_bits(static_cast<unsigned>(a >> 32));
}
ROCPORT_PTX unsigned long long pair(float low, float high) {
  return static_cast<unsigned long long>(rounded::bits(high)) << 32 | rounded::bits(low);
}
}  // namespace floating
#define ROCPORT_PTX_F32X2(name)                                                                   \
  ROCPORT_PTX unsigned long long name##_f32x2(unsigned long long a, unsigned long long b) {       \
    return floating::pair(name##_f32(floating::lower(a), floating::lower(b)),                     \
                          name##_f32(floating::upper(a), floating::upper(b)));                    \
  }
#define ROCPORT_PTX_FMA_F32X2(name)                                                               \
  ROCPORT_PTX unsigned long long name##_f32x2(unsigned long long a, unsigned long long b,         \
                                              unsigned long long c) {                             \
    return floating::pair(name##_f32(floating::lower(a), floating::lower(b), floating::lower(c)), \
                          name##_f32(floating::upper(a), floating::upper(b), floating::upper(c))); \
  }
#define ROCPORT_PTX_PACKED(mode)                                                                  \
  ROCPORT_PTX_F32X2(add_##mode)                                                                   \
  ROCPORT_PTX_F32X2(sub_##mode)                                                                   \
  ROCPORT_PTX_F32X2(mul_##mode)                                                                   \
  ROCPORT_PTX_FMA_F32X2(fma_##mode)                                                               \
  ROCPORT_PTX_F32X2(add_##mode##_ftz)                                                             \
  ROCPORT_PTX_F32X2(sub_##mode##_ftz)                                                             \
  ROCPORT_PTX_F32X2(mul_##mode##_ftz)                                                             \
  ROCPORT_PTX_FMA_F32X2(fma_##mode##_ftz)
ROCPORT_PTX_PACKED(rn)
ROCPORT_PTX_PACKED(rz)
ROCPORT_PTX_PACKED(rm)
ROCPORT_PTX_PACKED(rp)
#undef ROCPORT_PTX_PACKED
#undef ROCPORT_PTX_FMA_F32X2
#undef ROCPORT_PTX_F32X2

// Signs and extremes.
ROCPORT_PTX float abs_f32(float a) { return floating::canonical(floating::absolute(a)); }
ROCPORT_PTX float abs_ftz_f32(float a) { return abs_f32(floating::flushed(a)); }
ROCPORT_PTX double abs_f64(double a) { return floating::absolute(a); }
ROCPORT_PTX float neg_f32(float a) {
  return floating::canonical(rounded::from_bits(rounded::bits(a) ^ 0x80000000u));
}
ROCPORT_PTX float neg_ftz_f32(float a) { return neg_f32(floating::flushed(a)); }
ROCPORT_PTX double neg_f64(double a) { return rounded::from_bits(rounded::bits(a) ^ (1ull << 63)); }
/// The sign of a on b, as PTX orders them.
ROCPORT_PTX float copysign_f32(float a, float b) {
  return rounded::from_bits((rounded::bits(a) & 0x80000000u) | floating::magnitude(b));
}
ROCPORT_PTX double copysign_f64(double a, double b) {
  return rounded::from_bits((rounded::bits(a) & (1ull << 63)) | floating::magnitude(b));
}

#define ROCPORT_PTX_EXTREME(name, call)                                                           \
  ROCPORT_PTX float name##_f32(float a, float b) { return floating::call(a, b); }                 \
  ROCPORT_PTX float name##_ftz_f32(float a, float b) {                                            \
    return floating::call(floating::flushed(a), floating::flushed(b));                            \
  }                                                                                               \
  ROCPORT_PTX float name##_xorsign_abs_f32(float a, float b) {                                    \
    return floating::signed_as(floating::call(floating::absolute(a), floating::absolute(b)), a, b); \
  }                                                                                               \
  ROCPORT_PTX float name##_ftz_xorsign_abs_f32(float a, float b) {                                \
    return name##_xorsign_abs_f32(floating::flushed(a), floating::flushed(b));                    \
  }
ROCPORT_PTX_EXTREME(min, least)
ROCPORT_PTX_EXTREME(max, greatest)
ROCPORT_PTX_EXTREME(min_nan, least_nan)
ROCPORT_PTX_EXTREME(max_nan, greatest_nan)
#undef ROCPORT_PTX_EXTREME
/// Of three magnitudes.
#define ROCPORT_PTX_EXTREME_3(name)                                                               \
  ROCPORT_PTX float name##_abs_f32(float a, float b, float c) {                                   \
    return name##_f32(name##_f32(floating::absolute(a), floating::absolute(b)), floating::absolute(c)); \
  }                                                                                               \
  ROCPORT_PTX float name##_ftz_abs_f32(float a, float b, float c) {                               \
    return name##_abs_f32(floating::flushed(a), floating::flushed(b), floating::flushed(c));      \
  }
ROCPORT_PTX_EXTREME_3(min)
ROCPORT_PTX_EXTREME_3(max)
ROCPORT_PTX_EXTREME_3(min_nan)
ROCPORT_PTX_EXTREME_3(max_nan)
#undef ROCPORT_PTX_EXTREME_3
ROCPORT_PTX double min_f64(double a, double b) { return floating::least(a, b); }
ROCPORT_PTX double max_f64(double a, double b) { return floating::greatest(a, b); }

// Predicates. eq, lt and so on are false where an operand is a NaN; equ, ltu and so on are true.
#define ROCPORT_PTX_COMPARISON(name, ordered, of_nan)                                             \
  ROCPORT_PTX bool setp_##name##_f32(float a, float b) {                                          \
    return floating::is_nan(a) || floating::is_nan(b) ? of_nan : (ordered);                       \
  }                                                                                               \
  ROCPORT_PTX bool setp_##name##_ftz_f32(float a, float b) {                                      \
    return setp_##name##_f32(floating::flushed(a), floating::flushed(b));                         \
  }                                                                                               \
  ROCPORT_PTX bool setp_##name##_f64(double a, double b) {                                        \
    return floating::is_nan(a) || floating::is_nan(b) ? of_nan : (ordered);                       \
  }
ROCPORT_PTX_COMPARISON(eq, a == b, false)
ROCPORT_PTX_COMPARISON(ne, a != b, false)
ROCPORT_PTX_COMPARISON(lt, a < b, false)
ROCPORT_PTX_COMPARISON(le, a <= b, false)
ROCPORT_PTX_COMPARISON(gt, a > b, false)
ROCPORT_PTX_COMPARISON(ge, a >= b, false)
ROCPORT_PTX_COMPARISON(equ, a == b, true)
ROCPORT_PTX_COMPARISON(neu, a != b, true)
ROCPORT_PTX_COMPARISON(ltu, a < b, true)
ROCPORT_PTX_COMPARISON(leu, a <= b, true)
ROCPORT_PTX_COMPARISON(gtu, a > b, true)
ROCPORT_PTX_COMPARISON(geu, a >= b, true)
ROCPORT_PTX_COMPARISON(num, true, false)
ROCPORT_PTX_COMPARISON(nan, false, true)
#undef ROCPORT_PTX_COMPARISON

/// The condition of slct: the last operand is at least zero of either sign, and not a NaN.
ROCPORT_PTX bool selects_f32(float c) {
  return !floating::is_nan(c) && (!floating::is_negative(c) || floating::magnitude(c) == 0u);
}
ROCPORT_PTX bool selects_ftz_f32(float c) { return selects_f32(floating::flushed(c)); }

#define ROCPORT_PTX_TESTP(T, suffix)                                                              \
  ROCPORT_PTX bool testp_finite_##suffix(T a) {                                                   \
    return !floating::is_nan(a) && !floating::is_infinite(a);                                     \
  }                                                                                               \
  ROCPORT_PTX bool testp_infinite_##suffix(T a) { return floating::is_infinite(a); }              \
  ROCPORT_PTX bool testp_number_##suffix(T a) { return !floating::is_nan(a); }                    \
  ROCPORT_PTX bool testp_notanumber_##suffix(T a) { return floating::is_nan(a); }                 \
  ROCPORT_PTX bool testp_subnormal_##suffix(T a) { return floating::is_subnormal(a); }            \
  /* a zero counts, as on NVIDIA GPUs */                                                          \
  ROCPORT_PTX bool testp_normal_##suffix(T a) {                                                   \
    return testp_finite_##suffix(a) && !floating::is_subnormal(a);                                \
  }
ROCPORT_PTX_TESTP(float, f32)
ROCPORT_PTX_TESTP(double, f64)
#undef ROCPORT_PTX_TESTP

// Approximations, with AMD's NaNs. AMD's instructions flush subnormal numbers: where PTX does not,
// operands and results are scaled around them.
ROCPORT_PTX float rcp_approx_ftz_f32(float a) {
  return floating::flushed(__builtin_amdgcn_rcpf(floating::flushed(a)));
}
ROCPORT_PTX float rcp_approx_f32(float a) {
  const float r = __builtin_amdgcn_rcpf(__builtin_amdgcn_frexp_mantf(a));
  return __builtin_ldexpf(r, -__builtin_amdgcn_frexp_expf(a));
}
/// The upper 32 bits of the reciprocal, the lower ones zero; those of a are ignored.
ROCPORT_PTX double rcp_approx_ftz_f64(double a) {
  const unsigned long long sign = rounded::bits(a) & (1ull << 63);
  a = rounded::from_bits(rounded::bits(a) & ~0xffffffffull);
  if (floating::is_nan(a)) return rounded::from_bits(0x7fffffffull << 32);
  if (floating::is_subnormal(a)) a = rounded::from_bits(sign);
  const unsigned long long whole = rounded::bits(floating::div_rn(1.0, a));
  const double cut = rounded::from_bits((whole + (1ull << 31)) & ~0xffffffffull);
  return floating::is_subnormal(cut) ? rounded::from_bits(sign) : cut;
}
ROCPORT_PTX float rsqrt_approx_ftz_f32(float a) {
  return __builtin_amdgcn_rsqf(floating::flushed(a));
}
ROCPORT_PTX float rsqrt_approx_f32(float a) {
  const bool small = floating::is_subnormal(a);
  const float r = __builtin_amdgcn_rsqf(small ? a * 16777216.0f : a);
  return small ? r * 4096.0f : r;
}
ROCPORT_PTX double rsqrt_approx_f64(double a) {
  return floating::div_rn(1.0, floating::sqrt_rn(a));
}
/// The upper 32 bits of the reciprocal root, the lower ones zero; those of a are ignored.
ROCPORT_PTX double rsqrt_approx_ftz_f64(double a) {
  a = rounded::from_bits(rounded::bits(a) & ~0xffffffffull);
  if (floating::is_nan(a)) return rounded::from_bits(0x7fffffffull << 32);
  if (floating::is_subnormal(a)) a = rounded::from_bits(rounded::bits(a) & (1ull << 63));
  const double whole = rsqrt_approx_f64(a);
  if (floating::is_nan(whole)) return rounded::from_bits(0x7fffffffull << 32);
  return rounded::from_bits((rounded::bits(whole) + (1ull << 31)) & ~0xffffffffull);
}
ROCPORT_PTX float sqrt_approx_ftz_f32(float a) {
  return __builtin_amdgcn_sqrtf(floating::flushed(a));
}
ROCPORT_PTX float sqrt_approx_f32(float a) {
  const bool small = floating::is_subnormal(a);
  const float r = __builtin_amdgcn_sqrtf(small ? a * 16777216.0f : a);
  return small ? r * 0.000244140625f : r;
}
ROCPORT_PTX float ex2_approx_ftz_f32(float a) {
  return floating::flushed(__builtin_amdgcn_exp2f(a));
}
ROCPORT_PTX float ex2_approx_f32(float a) {
  const bool small = a < -126.0f;
  const float r = __builtin_amdgcn_exp2f(small ? a + 64.0f : a);
  return small ? r * 5.421010862427522e-20f : r;  // 2^-64
}
ROCPORT_PTX float lg2_approx_ftz_f32(float a) {
  return __builtin_amdgcn_logf(floating::flushed(a));
}
ROCPORT_PTX float lg2_approx_f32(float a) {
  const bool small = floating::is_subnormal(a);
  const float r = __builtin_amdgcn_logf(small ? a * 4294967296.0f : a);
  return small ? r - 32.0f : r;
}

namespace floating {
/// a / (2 pi) without whole turns, the operand of AMD's sine and cosine.
ROCPORT_PTX float turns(float a) {
  const float whole = 0.15915494f, rest = 6.4206383e-9f;  // 1 / (2 pi) as a sum
  const float high = opaque(a * whole);
  const float low = __builtin_fmaf(a, rest, __builtin_fmaf(a, whole, -high));
  return (high - __builtin_rintf(high)) + low;
}
}  // namespace floating

ROCPORT_PTX float sin_approx_f32(float a) {
  if (floating::magnitude(a) < 0x39800000u) return a;  // below 2^-12 no float is nearer
  return __builtin_amdgcn_sinf(floating::turns(a));
}
ROCPORT_PTX float sin_approx_ftz_f32(float a) { return sin_approx_f32(floating::flushed(a)); }
ROCPORT_PTX float cos_approx_f32(float a) {
  return __builtin_amdgcn_cosf(floating::turns(a));
}
ROCPORT_PTX float cos_approx_ftz_f32(float a) { return cos_approx_f32(floating::flushed(a)); }
ROCPORT_PTX float tanh_approx_f32(float a) { return ::tanhf(a); }

ROCPORT_PTX float div_full_f32(float a, float b) {
  const float r = __builtin_amdgcn_rcpf(__builtin_amdgcn_frexp_mantf(b));
  const float q = floating::opaque(__builtin_amdgcn_frexp_mantf(a) * r);
  return __builtin_ldexpf(
      q, __builtin_amdgcn_frexp_expf(a) - __builtin_amdgcn_frexp_expf(b));
}
ROCPORT_PTX float div_full_ftz_f32(float a, float b) {
  return floating::flushed(div_full_f32(floating::flushed(a), floating::flushed(b)));
}
/// As in PTX, a divisor beyond 2^126 gives 0, or a NaN with an infinite dividend.
ROCPORT_PTX float div_approx_f32(float a, float b) {
  if (floating::magnitude(b) > 0x7e800000u && !floating::is_nan(b) && !floating::is_infinite(b)) {
    return floating::mul_rn(a, rounded::from_bits(rounded::bits(b) & 0x80000000u));
  }
  return div_full_f32(a, b);
}
ROCPORT_PTX float div_approx_ftz_f32(float a, float b) {
  return floating::flushed(div_approx_f32(floating::flushed(a), floating::flushed(b)));
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_FLOAT_H
