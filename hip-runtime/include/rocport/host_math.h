// Functions that CUDA's headers have in host code and HIP's lack there. They are in the global
// namespace, as in CUDA.
//
// - min, max: HIP has them for device code. For host code it has only those of int, to which every
//   other type is silently converted: max(1.5f, 1.25f) is 1. In device code two different types
//   become double: max(1u, -1) is 1, and min(s, 5) / 2 of a short is not an integer. Here integer
//   types are compared after C++'s usual conversions, as in CUDA.
// - sincos for float, which HIP has nowhere.
// - umin, umax, llmin, llmax, ullmin, ullmax, which HIP has nowhere.
// - rsqrt, rcbrt, rhypot, norm3d, norm4d, rnorm3d, rnorm4d, sinpi, cospi, sincospi, normcdf, each
//   for double and with an f for float, and fdividef. Floats are computed in double and rounded
//   once.
// - isfinite, isinf, isnan, modf for float, signbit: <math.h> declares them without std::, <cmath>
//   may not.
#ifndef ROCPORT_HOST_MATH_H
#define ROCPORT_HOST_MATH_H

#if defined(__HIP__) && defined(__cplusplus)
#include <hip/hip_runtime.h>

#define ROCPORT_MIN_MAX(QUALIFIERS, RESULT, A, B)                                                  \
  QUALIFIERS inline RESULT min(A a, B b) {                                                         \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b) ? static_cast<RESULT>(a)                \
                                                           : static_cast<RESULT>(b);               \
  }                                                                                                \
  QUALIFIERS inline RESULT max(A a, B b) {                                                         \
    return static_cast<RESULT>(a) > static_cast<RESULT>(b) ? static_cast<RESULT>(a)                \
                                                           : static_cast<RESULT>(b);               \
  }

#if !defined(__HIPCC_RTC__)
ROCPORT_MIN_MAX(__host__, unsigned int, unsigned int, unsigned int)
ROCPORT_MIN_MAX(__host__, long, long, long)
ROCPORT_MIN_MAX(__host__, unsigned long, unsigned long, unsigned long)
ROCPORT_MIN_MAX(__host__, long long, long long, long long)
ROCPORT_MIN_MAX(__host__, unsigned long long, unsigned long long, unsigned long long)

// As fminf and fmaxf: a number and a NaN give the number.
__host__ inline float min(float a, float b) { return __builtin_fminf(a, b); }
__host__ inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
__host__ inline double min(double a, double b) { return __builtin_fmin(a, b); }
__host__ inline double max(double a, double b) { return __builtin_fmax(a, b); }
#endif

ROCPORT_MIN_MAX(__host__ __device__, unsigned int, int, unsigned int)
ROCPORT_MIN_MAX(__host__ __device__, unsigned int, unsigned int, int)
ROCPORT_MIN_MAX(__host__ __device__, unsigned long, long, unsigned long)
ROCPORT_MIN_MAX(__host__ __device__, unsigned long, unsigned long, long)
ROCPORT_MIN_MAX(__host__ __device__, unsigned long long, long long, unsigned long long)
ROCPORT_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, long long)

// Of types narrower than int, with int, unsigned int and one another.
#define ROCPORT_MIN_MAX_PAIR(RESULT, A, B)            \
  ROCPORT_MIN_MAX(__host__ __device__, RESULT, A, B) \
  ROCPORT_MIN_MAX(__host__ __device__, RESULT, B, A)
#define ROCPORT_MIN_MAX_NARROW(A)   \
  ROCPORT_MIN_MAX_PAIR(int, A, int) \
  ROCPORT_MIN_MAX_PAIR(unsigned int, A, unsigned int)
ROCPORT_MIN_MAX_NARROW(bool)
ROCPORT_MIN_MAX_NARROW(char)
ROCPORT_MIN_MAX_NARROW(signed char)
ROCPORT_MIN_MAX_NARROW(unsigned char)
ROCPORT_MIN_MAX_NARROW(short)
ROCPORT_MIN_MAX_NARROW(unsigned short)
ROCPORT_MIN_MAX_PAIR(int, bool, char)
ROCPORT_MIN_MAX_PAIR(int, bool, signed char)
ROCPORT_MIN_MAX_PAIR(int, bool, unsigned char)
ROCPORT_MIN_MAX_PAIR(int, bool, short)
ROCPORT_MIN_MAX_PAIR(int, bool, unsigned short)
ROCPORT_MIN_MAX_PAIR(int, char, signed char)
ROCPORT_MIN_MAX_PAIR(int, char, unsigned char)
ROCPORT_MIN_MAX_PAIR(int, char, short)
ROCPORT_MIN_MAX_PAIR(int, char, unsigned short)
ROCPORT_MIN_MAX_PAIR(int, signed char, unsigned char)
ROCPORT_MIN_MAX_PAIR(int, signed char, short)
ROCPORT_MIN_MAX_PAIR(int, signed char, unsigned short)
ROCPORT_MIN_MAX_PAIR(int, unsigned char, short)
ROCPORT_MIN_MAX_PAIR(int, unsigned char, unsigned short)
ROCPORT_MIN_MAX_PAIR(int, short, unsigned short)
#undef ROCPORT_MIN_MAX_NARROW
#undef ROCPORT_MIN_MAX_PAIR

// Templates, so that functions of the program with these names take precedence.
#define ROCPORT_NAMED_MIN_MAX(PREFIX, TYPE)            \
  template <typename = void>                           \
  __host__ __device__ TYPE PREFIX##min(TYPE a, TYPE b) { \
    return a < b ? a : b;                              \
  }                                                    \
  template <typename = void>                           \
  __host__ __device__ TYPE PREFIX##max(TYPE a, TYPE b) { \
    return a > b ? a : b;                              \
  }
ROCPORT_NAMED_MIN_MAX(u, unsigned int)
ROCPORT_NAMED_MIN_MAX(ll, long long)
ROCPORT_NAMED_MIN_MAX(ull, unsigned long long)
#undef ROCPORT_NAMED_MIN_MAX

__host__ __device__ inline double min(float a, double b) { return __builtin_fmin(a, b); }
__host__ __device__ inline double min(double a, float b) { return __builtin_fmin(a, b); }
__host__ __device__ inline double max(float a, double b) { return __builtin_fmax(a, b); }
__host__ __device__ inline double max(double a, float b) { return __builtin_fmax(a, b); }

#if !defined(__HIPCC_RTC__)
#include <math.h>

#include <cmath>

namespace rocport {
namespace host_math {
// The remainder is exact, and so are zeros and ones.
inline double sinpi(double x) {
  const double r = std::remainder(x, 2.0);
  const double a = std::fabs(r);
  if (a == 0.0 || a == 1.0) return std::copysign(0.0, x);
  return a == 0.5 ? std::copysign(1.0, r) : std::sin(3.14159265358979323846 * r);
}
inline double cospi(double x) {
  const double a = std::fabs(std::remainder(x, 2.0));
  return a == 0.5 ? 0.0 : std::cos(3.14159265358979323846 * a);
}
}  // namespace host_math
}  // namespace rocport

__host__ inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
__host__ inline float rsqrtf(float x) { return static_cast<float>(rsqrt(static_cast<double>(x))); }
__host__ inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
__host__ inline float rcbrtf(float x) { return static_cast<float>(rcbrt(static_cast<double>(x))); }
__host__ inline double rhypot(double x, double y) { return 1.0 / std::hypot(x, y); }
__host__ inline float rhypotf(float x, float y) {
  return static_cast<float>(
      rhypot(static_cast<double>(x), static_cast<double>(y)));
}
__host__ inline double norm3d(double x, double y, double z) { return std::hypot(std::hypot(x, y), z); }
__host__ inline float norm3df(float x, float y, float z) {
  return static_cast<float>(
      norm3d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)));
}
__host__ inline double norm4d(double x, double y, double z, double w) { return std::hypot(std::hypot(x, y), std::hypot(z, w)); }
__host__ inline float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(
      norm4d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z), static_cast<double>(w)));
}
__host__ inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
__host__ inline float rnorm3df(float x, float y, float z) {
  return static_cast<float>(
      rnorm3d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)));
}
__host__ inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
__host__ inline float rnorm4df(float x, float y, float z, float w) {
  return static_cast<float>(
      rnorm4d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z), static_cast<double>(w)));
}
__host__ inline double sinpi(double x) { return rocport::host_math::sinpi(x); }
__host__ inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
__host__ inline double cospi(double x) { return rocport::host_math::cospi(x); }
__host__ inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
__host__ inline double normcdf(double x) { return 0.5 * std::erfc(-0.70710678118654752440 * x); }
__host__ inline float normcdff(float x) {
  return static_cast<float>(
      normcdf(static_cast<double>(x)));
}
__host__ inline void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__host__ inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
__host__ inline float fdividef(float x, float y) { return x / y; }
#endif

__host__ __device__ inline void sincos(float x, float* s, float* c) { ::sincosf(x, s, c); }

#undef ROCPORT_MIN_MAX
#endif
#endif  // ROCPORT_HOST_MATH_H
