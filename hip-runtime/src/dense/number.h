// The number types of the dense libraries. All arithmetic is done in double or Complex<double> and
// rounded once to the type of the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rocport {

// Not std::complex, whose products check for NaN.
template <class R>
struct Complex {
  R re = 0;
  R im = 0;
  Complex() = default;
  Complex(R real, R imaginary = 0) : re(real), im(imaginary) {}
};

using Z = Complex<double>;

inline Z operator+(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
inline Z operator-(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
inline Z operator-(Z a) { return {-a.re, -a.im}; }
inline Z operator*(Z a, Z b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Z operator*(double a, Z b) { return {a * b.re, a * b.im}; }
inline Z operator*(Z a, double b) { return b * a; }
inline Z operator/(Z a, double b) { return {a.re / b, a.im / b}; }
/** Smith's quotient, which does not overflow where the result does not. */
inline Z operator/(Z a, Z b) {
  if (std::fabs(b.re) >= std::fabs(b.im)) {
    double r = b.im / b.re;
    double d = b.re + b.im * r;
    return {(a.re + a.im * r) / d, (a.im - a.re * r) / d};
  }
  double r = b.re / b.im;
  double d = b.re * r + b.im;
  return {(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}
inline Z& operator+=(Z& a, Z b) { return a = a + b; }
inline Z& operator-=(Z& a, Z b) { return a = a - b; }
inline Z& operator*=(Z& a, Z b) { return a = a * b; }
inline bool operator==(Z a, Z b) { return a.re == b.re && a.im == b.im; }
inline bool operator!=(Z a, Z b) { return !(a == b); }

inline double conjugate(double a) { return a; }
inline Z conjugate(Z a) { return {a.re, -a.im}; }
inline double realPart(double a) { return a; }
inline double realPart(Z a) { return a.re; }
inline double imaginaryPart(double) { return 0; }
inline double imaginaryPart(Z a) { return a.im; }
inline double magnitude(double a) { return std::fabs(a); }
inline double magnitude(Z a) { return std::hypot(a.re, a.im); }
/** |re| + |im|, by which BLAS compares. */
inline double size1(double a) { return std::fabs(a); }
inline double size1(Z a) { return std::fabs(a.re) + std::fabs(a.im); }
inline double square(double a) { return a * a; }
inline double square(Z a) { return a.re * a.re + a.im * a.im; }

/** The exponent and fraction of a positive number of so many bits, rounded to nearest, ties to even. */
inline int64_t roundedBits(double size, int fraction, int bias) {
  if (size == 0) return 0;
  int exponent = std::max(std::ilogb(size), 1 - bias);
  // A number of 1 << fraction and more carries into the exponent by itself.
  auto units = static_cast<int64_t>(std::nearbyint(std::ldexp(size, fraction - exponent)));
  return units + (int64_t(exponent + bias - 1) << fraction);
}

/** A floating-point number of 16 bits with this many bits after the point. */
template <int fraction>
struct Small {
  uint16_t bits;

  static constexpr int BIAS = (1 << (14 - fraction)) - 1;

  explicit operator double() const {
    int exponent = (bits & 0x7fff) >> fraction;
    int rest = bits & ((1 << fraction) - 1);
    double value;
    if (exponent == 2 * BIAS + 1) {
      value = rest ? NAN : INFINITY;
    } else if (exponent == 0) {
      value = std::ldexp(rest, 1 - BIAS - fraction);
    } else {
      uint64_t wide = uint64_t(exponent - BIAS + 1023) << 52 | uint64_t(rest) << (52 - fraction);
      memcpy(&value, &wide, sizeof value);
    }
    return bits & 0x8000 ? -value : value;
  }

  /** To nearest, ties to even. */
  static Small of(double value) {
    auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    auto infinity = static_cast<uint16_t>((2 * BIAS + 1) << fraction);
    double size = std::fabs(value);
    if (std::isnan(value)) return {static_cast<uint16_t>(sign | infinity | 1 << (fraction - 1))};
    if (std::isinf(value)) return {static_cast<uint16_t>(sign | infinity)};
    int64_t all = roundedBits(size, fraction, BIAS);
    return {static_cast<uint16_t>(sign | (all < infinity ? all : infinity))};
  }
};

using Half = Small<10>;
using BFloat = Small<7>;

/**
 * A floating-point number of 8 bits: of the Open Compute Project, or the older type of AMD, which has neither
 * infinities nor a negative zero (fnuz). Numbers that are too large become the largest one.
 */
template <int fraction, bool fnuz>
struct Byte {
  uint8_t bits;

  static constexpr int BIAS = (1 << (6 - fraction)) - 1 + fnuz;
  static constexpr int NOT_A_NUMBER = fnuz ? 0x80 : 0x7f;
  static constexpr int LARGEST = fnuz ? 0x7f : fraction == 3 ? 0x7e : 0x7b;

  explicit operator double() const {
    int size = bits & 0x7f;
    if (fnuz ? bits == NOT_A_NUMBER : size > LARGEST) {
      bool infinite = !fnuz && fraction == 2 && size == LARGEST + 1;
      return infinite ? (bits & 0x80 ? -INFINITY : INFINITY) : NAN;
    }
    int exponent = size >> fraction;
    int rest = size & ((1 << fraction) - 1);
    double value = exponent == 0 ? std::ldexp(rest, 1 - BIAS - fraction)
                                 : std::ldexp(rest + (1 << fraction), exponent - BIAS - fraction);
    return bits & 0x80 ? -value : value;
  }

  /** To nearest, ties to even. */
  static Byte of(double value) {
    if (std::isnan(value)) return {NOT_A_NUMBER};
    int64_t size = std::isinf(value) ? LARGEST : std::min<int64_t>(LARGEST, roundedBits(std::fabs(value), fraction, BIAS));
    bool negative = std::signbit(value) && !(fnuz && size == 0);
    return {static_cast<uint8_t>(size | (negative ? 0x80 : 0))};
  }
};

template <class T>
struct IsComplex : std::false_type {};
template <class R>
struct IsComplex<Complex<R>> : std::true_type {};

/** What to compute in. */
template <class T>
using Wide = std::conditional_t<IsComplex<std::remove_const_t<T>>::value, Z, double>;

/** The type of a scalar that is real for complex matrices too. */
template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<Complex<R>> {
  using type = R;
};
template <class T>
using Real = typename RealOf<T>::type;

template <class T>
Wide<T> widen(T value) {
  if constexpr (IsComplex<T>::value) {
    return {static_cast<double>(value.re), static_cast<double>(value.im)};
  } else {
    return static_cast<double>(value);
  }
}

template <class T, class W>
T narrow(W value) {
  if constexpr (IsComplex<T>::value) {
    using R = Real<T>;
    return {static_cast<R>(realPart(value)), static_cast<R>(imaginaryPart(value))};
  } else if constexpr (!std::is_arithmetic_v<T>) {
    return T::of(realPart(value));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<int64_t>(realPart(value)));
  } else {
    return static_cast<T>(realPart(value));
  }
}

}  // namespace rocport
