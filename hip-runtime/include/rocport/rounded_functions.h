// CUDA's arithmetic with directed rounding, which HIP lacks: rocport::fadd_rd for __fadd_rd and so
// on: {f,d}{add,sub,mul,div,rcp,sqrt}, fmaf and fma, each with _rd (down), _ru (up) and _rz (to
// zero); float2bfloat16_{rn,rz,rd,ru}_bits, and integer2bfloat16_MODE_bits and
// bits_bfloat162integer_MODE<T> for the conversions between integers and bfloat16 (as 16 bits;
// half_functions.h has them with the type).
//
// The nearest result is computed first, then, exactly, the sign of its error: in double
// precision for floats, with error-free transformations for doubles. Results are those of IEEE 754,
// subnormal numbers, overflow and signed zeros included; a float NaN is the canonical one of CUDA.
// Slow compared with hardware rounding modes (about 20 to 100 instructions). Must not be compiled
// with -ffast-math. hip-runtime/checks/device-functions compares with an NVIDIA GPU.
#ifndef ROCPORT_ROUNDED_FUNCTIONS_H
#define ROCPORT_ROUNDED_FUNCTIONS_H

#if defined(__HIP__) || defined(__CUDACC__)
#ifndef ROCPORT_HD
#define ROCPORT_HD __host__ __device__ inline
#endif
#elif !defined(ROCPORT_HD)
#define ROCPORT_HD inline
#endif

namespace rocport {
namespace rounded {

// Opens a function whose products and sums are rounded one by one.
#if defined(__clang__)
#define ROCPORT_ROUNDED_ALONE _Pragma("clang fp contract(off)")
#else
#define ROCPORT_ROUNDED_ALONE
#endif

enum Mode { kDown, kUp, kZero };

ROCPORT_HD unsigned bits(float value) {
  unsigned result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}
ROCPORT_HD unsigned long long bits(double value) {
  unsigned long long result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}
ROCPORT_HD float from_bits(unsigned value) {
  float result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}
ROCPORT_HD double from_bits(unsigned long long value) {
  double result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}

ROCPORT_HD unsigned word(float) { return 1u; }
ROCPORT_HD unsigned long long word(double) { return 1ull; }

template <typename T>
ROCPORT_HD bool is_nan(T value) {
  return value != value;
}
template <typename T>
ROCPORT_HD bool is_finite(T value) {
  return value - value == 0;
}
ROCPORT_HD float nan_of(float) { return from_bits(0x7fffffffu); }  // the NaN of CUDA
ROCPORT_HD double nan_of(double nearest) { return nearest; }

template <typename T>
ROCPORT_HD bool is_negative(T value) {
  return bits(value) >> (sizeof(T) * 8 - 1) != 0;
}

/// The next number away from zero (up to infinity) or towards it.
template <typename T>
ROCPORT_HD T outward(T value) {
  return from_bits(bits(value) + word(value));
}
template <typename T>
ROCPORT_HD T inward(T value) {
  return from_bits(bits(value) - word(value));
}

/// Turns a nearest result into a directed one, given the sign of exact - nearest.
template <typename T>
ROCPORT_HD T directed(T nearest, int beyond, Mode mode) {
  if (beyond == 0) return nearest;
  const T zero = 0;
  if (nearest == zero) {
    const bool up = beyond > 0;
    if (mode == kZero || up != (mode == kUp)) return up ? zero : -zero;
    const T least = from_bits(word(nearest));
    return up ? least : -least;
  }
  const bool negative = is_negative(nearest);
  const bool too_small = (beyond > 0) != negative;  // in magnitude
  const bool away = mode == kZero ? false : (mode == kUp) != negative;
  if (too_small) return away ? outward(nearest) : nearest;
  return away ? nearest : inward(nearest);
}

template <typename T>
ROCPORT_HD int sign(T value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/// a + b = sum + error, whatever their order (no overflow).
struct Pair {
  double sum, error;
};
ROCPORT_HD Pair two_sum(double a, double b) {
  ROCPORT_ROUNDED_ALONE
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// The sign of a + b + c + d, by repeatedly reducing their overlap.
ROCPORT_HD int sign_of_sum(double a, double b, double c, double d) {
  double v[4] = {a, b, c, d};
  for (int pass = 0; pass < 4; ++pass) {
    for (int i = 0; i < 3; ++i) {
      const Pair p = two_sum(v[i], v[i + 1]);
      v[i] = p.error;
      v[i + 1] = p.sum;
    }
  }
  for (int i = 3; i >= 0; --i) {
    if (v[i] != 0) return sign(v[i]);
  }
  return 0;
}

/// |value| in [1, 2) and its exponent; value is finite and not zero.
struct Scaled {
  double fraction;
  int exponent;
};
ROCPORT_HD Scaled scaled(double value) {
  int exponent = 0;
  if ((bits(value) >> 52 & 0x7ffull) == 0) {
    value *= 18014398509481984.0;  // 2^54
    exponent = -54;
  }
  const unsigned long long raw = bits(value);
  exponent += static_cast<int>(raw >> 52 & 0x7ffull) - 1023;
  return {from_bits((raw & 0x800fffffffffffffull) | 0x3ff0000000000000ull), exponent};
}

/// value * 2^exponent where that is exact or overflows.
ROCPORT_HD double times_power(double value, int exponent) {
  while (exponent > 1000) {
    value *= 1.0715086071862673e301;  // 2^1000
    exponent -= 1000;
  }
  while (exponent < -1000) {
    value *= 9.332636185032189e-302;  // 2^-1000
    exponent += 1000;
  }
  return value * from_bits(static_cast<unsigned long long>(exponent + 1023) << 52);
}

/// An exact zero sum of opposites is -0 when rounding down, +0 else.
template <typename T>
ROCPORT_HD T zero_sum(T nearest, T a, T b, Mode mode) {
  return nearest == 0 && is_negative(a) != is_negative(b) && mode == kDown ? -T(0) : nearest;
}

// Floats: exact in double, or as a sum of two doubles.

ROCPORT_HD float add(float a, float b, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const float nearest = a + b;
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b)) return nearest;
  if (a + b == 0) return zero_sum(nearest, a, b, mode);
  const Pair exact = two_sum(a, b);
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  return directed(nearest, sign_of_sum(exact.sum, exact.error, -static_cast<double>(nearest), 0),
                  mode);
}

ROCPORT_HD float multiply(float a, float b, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const float nearest = a * b;
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b)) return nearest;
  const double exact = static_cast<double>(a) * static_cast<double>(b);
  return directed(nearest, exact > nearest ? 1 : exact < nearest ? -1 : 0, mode);
}

ROCPORT_HD float divide(float a, float b, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const float nearest = static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return nearest;
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  const double back = static_cast<double>(nearest) * static_cast<double>(b);
  const int beyond = a > back ? 1 : a < back ? -1 : 0;
  const int beyond_quotient = b < 0 ? -beyond : beyond;
  return directed(nearest == 0 && is_negative(a) != is_negative(b) ? -0.0f : nearest,
                  beyond_quotient, mode);
}

ROCPORT_HD float square_root(float a, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const float nearest = static_cast<float>(__builtin_sqrt(static_cast<double>(a)));
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || a == 0) return nearest;
  const double back = static_cast<double>(nearest) * static_cast<double>(nearest);
  return directed(nearest, a > back ? 1 : a < back ? -1 : 0, mode);
}

ROCPORT_HD float multiply_add(float a, float b, float c, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const Pair exact = two_sum(product, static_cast<double>(c));
  const float nearest = static_cast<float>(product + static_cast<double>(c));
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return nearest;
  if (product + c == 0 && exact.error == 0) {
    return zero_sum(nearest, is_negative(a) != is_negative(b) ? -1.0f : 1.0f, c, mode);
  }
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  return directed(nearest, sign_of_sum(exact.sum, exact.error, -static_cast<double>(nearest), 0),
                  mode);
}

// Doubles.

ROCPORT_HD double add(double a, double b, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const double nearest = a + b;
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b)) return nearest;
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  if (nearest == 0) return zero_sum(nearest, a, b, mode);
  const bool ordered = (a < 0 ? -a : a) >= (b < 0 ? -b : b);
  const double large = ordered ? a : b, small = ordered ? b : a;
  return directed(nearest, sign(small - (nearest - large)), mode);
}

ROCPORT_HD double multiply(double a, double b, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const double nearest = a * b;
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return nearest;
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  const Scaled x = scaled(a), y = scaled(b);
  const double product = x.fraction * y.fraction;
  const double error = __builtin_fma(x.fraction, y.fraction, -product);
  const double back = times_power(nearest, -(x.exponent + y.exponent));
  return directed(nearest, sign_of_sum(product, error, -back, 0), mode);
}

ROCPORT_HD double divide(double a, double b, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const double nearest = a / b;
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return nearest;
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  const Scaled x = scaled(a), y = scaled(b);
  const double back = times_power(nearest, y.exponent - x.exponent);
  const int rest = sign(__builtin_fma(-back, y.fraction, x.fraction));
  return directed(nearest, y.fraction < 0 ? -rest : rest, mode);
}

ROCPORT_HD double square_root(double a, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const double nearest = __builtin_sqrt(a);
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || a == 0) return nearest;
  const Scaled x = scaled(a);
  const int half = (x.exponent - (x.exponent & 1)) / 2;
  const double back = times_power(nearest, -half);
  const double value = x.exponent & 1 ? 2.0 * x.fraction : x.fraction;
  return directed(nearest, sign(__builtin_fma(-back, back, value)), mode);
}

ROCPORT_HD double multiply_add(double a, double b, double c, Mode mode) {
  ROCPORT_ROUNDED_ALONE
  const double nearest = __builtin_fma(a, b, c);
  if (is_nan(nearest)) return nan_of(nearest);
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return nearest;
  const bool negative = is_negative(a) != is_negative(b);
  if (a == 0 || b == 0) {
    return c == 0 ? zero_sum(nearest, negative ? -1.0 : 1.0, c, mode) : nearest;
  }
  if (!is_finite(nearest)) return directed(nearest, nearest > 0 ? -1 : 1, mode);
  const Scaled x = scaled(a), y = scaled(b);
  const double product = x.fraction * y.fraction;
  const double error = __builtin_fma(x.fraction, y.fraction, -product);
  const int exponent = x.exponent + y.exponent;
  if (c == 0) {
    return directed(nearest, sign_of_sum(product, error, -times_power(nearest, -exponent), 0), mode);
  }
  const int apart = scaled(c).exponent - exponent;
  if (apart > 300) {  // only the sign of the product matters
    return directed(nearest, nearest == c ? (negative ? -1 : 1) : c > nearest ? 1 : -1, mode);
  }
  if (apart < -300) {  // only the sign of the addend matters
    const double back = times_power(nearest, -exponent);
    const int rest = sign_of_sum(product, error, -back, 0);
    return directed(nearest, rest != 0 ? rest : sign(c), mode);
  }
  const double addend = times_power(c, -exponent);
  const double back = times_power(nearest, -exponent);
  const int beyond = sign_of_sum(product, error, addend, -back);
  if (nearest == 0 && beyond == 0) return zero_sum(nearest, negative ? -1.0 : 1.0, c, mode);
  return directed(nearest, beyond, mode);
}

/// The upper half of a float's bits, rounded: rn to the nearest (even), otherwise by the mode.
ROCPORT_HD unsigned short bfloat16_bits(float value, bool to_nearest, Mode mode) {
  const unsigned raw = bits(value);
  if (is_nan(value)) return 0x7fff;
  const unsigned rest = raw & 0xffffu;
  unsigned result = raw >> 16;
  if (to_nearest) {
    result += rest > 0x8000u || (rest == 0x8000u && (result & 1u) != 0u) ? 1u : 0u;
  } else if (mode != kZero && rest != 0u && (raw & 0x7f800000u) != 0x7f800000u) {
    result += (mode == kUp) != is_negative(value) ? 1u : 0u;
  }
  return static_cast<unsigned short>(result);
}

enum Nearest { kNearest = 3 };

/// An integer, rounded once to eight significant bits.
ROCPORT_HD unsigned short integer_bfloat16_bits(bool negative, unsigned long long magnitude,
                                                int mode) {
  if (magnitude == 0) return 0;
  const int top = 63 - __builtin_clzll(magnitude);
  unsigned long long kept = top > 7 ? magnitude >> (top - 7) : magnitude << (7 - top);
  if (top > 7) {
    const unsigned long long rest = magnitude & ((1ull << (top - 7)) - 1ull);
    const unsigned long long half = 1ull << (top - 8);
    const bool up = mode == kNearest ? rest > half || (rest == half && (kept & 1ull) != 0)
                    : mode == kZero  ? false
                                     : rest != 0 && (mode == kUp) != negative;
    kept += up ? 1ull : 0ull;
  }
  const unsigned result = (static_cast<unsigned>(top + 127) << 7) + static_cast<unsigned>(kept) - 128u;
  return static_cast<unsigned short>(result | (negative ? 0x8000u : 0u));
}

/// A bfloat16 as an integer of a given range: rounded, saturated; for a NaN the given value.
ROCPORT_HD unsigned long long integer_of_bfloat16(unsigned short value, int mode, bool is_signed,
                                                  int width, unsigned long long of_nan) {
  const bool negative = (value & 0x8000u) != 0;
  const int exponent = static_cast<int>(value >> 7 & 255) - 127;
  const unsigned fraction = (value & 127u) | (exponent > -127 ? 128u : 0u);
  if (exponent == 128 && (value & 127u) != 0) return of_nan;
  const unsigned long long most = is_signed ? (1ull << (width - 1)) - (negative ? 0u : 1u)
                                  : negative ? 0ull
                                             : ~0ull >> (64 - width);
  unsigned long long magnitude;
  if (exponent >= 64) {
    magnitude = ~0ull;
  } else if (exponent >= 7) {
    magnitude = static_cast<unsigned long long>(fraction) << (exponent - 7);
  } else {
    const int down = 7 - exponent < 16 ? 7 - exponent : 16;
    const unsigned rest = fraction & ((1u << down) - 1u), half = 1u << (down - 1);
    magnitude = fraction >> down;
    const bool up = mode == kNearest ? rest > half || (rest == half && (magnitude & 1u) != 0)
                    : mode == kZero  ? false
                                     : rest != 0 && (mode == kUp) != negative;
    magnitude += up ? 1u : 0u;
  }
  if (magnitude > most) magnitude = most;
  return negative ? 0ull - magnitude : magnitude;
}

#undef ROCPORT_ROUNDED_ALONE

}  // namespace rounded

#define ROCPORT_ROUNDED_1(name, T, call)                                            \
  ROCPORT_HD T name##_rd(T a) { return rounded::call(a, rounded::kDown); }          \
  ROCPORT_HD T name##_ru(T a) { return rounded::call(a, rounded::kUp); }            \
  ROCPORT_HD T name##_rz(T a) { return rounded::call(a, rounded::kZero); }
#define ROCPORT_ROUNDED_2(name, T, call, b_of)                                      \
  ROCPORT_HD T name##_rd(T a, T b) { return rounded::call(a, b_of, rounded::kDown); } \
  ROCPORT_HD T name##_ru(T a, T b) { return rounded::call(a, b_of, rounded::kUp); }   \
  ROCPORT_HD T name##_rz(T a, T b) { return rounded::call(a, b_of, rounded::kZero); }
#define ROCPORT_ROUNDED_3(name, T, call)                                            \
  ROCPORT_HD T name##_rd(T a, T b, T c) { return rounded::call(a, b, c, rounded::kDown); } \
  ROCPORT_HD T name##_ru(T a, T b, T c) { return rounded::call(a, b, c, rounded::kUp); }   \
  ROCPORT_HD T name##_rz(T a, T b, T c) { return rounded::call(a, b, c, rounded::kZero); }
#define ROCPORT_RECIPROCAL(name, T)                                                 \
  ROCPORT_HD T name##_rd(T a) { return rounded::divide(T(1), a, rounded::kDown); }  \
  ROCPORT_HD T name##_ru(T a) { return rounded::divide(T(1), a, rounded::kUp); }    \
  ROCPORT_HD T name##_rz(T a) { return rounded::divide(T(1), a, rounded::kZero); }

ROCPORT_ROUNDED_2(fadd, float, add, b)
ROCPORT_ROUNDED_2(fsub, float, add, -b)
ROCPORT_ROUNDED_2(fmul, float, multiply, b)
ROCPORT_ROUNDED_2(fdiv, float, divide, b)
ROCPORT_ROUNDED_1(fsqrt, float, square_root)
ROCPORT_RECIPROCAL(frcp, float)
ROCPORT_ROUNDED_3(fmaf, float, multiply_add)
ROCPORT_ROUNDED_2(dadd, double, add, b)
ROCPORT_ROUNDED_2(dsub, double, add, -b)
ROCPORT_ROUNDED_2(dmul, double, multiply, b)
ROCPORT_ROUNDED_2(ddiv, double, divide, b)
ROCPORT_ROUNDED_1(dsqrt, double, square_root)
ROCPORT_RECIPROCAL(drcp, double)
ROCPORT_ROUNDED_3(fma, double, multiply_add)

#undef ROCPORT_RECIPROCAL
#undef ROCPORT_ROUNDED_3
#undef ROCPORT_ROUNDED_2
#undef ROCPORT_ROUNDED_1

ROCPORT_HD unsigned short float2bfloat16_rn_bits(float value) {
  return rounded::bfloat16_bits(value, true, rounded::kZero);
}
ROCPORT_HD unsigned short float2bfloat16_rz_bits(float value) {
  return rounded::bfloat16_bits(value, false, rounded::kZero);
}
ROCPORT_HD unsigned short float2bfloat16_rd_bits(float value) {
  return rounded::bfloat16_bits(value, false, rounded::kDown);
}
ROCPORT_HD unsigned short float2bfloat16_ru_bits(float value) {
  return rounded::bfloat16_bits(value, false, rounded::kUp);
}

#define ROCPORT_CONVERSION(suffix, mode)                                                      \
  template <typename T>                                                                       \
  ROCPORT_HD unsigned short integer2bfloat16_##suffix##_bits(T value) {                       \
    const bool negative = value < T(0);                                                       \
    const unsigned long long wide = static_cast<unsigned long long>(value);                   \
    return rounded::integer_bfloat16_bits(negative, negative ? 0ull - wide : wide,           \
                                          rounded::mode);                                    \
  }                                                                                           \
  template <typename T>                                                                       \
  ROCPORT_HD T bits_bfloat162integer_##suffix(unsigned short value) {                         \
    const unsigned long long of_nan = sizeof(T) == 8 ? 0x8000000000000000ull : 0ull;          \
    return static_cast<T>(rounded::integer_of_bfloat16(value, rounded::mode, T(-1) < T(0),    \
                                                       sizeof(T) * 8, of_nan));               \
  }
ROCPORT_CONVERSION(rn, kNearest)
ROCPORT_CONVERSION(rz, kZero)
ROCPORT_CONVERSION(rd, kDown)
ROCPORT_CONVERSION(ru, kUp)
#undef ROCPORT_CONVERSION

}  // namespace rocport

#endif  // ROCPORT_ROUNDED_FUNCTIONS_H
