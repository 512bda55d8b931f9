// min and max of CUDA's headers, in the global namespace like theirs.
//
// HIP has them for device code; for host code it has those of int only, to which every other type is
// converted without a word: max(1.5f, 1.25f) is 1. In device code it lacks those of two types:
// max(1u << 31, 1) compares as int. CUDA has them for all types below, for both sides.
#ifndef ROCPORT_MIN_MAX_H
#define ROCPORT_MIN_MAX_H

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

// As fminf and fmaxf: of a number and a NaN the number.
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
__host__ __device__ inline double min(float a, double b) { return __builtin_fmin(a, b); }
__host__ __device__ inline double min(double a, float b) { return __builtin_fmin(a, b); }
__host__ __device__ inline double max(float a, double b) { return __builtin_fmax(a, b); }
__host__ __device__ inline double max(double a, float b) { return __builtin_fmax(a, b); }

#undef ROCPORT_MIN_MAX
#endif
#endif  // ROCPORT_MIN_MAX_H
