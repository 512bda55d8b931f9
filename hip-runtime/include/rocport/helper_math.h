// Functions on vectors with the names of helper_math.h of the CUDA samples, in the global namespace as
// there, for host and device.
//
// The operators of that header are those of HIP's own vector types: + - * / and the assignments, of two
// vectors or a vector and a scalar.
//
//   for float2, float3, float4, int2 to int4, uint2 to uint4:
//     make_X from one value, and from shorter, longer and other vectors; min, max, clamp, dot
//   for float and float2 to float4: lerp, clamp, smoothstep; of vectors: fminf, fmaxf, floorf, fracf,
//     fabs, fmodf, length, normalize, reflect (float3); for float3: cross
//   for int2 to int4: abs
#ifndef ROCPORT_HELPER_MATH_H
#define ROCPORT_HELPER_MATH_H

#ifndef __cplusplus
#error "rocport/helper_math.h needs C++"
#endif

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#else
#include <hip/hip_runtime_api.h>
#endif
#include <math.h>
#include <stdlib.h>

#include "host_math.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#if !defined(__HIP__)
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
#endif

#define ROCPORT_BOTH static inline __host__ __device__ __attribute__((unused))

// From one value.
#define ROCPORT_FILL(V, T)                                              \
  ROCPORT_BOTH V##2 make_##V##2(T s) { return make_##V##2(s, s); }       \
  ROCPORT_BOTH V##3 make_##V##3(T s) { return make_##V##3(s, s, s); }    \
  ROCPORT_BOTH V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); } \
  ROCPORT_BOTH V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); } \
  ROCPORT_BOTH V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, T(0)); }       \
  ROCPORT_BOTH V##3 make_##V##3(V##2 a, T s) { return make_##V##3(a.x, a.y, s); }     \
  ROCPORT_BOTH V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); }        \
  ROCPORT_BOTH V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, T(0)); }  \
  ROCPORT_BOTH V##4 make_##V##4(V##3 a, T w) { return make_##V##4(a.x, a.y, a.z, w); }
ROCPORT_FILL(float, float)
ROCPORT_FILL(int, int)
ROCPORT_FILL(uint, uint)
#undef ROCPORT_FILL

// From a vector of another type.
#define ROCPORT_CONVERT(V, T, W)                                                         \
  ROCPORT_BOTH V##2 make_##V##2(W##2 a) { return make_##V##2(T(a.x), T(a.y)); }           \
  ROCPORT_BOTH V##3 make_##V##3(W##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); }   \
  ROCPORT_BOTH V##4 make_##V##4(W##4 a) {                                                 \
    return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w));                                   \
  }
ROCPORT_CONVERT(float, float, int)
ROCPORT_CONVERT(float, float, uint)
ROCPORT_CONVERT(int, int, float)
ROCPORT_CONVERT(int, int, uint)
ROCPORT_CONVERT(uint, uint, int)
#undef ROCPORT_CONVERT

// Component by component: of one, two and three values.
#define ROCPORT_EACH1(NAME, V, F)                                                       \
  ROCPORT_BOTH V##2 NAME(V##2 a) { return make_##V##2(F(a.x), F(a.y)); }                 \
  ROCPORT_BOTH V##3 NAME(V##3 a) { return make_##V##3(F(a.x), F(a.y), F(a.z)); }         \
  ROCPORT_BOTH V##4 NAME(V##4 a) { return make_##V##4(F(a.x), F(a.y), F(a.z), F(a.w)); }
#define ROCPORT_EACH2(NAME, V, F)                                                               \
  ROCPORT_BOTH V##2 NAME(V##2 a, V##2 b) { return make_##V##2(F(a.x, b.x), F(a.y, b.y)); }       \
  ROCPORT_BOTH V##3 NAME(V##3 a, V##3 b) {                                                       \
    return make_##V##3(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z));                                   \
  }                                                                                              \
  ROCPORT_BOTH V##4 NAME(V##4 a, V##4 b) {                                                       \
    return make_##V##4(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w));                      \
  }
#define ROCPORT_EACH3(NAME, V)                                                                  \
  ROCPORT_BOTH V##2 NAME(V##2 a, V##2 b, V##2 c) {                                               \
    return make_##V##2(NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y));                                \
  }                                                                                              \
  ROCPORT_BOTH V##3 NAME(V##3 a, V##3 b, V##3 c) {                                               \
    return make_##V##3(NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y), NAME(a.z, b.z, c.z));           \
  }                                                                                              \
  ROCPORT_BOTH V##4 NAME(V##4 a, V##4 b, V##4 c) {                                               \
    return make_##V##4(NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y), NAME(a.z, b.z, c.z),            \
                       NAME(a.w, b.w, c.w));                                                     \
  }

#define ROCPORT_LESS(a, b) ((a) < (b) ? (a) : (b))
#define ROCPORT_MORE(a, b) ((a) > (b) ? (a) : (b))
ROCPORT_EACH2(min, int, ROCPORT_LESS)
ROCPORT_EACH2(max, int, ROCPORT_MORE)
ROCPORT_EACH2(min, uint, ROCPORT_LESS)
ROCPORT_EACH2(max, uint, ROCPORT_MORE)
#undef ROCPORT_LESS
#undef ROCPORT_MORE
ROCPORT_EACH2(fminf, float, ::fminf)
ROCPORT_EACH2(fmaxf, float, ::fmaxf)
ROCPORT_EACH2(fmodf, float, ::fmodf)
ROCPORT_EACH1(floorf, float, ::floorf)
ROCPORT_EACH1(fabs, float, ::fabsf)
ROCPORT_EACH1(abs, int, ::abs)

ROCPORT_BOTH float clamp(float f, float a, float b) { return ::fmaxf(a, ::fminf(f, b)); }
ROCPORT_BOTH int clamp(int f, int a, int b) {
  const int least = f < b ? f : b;
  return a > least ? a : least;
}
ROCPORT_BOTH uint clamp(uint f, uint a, uint b) {
  const uint least = f < b ? f : b;
  return a > least ? a : least;
}
ROCPORT_EACH3(clamp, float)
ROCPORT_EACH3(clamp, int)
ROCPORT_EACH3(clamp, uint)

ROCPORT_BOTH float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
ROCPORT_EACH3(smoothstep, float)

ROCPORT_BOTH float fracf(float v) { return v - ::floorf(v); }
ROCPORT_EACH1(fracf, float, ::fracf)
#undef ROCPORT_EACH1
#undef ROCPORT_EACH2
#undef ROCPORT_EACH3

#define ROCPORT_BETWEEN(V, T)                                                          \
  ROCPORT_BOTH V##2 clamp(V##2 v, T a, T b) { return clamp(v, make_##V##2(a), make_##V##2(b)); } \
  ROCPORT_BOTH V##3 clamp(V##3 v, T a, T b) { return clamp(v, make_##V##3(a), make_##V##3(b)); } \
  ROCPORT_BOTH V##4 clamp(V##4 v, T a, T b) { return clamp(v, make_##V##4(a), make_##V##4(b)); } \
  ROCPORT_BOTH T dot(V##2 a, V##2 b) { return a.x * b.x + a.y * b.y; }                  \
  ROCPORT_BOTH T dot(V##3 a, V##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }      \
  ROCPORT_BOTH T dot(V##4 a, V##4 b) {                                                  \
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                               \
  }
ROCPORT_BETWEEN(float, float)
ROCPORT_BETWEEN(int, int)
ROCPORT_BETWEEN(uint, uint)
#undef ROCPORT_BETWEEN

ROCPORT_BOTH float lerp(float a, float b, float t) { return a + t * (b - a); }
#define ROCPORT_LENGTHS(V)                                             \
  ROCPORT_BOTH V lerp(V a, V b, float t) { return a + (b - a) * t; }    \
  ROCPORT_BOTH float length(V v) { return ::sqrtf(dot(v, v)); }         \
  ROCPORT_BOTH V normalize(V v) { return v * ::rsqrtf(dot(v, v)); }
ROCPORT_LENGTHS(float2)
ROCPORT_LENGTHS(float3)
ROCPORT_LENGTHS(float4)
#undef ROCPORT_LENGTHS

ROCPORT_BOTH float3 reflect(float3 i, float3 n) { return i - n * (2.0f * dot(n, i)); }
ROCPORT_BOTH float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#undef ROCPORT_BOTH

#endif
