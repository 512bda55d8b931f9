// Singular values and vectors, by Jacobi's rotations of columns.
#pragma once

#include "eigen.h"

namespace rocport {

/** a = u diag(s) v^H; u and v have as many columns as were asked for, at least min(m, n) of them. */
template <class W>
struct Singular {
  Dense<W> u;
  std::vector<double> values;
  Dense<W> v;
  bool converged = true;
};

/** Replaces the columns from first on by ones that are orthogonal to all others. */
template <class W>
void complete(Dense<W>& q, int64_t first) {
  for (int64_t j = first; j < q.columns; j++) {
    for (int64_t axis = 0; axis < q.rows; axis++) {
      std::vector<W> x(q.rows);
      x[axis] = W(1.0);
      for (int pass = 0; pass < 2; pass++) {
        for (int64_t k = 0; k < j; k++) {
          W sum = 0.0;
          for (int64_t i = 0; i < q.rows; i++) sum += conjugate(q(i, k)) * x[i];
          for (int64_t i = 0; i < q.rows; i++) x[i] -= q(i, k) * sum;
        }
      }
      double norm = 0;
      for (const W& value : x) norm += square(value);
      // Some axis keeps at least this much of its length.
      if (norm * double(q.rows) < 0.5 * double(q.rows - j)) continue;
      for (int64_t i = 0; i < q.rows; i++) q(i, j) = x[i] / std::sqrt(norm);
      break;
    }
  }
}

template <class W>
Singular<W> singular(Dense<W> a, int64_t uColumns, int64_t vColumns, Jacobi& jacobi) {
  if (a.rows < a.columns) {
    auto turned = singular(a.adjoint(), vColumns, uColumns, jacobi);
    return {turned.v, turned.values, turned.u, turned.converged};
  }
  int64_t n = a.columns;
  double largest = 0;
  for (const W& value : a.all) largest = std::max(largest, size1(value));
  double scale = largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
  for (W& value : a.all) value = value * scale;
  std::vector<W> tau = qr(a);
  // r^H = x, whose columns become orthogonal: x v = u diag(s), so that a = (q v) diag(s) u^H.
  auto x = Dense<W>::of(n, n, [&](int64_t i, int64_t j) { return j <= i ? conjugate(a(j, i)) : W(0.0); });
  auto v = Dense<W>::identity(n);
  double epsilon = std::max(jacobi.tolerance, 4 * std::numeric_limits<double>::epsilon());
  Singular<W> result;
  bool turned = n > 1;
  for (jacobi.sweeps = 0; turned && jacobi.sweeps < jacobi.most; jacobi.sweeps++) {
    turned = false;
    jacobi.residual = 0;
    for (int64_t p = 0; p < n; p++) {
      for (int64_t q = p + 1; q < n; q++) {
        double pp = 0;
        double qq = 0;
        W pq = 0.0;
        const W* left = x.column(p);
        const W* right = x.column(q);
        for (int64_t i = 0; i < n; i++) {
          pp += square(left[i]);
          qq += square(right[i]);
          pq += conjugate(left[i]) * right[i];
        }
        double size = magnitude(pq);
        jacobi.residual += square(size);
        if (size <= epsilon * std::sqrt(pp) * std::sqrt(qq) || size < std::numeric_limits<double>::min()) continue;
        turned = true;
        Rotation<W> turn(pp, qq, pq);
        turn.columns(x.column(p), x.column(q), n);
        turn.columns(v.column(p), v.column(q), n);
      }
    }
  }
  jacobi.residual = std::sqrt(jacobi.residual) / scale / scale;
  result.converged = !turned;
  result.values.resize(n);
  for (int64_t j = 0; j < n; j++) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += square(x(i, j));
    result.values[j] = std::sqrt(sum);
  }
  sortBy<W>(result.values, {&x, &v}, std::greater<double>());
  int64_t rank = 0;
  double zero = result.values.empty() ? 0 : result.values[0] * std::numeric_limits<double>::epsilon() * double(n);
  for (int64_t j = 0; j < n && result.values[j] > zero; j++, rank++) {
    for (int64_t i = 0; i < n; i++) x(i, j) = x(i, j) / result.values[j];
  }
  complete(x, rank);
  for (double& value : result.values) value /= scale;
  result.v = x;
  result.u = Dense<W>::of(a.rows, uColumns, [&](int64_t i, int64_t j) {
    return i < n && j < n ? v(i, j) : W(i == j ? 1.0 : 0.0);
  });
  timesQ(a, tau, false, result.u);
  return result;
}

}  // namespace rocport
