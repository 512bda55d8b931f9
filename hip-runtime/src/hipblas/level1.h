// Level 1, for vectors of any kind: they have n, v[i] and v.set(i, value).
#pragma once

#include "../dense/number.h"

namespace rocport::level1 {

/** The Euclidean norm, scaled so that no square overflows. */
template <class V>
double norm(const V& x) {
  double largest = 0;
  for (int64_t i = 0; i < x.n; i++) {
    double size = size1(x[i]);
    if (std::isnan(size)) return size;
    largest = std::max(largest, size);
  }
  if (largest == 0 || std::isinf(largest)) return largest;
  // Unscaled if squares are far from the limits of the range: then scaling by a power of two changes nothing.
  double scale = std::ldexp(1.0, -std::ilogb(largest));
  double sum = 0;
  for (int64_t i = 0; i < x.n; i++) sum += square(x[i] * scale);
  return std::sqrt(sum) / scale;
}

template <class V, class W>
auto dot(const V& x, const W& y, bool conjugated) {
  decltype(x[0] * y[0]) sum = 0.0;
  for (int64_t i = 0; i < x.n; i++) sum += (conjugated ? conjugate(x[i]) : x[i]) * y[i];
  return sum;
}

template <class V, class X, class A>
void axpy(A alpha, const X& x, const V& y) {
  if (alpha == A(0.0)) return;
  for (int64_t i = 0; i < x.n; i++) y.set(i, alpha * x[i] + y[i]);
}

template <class V, class A>
void scale(A alpha, const V& x) {
  for (int64_t i = 0; i < x.n; i++) x.set(i, alpha * x[i]);
}

/** x, y = c x + s y, c y - conj(s) x. */
template <class V, class S>
void rotate(const V& x, const V& y, double c, S s) {
  for (int64_t i = 0; i < x.n; i++) {
    auto a = x[i];
    auto b = y[i];
    x.set(i, c * a + s * b);
    y.set(i, c * b - conjugate(s) * a);
  }
}

}  // namespace rocport::level1
