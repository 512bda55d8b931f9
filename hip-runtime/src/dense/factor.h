// LU, Cholesky and QR factors, in LAPACK's forms; row numbers and info count from 1 as there.
#pragma once

#include "triangular.h"

namespace rocport {

constexpr int64_t PANEL = 48;

/** c -= a b for the parts of one matrix that begin at these elements. */
template <class W>
void subtractProduct(Dense<W>& all, int64_t rows, int64_t columns, int64_t depth, const Factor& a, const Factor& b,
                     int64_t row, int64_t column, Part part = Part::ALL) {
  Layout layout{rows, columns, all.rows};
  multiply(rows, columns, depth, -1.0, a, b, 1.0, part, Target<W>{&all(row, column), layout});
}

/**
 * a = p l u. Returns 0, or the number of the first zero on u's diagonal.
 *
 * @param pivots the row that each row was exchanged with; empty to exchange none
 */
template <class W>
int lu(Dense<W>& a, std::vector<int>* pivots) {
  int64_t m = a.rows;
  int64_t n = a.columns;
  int64_t most = std::min(m, n);
  int info = 0;
  if (pivots) pivots->resize(most);
  for (int64_t first = 0; first < most; first += PANEL) {
    int64_t end = std::min(first + PANEL, most);
    for (int64_t k = first; k < end; k++) {
      int64_t best = k;
      for (int64_t i = k + 1; pivots && i < m; i++) {
        if (size1(a(i, k)) > size1(a(best, k))) best = i;
      }
      if (pivots) (*pivots)[k] = static_cast<int>(best + 1);
      for (int64_t j = 0; best != k && j < n; j++) std::swap(a(k, j), a(best, j));
      if (a(k, k) == W(0.0)) {
        if (info == 0) info = static_cast<int>(k + 1);
        continue;
      }
      for (int64_t i = k + 1; i < m; i++) a(i, k) = a(i, k) / a(k, k);
      for (int64_t j = k + 1; j < end; j++) {
        W value = a(k, j);
        for (int64_t i = k + 1; i < m; i++) a(i, j) -= a(i, k) * value;
      }
    }
    auto inner = [&](int64_t i, int64_t j) { return i == j ? W(1.0) : a(first + i, first + j); };
    auto all = [&](int64_t) { return std::pair<int64_t, int64_t>(0, end - first); };
    for (int64_t j = end; j < n; j++) substitute(true, end - first, inner, all, a.column(j) + first);
    if (end < m && end < n) {
      auto left = factor<W>([&](int64_t i, int64_t j) { return a(end + i, first + j); });
      auto right = factor<W>([&](int64_t i, int64_t j) { return a(first + i, end + j); });
      subtractProduct(a, m - end, n - end, end - first, left, right, end, end);
    }
  }
  return info;
}

/** Exchanges rows as lu did, or back. */
template <class W>
void exchange(Dense<W>& b, const int* pivots, int64_t n, bool back) {
  for (int64_t step = 0; step < n; step++) {
    int64_t k = back ? n - 1 - step : step;
    int64_t other = pivots[k] - 1;
    for (int64_t j = 0; other != k && j < b.columns; j++) std::swap(b(k, j), b(other, j));
  }
}

/** op(a) with the factors in one matrix. */
template <class W>
Dense<W> turnedCopy(const Dense<W>& a, bool transposed, bool conjugated) {
  return Dense<W>::of(transposed ? a.columns : a.rows, transposed ? a.rows : a.columns, [&](int64_t i, int64_t j) {
    W value = transposed ? a(j, i) : a(i, j);
    return conjugated ? conjugate(value) : value;
  });
}

/** b = inverse(op(a)) b with what lu made of a; without pivots where none are given. */
template <class W>
void solveLu(const Dense<W>& factors, const int* pivots, bool transposed, bool conjugated, Dense<W>& b) {
  int64_t n = factors.rows;
  if (!transposed) {
    if (pivots) exchange(b, pivots, n, false);
    solveTriangular(factors, true, true, b);
    solveTriangular(factors, false, false, b);
    return;
  }
  Dense<W> turned = turnedCopy(factors, true, conjugated);
  solveTriangular(turned, true, false, b);
  solveTriangular(turned, false, true, b);
  if (pivots) exchange(b, pivots, n, true);
}

/** The lower triangle of a becomes l of a = l l^H. Returns 0, or the first minor that is not positive. */
template <class W>
int cholesky(Dense<W>& a) {
  int64_t n = a.rows;
  for (int64_t first = 0; first < n; first += PANEL) {
    int64_t end = std::min(first + PANEL, n);
    for (int64_t k = first; k < end; k++) {
      double pivot = realPart(a(k, k));
      if (!(pivot > 0)) return static_cast<int>(k + 1);
      double root = std::sqrt(pivot);
      a(k, k) = root;
      for (int64_t i = k + 1; i < n; i++) a(i, k) = a(i, k) / root;
      for (int64_t j = k + 1; j < end; j++) {
        W value = conjugate(a(j, k));
        for (int64_t i = j; i < n; i++) a(i, j) -= a(i, k) * value;
      }
    }
    auto left = factor<W>([&](int64_t i, int64_t j) { return a(end + i, first + j); });
    auto right = factor<W>([&](int64_t i, int64_t j) { return conjugate(a(end + j, first + i)); });
    if (end < n) subtractProduct(a, n - end, n - end, end - first, left, right, end, end, Part::LOWER);
  }
  return 0;
}

/**
 * Makes x = (alpha, rest) into (beta, v) so that (I - tau (1, v) (1, v)^H)^H x = (beta, 0), beta real.
 * Returns tau.
 */
template <class W>
W reflector(W* x, int64_t n) {
  double rest = 0;
  double largest = 0;
  for (int64_t i = 1; i < n; i++) largest = std::max(largest, size1(x[i]));
  for (int64_t i = 1; i < n && largest > 0; i++) rest += square(x[i] / largest);
  if (n <= 0 || (largest == 0 && imaginaryPart(x[0]) == 0)) return W(0.0);
  double beta = std::hypot(magnitude(x[0]), largest * std::sqrt(rest));
  if (realPart(x[0]) > 0) beta = -beta;
  W tau = (W(beta) - x[0]) / beta;
  W scale = W(1.0) / (x[0] - W(beta));
  for (int64_t i = 1; i < n; i++) x[i] = x[i] * scale;
  x[0] = W(beta);
  return tau;
}

/** c = (I - tau (1, v) (1, v)^H) c for columns first and on, where v[0] stands for 1. */
template <class W>
void reflect(const W* v, int64_t n, W tau, Dense<W>& c, int64_t row, int64_t first) {
  if (tau == W(0.0)) return;
  auto one = [&](int64_t j) {
    W* x = c.column(j) + row;
    W sum = x[0];
    for (int64_t i = 1; i < n; i++) sum += conjugate(v[i]) * x[i];
    sum = tau * sum;
    x[0] -= sum;
    for (int64_t i = 1; i < n; i++) x[i] -= v[i] * sum;
  };
  int64_t count = c.columns - first;
  constexpr int64_t TOGETHER = 32;
  if (count * n < 1 << 17) {
    for (int64_t j = first; j < c.columns; j++) one(j);
  } else {
    parallel((count + TOGETHER - 1) / TOGETHER, [&](int64_t part) {
      int64_t begin = first + part * TOGETHER;
      for (int64_t j = begin; j < std::min(begin + TOGETHER, c.columns); j++) one(j);
    });
  }
}

/** r on and above the diagonal, the reflectors' vectors below it. */
template <class W>
std::vector<W> qr(Dense<W>& a) {
  int64_t most = std::min(a.rows, a.columns);
  std::vector<W> tau(most);
  for (int64_t k = 0; k < most; k++) {
    tau[k] = reflector(&a(k, k), a.rows - k);
    reflect(&a(k, k), a.rows - k, conjugate(tau[k]), a, k, k + 1);
  }
  return tau;
}

/** c = q c or q^H c for the product q of the reflectors in a's columns, each beginning `below` the diagonal. */
template <class W>
void timesQ(const Dense<W>& a, const std::vector<W>& tau, bool adjoint, Dense<W>& c, int64_t below = 0) {
  auto count = static_cast<int64_t>(tau.size());
  for (int64_t step = 0; step < count; step++) {
    int64_t k = adjoint ? step : count - 1 - step;
    int64_t row = k + below;
    reflect(&a(row, k), a.rows - row, adjoint ? conjugate(tau[k]) : tau[k], c, row, 0);
  }
}

/** The first columns of q. */
template <class W>
Dense<W> columnsOfQ(const Dense<W>& a, const std::vector<W>& tau, int64_t columns, int64_t below = 0) {
  Dense<W> q(a.rows, columns);
  for (int64_t i = 0; i < std::min(a.rows, columns); i++) q(i, i) = W(1.0);
  timesQ(a, tau, false, q, below);
  return q;
}

/** What is left of a = q b p^H beside the reflectors' vectors: in columns those of q, conjugated in rows those of p. */
template <class W>
struct Bidiagonal {
  std::vector<double> diagonal;
  std::vector<double> off;  // above the diagonal where a is at least as high as wide, else below it
  std::vector<W> tauQ;
  std::vector<W> tauP;
};

template <class W>
Bidiagonal<W> bidiagonalize(Dense<W>& a) {
  int64_t least = std::min(a.rows, a.columns);
  bool tall = a.rows >= a.columns;
  Bidiagonal<W> b;
  auto column = [&](int64_t row, int64_t j) {
    b.tauQ.push_back(reflector(&a(row, j), a.rows - row));
    reflect(&a(row, j), a.rows - row, conjugate(b.tauQ.back()), a, row, j + 1);
    return realPart(a(row, j));
  };
  auto row = [&](int64_t i, int64_t first) {
    int64_t n = a.columns - first;
    std::vector<W> v(n);
    for (int64_t j = 0; j < n; j++) v[j] = conjugate(a(i, first + j));
    W tau = reflector(v.data(), n);
    double beta = realPart(v[0]);
    v[0] = W(1.0);
    for (int64_t r = i + 1; r < a.rows; r++) {
      W sum = 0.0;
      for (int64_t j = 0; j < n; j++) sum += a(r, first + j) * v[j];
      for (int64_t j = 0; j < n; j++) a(r, first + j) -= tau * sum * conjugate(v[j]);
    }
    for (int64_t j = 0; j < n; j++) a(i, first + j) = j == 0 ? W(beta) : conjugate(v[j]);
    b.tauP.push_back(tau);
    return beta;
  };
  for (int64_t k = 0; k < least; k++) {
    b.diagonal.push_back(tall ? column(k, k) : row(k, k));
    if (k + 1 < least) {
      b.off.push_back(tall ? row(k, k + 1) : column(k + 1, k));
    } else {
      (tall ? b.tauP : b.tauQ).push_back(W(0.0));
    }
  }
  return b;
}

/** The x that makes a x - b smallest, or the smallest x where many do: b has max(m, n) rows. Returns info. */
template <class W>
int leastSquares(Dense<W> a, Dense<W>& b) {
  bool tall = a.rows >= a.columns;
  if (!tall) a = a.adjoint();
  int64_t n = a.columns;
  std::vector<W> tau = qr(a);
  for (int64_t i = 0; i < n; i++) {
    if (a(i, i) == W(0.0)) return static_cast<int>(i + 1);
  }
  Dense<W> r = Dense<W>::of(n, n, [&](int64_t i, int64_t j) { return i <= j ? a(i, j) : W(0.0); });
  auto top = [&] { return Dense<W>::of(n, b.columns, [&](int64_t i, int64_t j) { return b(i, j); }); };
  if (tall) timesQ(a, tau, true, b);
  Dense<W> x = top();
  if (tall) {
    solveTriangular(r, false, false, x);
  } else {
    solveTriangular(r.adjoint(), true, false, x);
  }
  for (int64_t j = 0; j < b.columns; j++) {
    for (int64_t i = 0; i < (tall ? n : b.rows); i++) b(i, j) = i < n ? x(i, j) : W(0.0);
  }
  if (!tall) timesQ(a, tau, false, b);
  return 0;
}

}  // namespace rocport
