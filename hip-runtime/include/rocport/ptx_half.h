// The PTX instructions on f16, f16x2, bf16 and bf16x2 as functions in namespace rocport::ptx, named
// after their instructions as in ptx_float.h. Scalars are their 16 bits, pairs their 32; functions
// on pairs compute both halves independently.
//   add sub mul fma, with _ftz _sat _relu; abs neg min max; setp set; ex2 and tanh with _approx
// f16 is computed by the hardware, bf16 in double and then rounded once. A NaN is NVIDIA's 0x7fff.
#ifndef ROCPORT_PTX_HALF_H
#define ROCPORT_PTX_HALF_H

#include "ptx_convert.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {
namespace half {

ROCPORT_PTX _Float16 value(unsigned short bits) {
  _Float16 result;
  __builtin_memcpy(&result, &bits, sizeof bits);
  return floating::opaque(result);
}
ROCPORT_PTX bool is_nan(unsigned short a) { return (a & 0x7fffu) > 0x7c00u; }
ROCPORT_PTX bool is_nan_bf16(unsigned short a) { return (a & 0x7fffu) > 0x7f80u; }
ROCPORT_PTX unsigned short canonical(unsigned short a) { return is_nan(a) ? 0x7fff : a; }
ROCPORT_PTX unsigned short canonical_bf16(unsigned short a) { return is_nan_bf16(a) ? 0x7fff : a; }
ROCPORT_PTX unsigned short bits(_Float16 value) {
  const _Float16 alone = floating::opaque(value);
  unsigned short result;
  __builtin_memcpy(&result, &alone, sizeof result);
  return canonical(result);
}
ROCPORT_PTX unsigned short flushed(unsigned short a) {
  return (a & 0x7c00u) == 0 ? a & 0x8000u : a;
}
/// .ftz on a result that was rounded from high + low; see floating::flushed.
ROCPORT_PTX unsigned short flushed(unsigned short result, double high, double low) {
  const unsigned size = result & 0x7fffu;
  if (size > 0x400u) return result;
  const double limit = rounded::from_bits(0x3f0ffe0000000000ull);  // 2^-14 less a quarter of a step
  const double exact = high < 0 ? -high : high, rest = high < 0 ? -low : low;
  if (size == 0x400u && (exact > limit || (exact == limit && rest >= 0))) return result;
  return result & 0x8000u;
}
ROCPORT_PTX double widened(unsigned short a) { return static_cast<double>(value(a)); }
ROCPORT_PTX unsigned short positive(unsigned short a) { return conversion::positive_f16(a); }
ROCPORT_PTX unsigned short positive_bf16(unsigned short a) {
  return (a & 0x8000u) != 0 && !is_nan_bf16(a) ? 0 : a;
}

/// To the nearest bfloat16, from a double and its error.
ROCPORT_PTX unsigned short bf16_of(double nearest, double error) {
  if (floating::is_nan(nearest)) return 0x7fff;
  const float narrow = static_cast<float>(nearest);
  unsigned raw = rounded::bits(narrow);
  const double back = static_cast<double>(narrow), size = floating::absolute(nearest);
  // With an odd last bit if something was cut off, rounding again is safe.
  if (!floating::is_infinite(nearest) && (back != nearest || error != 0)) {
    const bool beyond = floating::absolute(back) > size ||
                        (back == nearest &&
                         floating::is_negative(nearest) != floating::is_negative(error));
    raw = (raw - (beyond ? 1u : 0u)) | 1u;
  }
  return static_cast<unsigned short>((raw + 0x7fffu + (raw >> 16 & 1u)) >> 16);
}
ROCPORT_PTX double wide(unsigned short a) {
  return static_cast<double>(rounded::from_bits(static_cast<unsigned>(a) << 16));
}
ROCPORT_PTX unsigned short sum_bf16(double a, double b) {
  const rounded::Pair exact = rounded::two_sum(a, b);
  return bf16_of(exact.sum, exact.error);
}
/// A predicate as the mask or the 1.0 that set returns.
ROCPORT_PTX unsigned mask_pair(bool low, bool high) {
  return (low ? 0xffffu : 0u) | (high ? 0xffff0000u : 0u);
}

}  // namespace half

ROCPORT_PTX unsigned short add_f16(unsigned short a, unsigned short b) {
  return half::bits(half::value(a) + half::value(b));
}
ROCPORT_PTX unsigned short sub_f16(unsigned short a, unsigned short b) {
  return half::bits(half::value(a) - half::value(b));
}
ROCPORT_PTX unsigned short mul_f16(unsigned short a, unsigned short b) {
  return half::bits(half::value(a) * half::value(b));
}
ROCPORT_PTX unsigned short fma_f16(unsigned short a, unsigned short b, unsigned short c) {
  return half::bits(__builtin_fmaf16(half::value(a), half::value(b), half::value(c)));
}
ROCPORT_PTX unsigned short add_bf16(unsigned short a, unsigned short b) {
  return half::sum_bf16(half::wide(a), half::wide(b));
}
ROCPORT_PTX unsigned short sub_bf16(unsigned short a, unsigned short b) {
  return half::sum_bf16(half::wide(a), -half::wide(b));
}
ROCPORT_PTX unsigned short mul_bf16(unsigned short a, unsigned short b) {
  return half::bf16_of(floating::opaque(half::wide(a) * half::wide(b)), 0);
}
ROCPORT_PTX unsigned short fma_bf16(unsigned short a, unsigned short b, unsigned short c) {
  return half::sum_bf16(floating::opaque(half::wide(a) * half::wide(b)), half::wide(c));
}

ROCPORT_PTX unsigned short add_ftz_f16(unsigned short a, unsigned short b) {
  return half::flushed(add_f16(half::flushed(a), half::flushed(b)));
}
ROCPORT_PTX unsigned short sub_ftz_f16(unsigned short a, unsigned short b) {
  return half::flushed(sub_f16(half::flushed(a), half::flushed(b)));
}
ROCPORT_PTX unsigned short mul_ftz_f16(unsigned short a, unsigned short b) {
  const unsigned short x = half::flushed(a), y = half::flushed(b);
  return half::flushed(mul_f16(x, y), half::widened(x) * half::widened(y), 0);
}
#define ROCPORT_PTX_HALF_2(name)                                                                  \
  ROCPORT_PTX unsigned short name##_sat_f16(unsigned short a, unsigned short b) {                 \
    return conversion::saturated_f16(name##_f16(a, b));                                           \
  }                                                                                               \
  ROCPORT_PTX unsigned short name##_ftz_sat_f16(unsigned short a, unsigned short b) {             \
    return conversion::saturated_f16(name##_ftz_f16(a, b));                                       \
  }
ROCPORT_PTX_HALF_2(add)
ROCPORT_PTX_HALF_2(sub)
ROCPORT_PTX_HALF_2(mul)
#undef ROCPORT_PTX_HALF_2
ROCPORT_PTX unsigned short fma_ftz_f16(unsigned short a, unsigned short b, unsigned short c) {
  const unsigned short x = half::flushed(a), y = half::flushed(b), z = half::flushed(c);
  const rounded::Pair exact = rounded::two_sum(
      floating::opaque(half::widened(x) * half::widened(y)), half::widened(z));
  return half::flushed(fma_f16(x, y, z), exact.sum, exact.error);
}
ROCPORT_PTX unsigned short fma_sat_f16(unsigned short a, unsigned short b, unsigned short c) {
  return conversion::saturated_f16(fma_f16(a, b, c));
}
ROCPORT_PTX unsigned short fma_ftz_sat_f16(unsigned short a, unsigned short b, unsigned short c) {
  return conversion::saturated_f16(fma_ftz_f16(a, b, c));
}
ROCPORT_PTX unsigned short fma_relu_f16(unsigned short a, unsigned short b, unsigned short c) {
  return half::positive(fma_f16(a, b, c));
}
ROCPORT_PTX unsigned short fma_ftz_relu_f16(unsigned short a, unsigned short b, unsigned short c) {
  return half::positive(fma_ftz_f16(a, b, c));
}
ROCPORT_PTX unsigned short fma_relu_bf16(unsigned short a, unsigned short b, unsigned short c) {
  return half::positive_bf16(fma_bf16(a, b, c));
}

/// 0 if a factor is the NaN that tensor copies use for out-of-bounds elements.
#define ROCPORT_PTX_OOB(type)                                                                    \
  ROCPORT_PTX unsigned short fma_oob_##type(unsigned short a, unsigned short b, unsigned short c) { \
    return (a & 0x7fffu) == 0x7ff7u || (b & 0x7fffu) == 0x7ff7u ? 0 : fma_##type(a, b, c);       \
  }                                                                                              \
  ROCPORT_PTX unsigned short fma_oob_relu_##type(unsigned short a, unsigned short b,             \
                                                 unsigned short c) {                             \
    return (a & 0x7fffu) == 0x7ff7u || (b & 0x7fffu) == 0x7ff7u ? 0 : fma_relu_##type(a, b, c);  \
  }
ROCPORT_PTX_OOB(f16)
ROCPORT_PTX_OOB(bf16)
#undef ROCPORT_PTX_OOB

ROCPORT_PTX unsigned short abs_f16(unsigned short a) { return half::canonical(a & 0x7fffu); }
ROCPORT_PTX unsigned short abs_ftz_f16(unsigned short a) { return abs_f16(half::flushed(a)); }
ROCPORT_PTX unsigned short abs_bf16(unsigned short a) { return half::canonical_bf16(a & 0x7fffu); }
ROCPORT_PTX unsigned short neg_f16(unsigned short a) { return half::canonical(a ^ 0x8000u); }
ROCPORT_PTX unsigned short neg_ftz_f16(unsigned short a) { return neg_f16(half::flushed(a)); }
ROCPORT_PTX unsigned short neg_bf16(unsigned short a) { return half::canonical_bf16(a ^ 0x8000u); }

namespace half {
/// Bits of either type as integers in the order of their values, -0 below +0.
ROCPORT_PTX int ordered(unsigned short a) {
  const int size = a & 0x7fff;
  return (a & 0x8000) != 0 ? -1 - size : size;
}
ROCPORT_PTX unsigned short choose(bool nan_a, bool nan_b, bool first, bool propagate,
                                  unsigned short a, unsigned short b) {
  if (nan_a && nan_b) return 0x7fff;
  if (nan_a || nan_b) return propagate ? 0x7fff : nan_a ? b : a;
  return first ? a : b;
}
ROCPORT_PTX unsigned short signed_as(unsigned short value, unsigned sign) {
  return static_cast<unsigned short>((value & 0x7fffu) | (sign & 0x8000u));
}
}  // namespace half

#define ROCPORT_PTX_HALF_EXTREME(name, relation, propagate)                                       \
  ROCPORT_PTX unsigned short name##_f16(unsigned short a, unsigned short b) {                     \
    return half::choose(half::is_nan(a), half::is_nan(b),                                         \
                        half::ordered(a) relation half::ordered(b), propagate, a, b);             \
  }                                                                                               \
  ROCPORT_PTX unsigned short name##_ftz_f16(unsigned short a, unsigned short b) {                 \
    return name##_f16(half::flushed(a), half::flushed(b));                                        \
  }                                                                                               \
  ROCPORT_PTX unsigned short name##_xorsign_abs_f16(unsigned short a, unsigned short b) {         \
    const unsigned short value = name##_f16(abs_f16(a), abs_f16(b));                              \
    return half::is_nan(value) ? value : half::signed_as(value, a ^ b);                           \
  }                                                                                               \
  ROCPORT_PTX unsigned short name##_ftz_xorsign_abs_f16(unsigned short a, unsigned short b) {     \
    return name##_xorsign_abs_f16(half::flushed(a), half::flushed(b));                            \
  }                                                                                               \
  ROCPORT_PTX unsigned short name##_bf16(unsigned short a, unsigned short b) {                    \
    return half::choose(half::is_nan_bf16(a), half::is_nan_bf16(b),                               \
                        half::ordered(a) relation half::ordered(b), propagate, a, b);             \
  }                                                                                               \
  ROCPORT_PTX unsigned short name##_xorsign_abs_bf16(unsigned short a, unsigned short b) {        \
    const unsigned short value = name##_bf16(abs_bf16(a), abs_bf16(b));                           \
    return half::is_nan_bf16(value) ? value : half::signed_as(value, a ^ b);                      \
  }
ROCPORT_PTX_HALF_EXTREME(min, <, false)
ROCPORT_PTX_HALF_EXTREME(max, >, false)
ROCPORT_PTX_HALF_EXTREME(min_nan, <, true)
ROCPORT_PTX_HALF_EXTREME(max_nan, >, true)
#undef ROCPORT_PTX_HALF_EXTREME

ROCPORT_PTX unsigned short ex2_approx_f16(unsigned short a) {
  return conversion::half_of(ex2_approx_f32(conversion::value_of_f16(a)));
}
ROCPORT_PTX unsigned short ex2_approx_ftz_bf16(unsigned short a) {
  return cvt_rn_bf16_f32(ex2_approx_ftz_f32(conversion::value_of_bf16(a)));
}
ROCPORT_PTX unsigned short tanh_approx_f16(unsigned short a) {
  return conversion::half_of(tanh_approx_f32(conversion::value_of_f16(a)));
}
ROCPORT_PTX unsigned short tanh_approx_bf16(unsigned short a) {
  return cvt_rn_bf16_f32(tanh_approx_f32(conversion::value_of_bf16(a)));
}

// Pairs.
#define ROCPORT_PTX_PAIR_1(name, type)                                                            \
  ROCPORT_PTX unsigned name##_##type##x2(unsigned a) {                                            \
    return conversion::pair(name##_##type(conversion::upper(a)), name##_##type(conversion::lower(a))); \
  }
#define ROCPORT_PTX_PAIR_2(name, type)                                                            \
  ROCPORT_PTX unsigned name##_##type##x2(unsigned a, unsigned b) {                                \
    return conversion::pair(name##_##type(conversion::upper(a), conversion::upper(b)),            \
                         name##_##type(conversion::lower(a), conversion::lower(b)));              \
  }
#define ROCPORT_PTX_PAIR_3(name, type)                                                            \
  ROCPORT_PTX unsigned name##_##type##x2(unsigned a, unsigned b, unsigned c) {                    \
    return conversion::pair(name##_##type(conversion::upper(a), conversion::upper(b), conversion::upper(c)), \
                         name##_##type(conversion::lower(a), conversion::lower(b), conversion::lower(c))); \
  }
#define ROCPORT_PTX_PAIRS(name)                                                                   \
  ROCPORT_PTX_PAIR_2(name, f16)                                                                   \
  ROCPORT_PTX_PAIR_2(name##_ftz, f16)                                                             \
  ROCPORT_PTX_PAIR_2(name##_sat, f16)                                                             \
  ROCPORT_PTX_PAIR_2(name##_ftz_sat, f16)                                                         \
  ROCPORT_PTX_PAIR_2(name, bf16)
ROCPORT_PTX_PAIRS(add)
ROCPORT_PTX_PAIRS(sub)
ROCPORT_PTX_PAIRS(mul)
#undef ROCPORT_PTX_PAIRS
ROCPORT_PTX_PAIR_3(fma, f16)
ROCPORT_PTX_PAIR_3(fma_ftz, f16)
ROCPORT_PTX_PAIR_3(fma_sat, f16)
ROCPORT_PTX_PAIR_3(fma_ftz_sat, f16)
ROCPORT_PTX_PAIR_3(fma_relu, f16)
ROCPORT_PTX_PAIR_3(fma_ftz_relu, f16)
ROCPORT_PTX_PAIR_3(fma, bf16)
ROCPORT_PTX_PAIR_3(fma_relu, bf16)
ROCPORT_PTX_PAIR_3(fma_oob, f16)
ROCPORT_PTX_PAIR_3(fma_oob_relu, f16)
ROCPORT_PTX_PAIR_3(fma_oob, bf16)
ROCPORT_PTX_PAIR_3(fma_oob_relu, bf16)
ROCPORT_PTX_PAIR_1(abs, f16)
ROCPORT_PTX_PAIR_1(abs_ftz, f16)
ROCPORT_PTX_PAIR_1(abs, bf16)
ROCPORT_PTX_PAIR_1(neg, f16)
ROCPORT_PTX_PAIR_1(neg_ftz, f16)
ROCPORT_PTX_PAIR_1(neg, bf16)
#define ROCPORT_PTX_EXTREMES(name)                                                                \
  ROCPORT_PTX_PAIR_2(name, f16)                                                                   \
  ROCPORT_PTX_PAIR_2(name##_ftz, f16)                                                             \
  ROCPORT_PTX_PAIR_2(name##_xorsign_abs, f16)                                                     \
  ROCPORT_PTX_PAIR_2(name##_ftz_xorsign_abs, f16)                                                 \
  ROCPORT_PTX_PAIR_2(name, bf16)                                                                  \
  ROCPORT_PTX_PAIR_2(name##_xorsign_abs, bf16)
ROCPORT_PTX_EXTREMES(min)
ROCPORT_PTX_EXTREMES(max)
ROCPORT_PTX_EXTREMES(min_nan)
ROCPORT_PTX_EXTREMES(max_nan)
#undef ROCPORT_PTX_EXTREMES
ROCPORT_PTX_PAIR_1(ex2_approx, f16)
ROCPORT_PTX_PAIR_1(ex2_approx_ftz, bf16)
ROCPORT_PTX_PAIR_1(tanh_approx, f16)
ROCPORT_PTX_PAIR_1(tanh_approx, bf16)
#undef ROCPORT_PTX_PAIR_3
#undef ROCPORT_PTX_PAIR_2
#undef ROCPORT_PTX_PAIR_1

// Comparisons: scalars, and masks of pairs (all ones in the halves for which they hold).
#define ROCPORT_PTX_HALF_COMPARISON(name)                                                         \
  ROCPORT_PTX bool setp_##name##_f16(unsigned short a, unsigned short b) {                        \
    return setp_##name##_f32(conversion::value_of_f16(a), conversion::value_of_f16(b));           \
  }                                                                                               \
  ROCPORT_PTX bool setp_##name##_ftz_f16(unsigned short a, unsigned short b) {                    \
    return setp_##name##_f16(half::flushed(a), half::flushed(b));                                 \
  }                                                                                               \
  ROCPORT_PTX bool setp_##name##_bf16(unsigned short a, unsigned short b) {                       \
    return setp_##name##_f32(conversion::value_of_bf16(a), conversion::value_of_bf16(b));         \
  }                                                                                               \
  ROCPORT_PTX unsigned set_##name##_f16x2(unsigned a, unsigned b) {                               \
    return half::mask_pair(setp_##name##_f16(conversion::lower(a), conversion::lower(b)),         \
                           setp_##name##_f16(conversion::upper(a), conversion::upper(b)));        \
  }                                                                                               \
  ROCPORT_PTX unsigned set_##name##_ftz_f16x2(unsigned a, unsigned b) {                           \
    return half::mask_pair(setp_##name##_ftz_f16(conversion::lower(a), conversion::lower(b)),     \
                           setp_##name##_ftz_f16(conversion::upper(a), conversion::upper(b)));    \
  }                                                                                               \
  ROCPORT_PTX unsigned set_##name##_bf16x2(unsigned a, unsigned b) {                              \
    return half::mask_pair(setp_##name##_bf16(conversion::lower(a), conversion::lower(b)),        \
                           setp_##name##_bf16(conversion::upper(a), conversion::upper(b)));       \
  }
ROCPORT_PTX_HALF_COMPARISON(eq)
ROCPORT_PTX_HALF_COMPARISON(ne)
ROCPORT_PTX_HALF_COMPARISON(lt)
ROCPORT_PTX_HALF_COMPARISON(le)
ROCPORT_PTX_HALF_COMPARISON(gt)
ROCPORT_PTX_HALF_COMPARISON(ge)
ROCPORT_PTX_HALF_COMPARISON(equ)
ROCPORT_PTX_HALF_COMPARISON(neu)
ROCPORT_PTX_HALF_COMPARISON(ltu)
ROCPORT_PTX_HALF_COMPARISON(leu)
ROCPORT_PTX_HALF_COMPARISON(gtu)
ROCPORT_PTX_HALF_COMPARISON(geu)
ROCPORT_PTX_HALF_COMPARISON(num)
ROCPORT_PTX_HALF_COMPARISON(nan)
#undef ROCPORT_PTX_HALF_COMPARISON

/// Such masks combined with a predicate, and as the two destinations of setp, the lower half first.
ROCPORT_PTX unsigned masked_and(unsigned mask, bool c) { return c ? mask : 0u; }
ROCPORT_PTX unsigned masked_or(unsigned mask, bool c) { return c ? ~0u : mask; }
ROCPORT_PTX unsigned masked_xor(unsigned mask, bool c) { return c ? ~mask : mask; }
ROCPORT_PTX void halves(bool& d, bool& dq, unsigned mask) {
  d = (mask & 1u) != 0;
  dq = (mask & 0x10000u) != 0;
}
ROCPORT_PTX void halves_and(bool& d, bool& dq, unsigned mask, bool c) {
  halves(d, dq, masked_and(mask, c));
}
ROCPORT_PTX void halves_or(bool& d, bool& dq, unsigned mask, bool c) {
  halves(d, dq, masked_or(mask, c));
}
ROCPORT_PTX void halves_xor(bool& d, bool& dq, unsigned mask, bool c) {
  halves(d, dq, masked_xor(mask, c));
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_HALF_H
