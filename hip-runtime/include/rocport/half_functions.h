// Functions on half and bfloat16 that CUDA has and HIP lacks, in namespace rocport, without leading
// underscores: the _rn arithmetic, hfma_relu, comparison masks, hmax2_nan and hmin2_nan, hcmadd,
// htanh, conversions between bfloat16 and integers or floats with all roundings, make_bfloat162. In
// the global namespace: atomicAdd and __ldg on half, bfloat16 and pairs, __hmax2 and __hmin2 on half2,
// atomicCAS on unsigned short.
// As in CUDA, host code can use the conversions, too. Their rounding is exact, and was compared with
// that of an NVIDIA GPU (rounded_functions.h).
// Limits: fused operations on bfloat16 go through float and round once more than in CUDA.
#ifndef ROCPORT_HALF_FUNCTIONS_H
#define ROCPORT_HALF_FUNCTIONS_H

#include "device_functions.h"

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#endif

namespace rocport {

// Without contraction into an fma, as the _rn names require.
__device__ __forceinline__ __half hadd_rn(__half a, __half b) { return __hadd(a, b); }
__device__ __forceinline__ __half hsub_rn(__half a, __half b) { return __hsub(a, b); }
__device__ __forceinline__ __half hmul_rn(__half a, __half b) { return __hmul(a, b); }
__device__ __forceinline__ __half2 hadd2_rn(__half2 a, __half2 b) { return __hadd2(a, b); }
__device__ __forceinline__ __half2 hsub2_rn(__half2 a, __half2 b) { return __hsub2(a, b); }
__device__ __forceinline__ __half2 hmul2_rn(__half2 a, __half2 b) { return __hmul2(a, b); }

/// max(a * b + c, 0); a NaN stays a NaN.
__device__ __forceinline__ __half hfma_relu(__half a, __half b, __half c) {
  const __half r = __hfma(a, b, c);
  return __hlt(r, __float2half(0.0f)) ? __float2half(0.0f) : r;
}
__device__ __forceinline__ __half2 hfma2_relu(__half2 a, __half2 b, __half2 c) {
  return __halves2half2(hfma_relu(__low2half(a), __low2half(b), __low2half(c)),
                        hfma_relu(__high2half(a), __high2half(b), __high2half(c)));
}

/// Complex a * b + c, real parts low.
__device__ __forceinline__ __half2 hcmadd(__half2 a, __half2 b, __half2 c) {
  const __half re = __hfma(__low2half(a), __low2half(b), __low2half(c));
  const __half im = __hfma(__low2half(a), __high2half(b), __high2half(c));
  return __halves2half2(__hfma(__hneg(__high2half(a)), __high2half(b), re),
                        __hfma(__high2half(a), __low2half(b), im));
}

__device__ __forceinline__ __half2 hmax2_nan(__half2 a, __half2 b) {
  return __halves2half2(__hmax_nan(__low2half(a), __low2half(b)),
                        __hmax_nan(__high2half(a), __high2half(b)));
}
__device__ __forceinline__ __half2 hmin2_nan(__half2 a, __half2 b) {
  return __halves2half2(__hmin_nan(__low2half(a), __low2half(b)),
                        __hmin_nan(__high2half(a), __high2half(b)));
}

__device__ __forceinline__ __half htanh(__half a) {
  return __float2half(::tanhf(__half2float(a)));
}
__device__ __forceinline__ __half2 h2tanh(__half2 a) {
  return __halves2half2(htanh(__low2half(a)), htanh(__high2half(a)));
}
/// Rounds once, to the nearest half.
ROCPORT_HD __half double2half(double a) {
  // Rounding to zero, with an odd last bit if anything was cut off, keeps enough bits in a float.
  float cut = static_cast<float>(a);
  const double back = static_cast<double>(cut);
  const bool beyond = (back < 0 ? -back : back) > (a < 0 ? -a : a);
  if (a == a && back != a) {
    unsigned bits = rounded::bits(cut) - (beyond ? 1u : 0u);
    cut = rounded::from_bits(bits | 1u);
  }
  return __float2half(cut);
}
ROCPORT_HD signed char half2char_rz(__half a) {
  const float f = __half2float(a);
  return f != f ? 0 : static_cast<signed char>(f < -128.0f ? -128.0f : f > 127.0f ? 127.0f : f);
}
ROCPORT_HD unsigned char half2uchar_rz(__half a) {
  const float f = __half2float(a);
  return !(f > 0.0f) ? 0 : static_cast<unsigned char>(f > 255.0f ? 255.0f : f);
}

// All ones if the comparison of a pair holds. The u forms are also all ones if an operand is a NaN.
#define ROCPORT_MASK(name, ordered, negated)                                               \
  __device__ __forceinline__ unsigned h##name##2_mask(__half2 a, __half2 b) {              \
    return (ordered(__low2half(a), __low2half(b)) ? 0xffffu : 0u) |                        \
           (ordered(__high2half(a), __high2half(b)) ? 0xffff0000u : 0u);                   \
  }                                                                                        \
  __device__ __forceinline__ unsigned h##name##u2_mask(__half2 a, __half2 b) {             \
    return (!negated(__low2half(a), __low2half(b)) ? 0xffffu : 0u) |                       \
           (!negated(__high2half(a), __high2half(b)) ? 0xffff0000u : 0u);                  \
  }
namespace half_detail {
__device__ __forceinline__ bool differs(__half a, __half b) {
  return __half2float(a) < __half2float(b) || __half2float(a) > __half2float(b);
}
}  // namespace half_detail
ROCPORT_MASK(eq, __heq, half_detail::differs)
ROCPORT_MASK(ne, half_detail::differs, __heq)
ROCPORT_MASK(lt, __hlt, __hge)
ROCPORT_MASK(le, __hle, __hgt)
ROCPORT_MASK(gt, __hgt, __hle)
ROCPORT_MASK(ge, __hge, __hlt)
#undef ROCPORT_MASK

namespace half_detail {
ROCPORT_HD __hip_bfloat16 bfloat16_of(unsigned short bits) {
  __hip_bfloat16 result;
  __builtin_memcpy(static_cast<void*>(&result), &bits, sizeof bits);
  return result;
}
ROCPORT_HD unsigned short bits_of(__hip_bfloat16 value) {
  unsigned short bits;
  __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof bits);
  return bits;
}
}  // namespace half_detail

#define ROCPORT_BFLOAT16(type, tag, mode)                                                   \
  ROCPORT_HD __hip_bfloat16 tag##2bfloat16_##mode(type value) {                             \
    return half_detail::bfloat16_of(integer2bfloat16_##mode##_bits(value));                 \
  }                                                                                         \
  ROCPORT_HD type bfloat162##tag##_##mode(__hip_bfloat16 value) {                           \
    return bits_bfloat162integer_##mode<type>(half_detail::bits_of(value));                 \
  }
#define ROCPORT_BFLOAT16_OF(mode)                                                           \
  ROCPORT_HD __hip_bfloat16 float2bfloat16_##mode(float value) {                            \
    return half_detail::bfloat16_of(float2bfloat16_##mode##_bits(value));                   \
  }                                                                                         \
  ROCPORT_BFLOAT16(int, int, mode)                                                          \
  ROCPORT_BFLOAT16(unsigned, uint, mode)                                                    \
  ROCPORT_BFLOAT16(short, short, mode)                                                      \
  ROCPORT_BFLOAT16(unsigned short, ushort, mode)                                            \
  ROCPORT_BFLOAT16(long long, ll, mode)                                                     \
  ROCPORT_BFLOAT16(unsigned long long, ull, mode)
ROCPORT_BFLOAT16_OF(rn)
ROCPORT_BFLOAT16_OF(rz)
ROCPORT_BFLOAT16_OF(rd)
ROCPORT_BFLOAT16_OF(ru)
#undef ROCPORT_BFLOAT16_OF
#undef ROCPORT_BFLOAT16

ROCPORT_HD signed char bfloat162char_rz(__hip_bfloat16 value) {
  return bits_bfloat162integer_rz<signed char>(half_detail::bits_of(value));
}
ROCPORT_HD unsigned char bfloat162uchar_rz(__hip_bfloat16 value) {
  return bits_bfloat162integer_rz<unsigned char>(half_detail::bits_of(value));
}
ROCPORT_HD __hip_bfloat162 floats2bfloat162_rn(float low, float high) {
  __hip_bfloat162 result;
  result.x = float2bfloat16_rn(low);
  result.y = float2bfloat16_rn(high);
  return result;
}
ROCPORT_HD __hip_bfloat162 float2bfloat162_rn(float both) {
  return floats2bfloat162_rn(both, both);
}
ROCPORT_HD __hip_bfloat162 make_bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) {
  __hip_bfloat162 result;
  result.x = low;
  result.y = high;
  return result;
}

__device__ __forceinline__ __hip_bfloat16 htanh(__hip_bfloat16 a) {
  return float2bfloat16_rn(::tanhf(static_cast<float>(a)));
}
__device__ __forceinline__ __hip_bfloat162 h2tanh(__hip_bfloat162 a) {
  return make_bfloat162(htanh(a.x), htanh(a.y));
}

// CUDA's atomicAdd on 16-bit floats; a pair is one atomic access of 32 bits.
__device__ __forceinline__ __half atomicAdd(__half* at, __half value) {
  return memory::update<__HIP_MEMORY_SCOPE_AGENT, unsigned short>(
      at, [value](__half old) { return __hadd(old, value); });
}
__device__ __forceinline__ __half2 atomicAdd(__half2* at, __half2 value) {
  return memory::update<__HIP_MEMORY_SCOPE_AGENT, unsigned>(
      at, [value](__half2 old) { return __hadd2(old, value); });
}
__device__ __forceinline__ __hip_bfloat16 atomicAdd(__hip_bfloat16* at, __hip_bfloat16 value) {
  return memory::update<__HIP_MEMORY_SCOPE_AGENT, unsigned short>(
      at, [value](__hip_bfloat16 old) {
        return float2bfloat16_rn(static_cast<float>(old) + static_cast<float>(value));
      });
}
__device__ __forceinline__ __hip_bfloat162 atomicAdd(__hip_bfloat162* at, __hip_bfloat162 value) {
  return memory::update<__HIP_MEMORY_SCOPE_AGENT, unsigned>(
      at, [value](__hip_bfloat162 old) {
        return floats2bfloat162_rn(static_cast<float>(old.x) + static_cast<float>(value.x),
                                   static_cast<float>(old.y) + static_cast<float>(value.y));
      });
}

namespace half_detail {
/// T, if it is a float of 16 bits or a pair of them.
template <typename T>
using Small = typename std::enable_if<
    std::is_same<T, __half>::value || std::is_same<T, __half2>::value ||
        std::is_same<T, __hip_bfloat16>::value || std::is_same<T, __hip_bfloat162>::value,
    T>::type;
}  // namespace half_detail
}  // namespace rocport

// Overloads of HIP's functions. They are templates, so overload resolution prefers functions of the
// program and of a later HIP.
template <typename T>
__device__ __forceinline__ T atomicAdd(T* at,
                                       rocport::half_detail::Small<T> value) {
  return ::rocport::atomicAdd(at, value);
}
template <typename T>
__device__ __forceinline__ rocport::half_detail::Small<T> __ldg(const T* from) {
  return *from;
}
// If one element is a NaN, the result is the other one.
template <typename T>
__device__ __forceinline__ typename std::enable_if<std::is_same<T, __half2>::value, T>::type
__hmax2(T a, T b) {
  return __halves2half2(__hmax(__low2half(a), __low2half(b)),
                        __hmax(__high2half(a), __high2half(b)));
}
template <typename T>
__device__ __forceinline__ typename std::enable_if<std::is_same<T, __half2>::value, T>::type
__hmin2(T a, T b) {
  return __halves2half2(__hmin(__low2half(a), __low2half(b)),
                        __hmin(__high2half(a), __high2half(b)));
}
template <typename T>
__device__ __forceinline__
    typename std::enable_if<std::is_same<T, unsigned short>::value, T>::type
    atomicCAS(T* at, typename ::rocport::memory::Same<T>::type compare,
              typename ::rocport::memory::Same<T>::type value) {
  return ::rocport::atomicCAS(at, compare, value);
}

#endif
#endif  // ROCPORT_HALF_FUNCTIONS_H
