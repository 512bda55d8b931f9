// Eigenvalues of hermitian (or real symmetric) matrices. All functions use the lower triangle.
#pragma once

#include <limits>
#include <numeric>

#include "factor.h"

namespace rocport {

/** t of a = q t q^H, with the reflectors whose product q is: their vectors are left below a's subdiagonal. */
template <class W>
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> off;
  std::vector<W> tau;
};

template <class W>
Tridiagonal<W> tridiagonalize(Dense<W>& a) {
  int64_t n = a.rows;
  Tridiagonal<W> t{std::vector<double>(n), std::vector<double>(std::max<int64_t>(0, n - 1)), {}};
  t.tau.resize(t.off.size());
  for (int64_t k = 0; k + 1 < n; k++) {
    int64_t first = k + 1;
    W* v = &a(first, k);
    W tau = reflector(v, n - first);
    t.off[k] = realPart(v[0]);
    t.tau[k] = tau;
    if (tau != W(0.0)) {
      // a = a - v w^H - w v^H with w = x - (tau x^H v / 2) v and x = tau a v.
      v[0] = W(1.0);
      std::vector<W> x(n - first);
      for (int64_t j = first; j < n; j++) {
        const W* column = a.column(j);
        W below = 0.0;
        W value = v[j - first];
        x[j - first] += realPart(column[j]) * value;
        for (int64_t i = j + 1; i < n; i++) {
          x[i - first] += column[i] * value;
          below += conjugate(column[i]) * v[i - first];
        }
        x[j - first] += below;
      }
      W dot = 0.0;
      for (int64_t i = 0; i < n - first; i++) {
        x[i] = tau * x[i];
        dot += conjugate(x[i]) * v[i];
      }
      W half = 0.5 * (tau * dot);
      for (int64_t i = 0; i < n - first; i++) x[i] -= half * v[i];
      for (int64_t j = first; j < n; j++) {
        W* column = a.column(j);
        W xj = conjugate(x[j - first]);
        W vj = conjugate(v[j - first]);
        for (int64_t i = j; i < n; i++) column[i] -= v[i - first] * xj + x[i - first] * vj;
      }
      v[0] = W(t.off[k]);
    }
  }
  for (int64_t i = 0; i < n; i++) t.diagonal[i] = realPart(a(i, i));
  return t;
}

/** Sorts columns of vectors in the order of their values. */
template <class W, class Before>
void sortBy(std::vector<double>& values, std::initializer_list<Dense<W>*> vectors, Before before) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return before(values[a], values[b]); });
  std::vector<double> sorted(values.size());
  for (size_t j = 0; j < order.size(); j++) sorted[j] = values[order[j]];
  values = sorted;
  for (Dense<W>* one : vectors) {
    if (one->columns == 0) continue;
    *one = Dense<W>::of(one->rows, one->columns, [&](int64_t i, int64_t j) { return (*one)(i, order[j]); });
  }
}

/**
 * The eigenvalues of a tridiagonal matrix by the implicit QL method, ascending; the columns of q are rotated with them.
 * Returns 0, or the number that did not converge.
 */
template <class W>
int implicitQl(std::vector<double>& d, std::vector<double> e, Dense<W>& q) {
  auto n = static_cast<int64_t>(d.size());
  constexpr double EPSILON = std::numeric_limits<double>::epsilon();
  constexpr int MOST = 60;
  e.resize(n, 0);
  for (int64_t first = 0; first < n; first++) {
    for (int turns = 0;; turns++) {
      int64_t last = first;
      while (last + 1 < n && std::fabs(e[last]) > EPSILON * (std::fabs(d[last]) + std::fabs(d[last + 1]))) last++;
      if (last == first) break;
      if (turns == MOST) return static_cast<int>(n - first);
      double g = (d[first + 1] - d[first]) / (2 * e[first]);
      g = d[last] - d[first] + e[first] / (g + std::copysign(std::hypot(g, 1.0), g));
      double s = 1;
      double c = 1;
      double p = 0;
      bool split = false;
      for (int64_t i = last - 1; i >= first; i--) {
        double f = s * e[i];
        double b = c * e[i];
        double r = std::hypot(f, g);
        e[i + 1] = r;
        if (r == 0) {
          d[i + 1] -= p;
          e[last] = 0;
          split = true;
          break;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (q.columns == 0) continue;
        W* left = q.column(i);
        W* right = q.column(i + 1);
        for (int64_t k = 0; k < q.rows; k++) {
          W x = right[k];
          right[k] = s * left[k] + c * x;
          left[k] = c * left[k] - s * x;
        }
      }
      if (split) continue;
      d[first] -= p;
      e[first] = g;
      e[last] = 0;
    }
  }
  sortBy<W>(d, {&q}, std::less<double>());
  return 0;
}

/** Eigenvalues, ascending, and where wanted eigenvectors in a. Returns how many did not converge. */
template <class W>
int eigen(Dense<W>& a, std::vector<double>& values, bool vectors) {
  auto t = tridiagonalize(a);
  Dense<W> q;
  if (vectors) q = columnsOfQ(a, t.tau, a.rows, 1);
  values = t.diagonal;
  int failed = implicitQl(values, t.off, q);
  if (vectors) a = q;
  return failed;
}

/** The parameters and the results of Jacobi's methods. */
struct Jacobi {
  double tolerance = 0;  // 0 is the precision of the numbers
  int most = 100;
  bool sorted = true;
  int sweeps = 0;
  double residual = 0;
};

/** The rotation that makes the columns p and q of a hermitian matrix with this off-diagonal element orthogonal. */
template <class W>
struct Rotation {
  double c, s;
  W phase;

  Rotation(double pp, double qq, W pq) {
    double size = magnitude(pq);
    phase = conjugate(pq) / size;
    double zeta = (qq - pp) / (2 * size);
    double t = std::copysign(1.0, zeta) / (std::fabs(zeta) + std::hypot(1.0, zeta));
    c = 1 / std::hypot(1.0, t);
    s = c * t;
  }

  void columns(W* p, W* q, int64_t n) const {
    for (int64_t i = 0; i < n; i++) {
      W x = p[i];
      W y = phase * q[i];
      p[i] = c * x - s * y;
      q[i] = s * x + c * y;
    }
  }
};

/** Eigenvalues and eigenvectors in a by Jacobi's rotations. Returns whether they converged. */
template <class W>
bool jacobiEigen(Dense<W>& a, std::vector<double>& values, Jacobi& jacobi, double epsilon) {
  int64_t n = a.rows;
  for (int64_t j = 0; j < n; j++) {
    a(j, j) = W(realPart(a(j, j)));
    for (int64_t i = 0; i < j; i++) a(i, j) = conjugate(a(j, i));
  }
  double all = 0;
  for (const W& x : a.all) all += square(x);
  auto v = Dense<W>::identity(n);
  auto off = [&] {
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = 0; i < n; i++) sum += i == j ? 0 : square(a(i, j));
    }
    return std::sqrt(sum);
  };
  // Each element can be made as small as the rounding of the whole, but not all of them smaller.
  double limit = std::max(jacobi.tolerance, epsilon * double(n)) * std::sqrt(all);
  double left = off();
  for (jacobi.sweeps = 0; left > limit && jacobi.sweeps < jacobi.most; jacobi.sweeps++, left = off()) {
    for (int64_t p = 0; p < n; p++) {
      for (int64_t q = p + 1; q < n; q++) {
        if (magnitude(a(p, q)) * double(n) <= limit * 1e-3) continue;
        Rotation<W> turn(realPart(a(p, p)), realPart(a(q, q)), a(p, q));
        turn.columns(a.column(p), a.column(q), n);
        turn.columns(v.column(p), v.column(q), n);
        for (int64_t j = 0; j < n; j++) {
          W x = a(p, j);
          W y = conjugate(turn.phase) * a(q, j);
          a(p, j) = turn.c * x - turn.s * y;
          a(q, j) = turn.s * x + turn.c * y;
        }
      }
    }
  }
  jacobi.residual = left;
  values.resize(n);
  for (int64_t i = 0; i < n; i++) values[i] = realPart(a(i, i));
  if (jacobi.sorted) sortBy<W>(values, {&v}, std::less<double>());
  a = v;
  return left <= limit;
}

/** Which products an eigenvalue problem of two matrices is about: a x = l b x, a b x = l x, b a x = l x. */
enum class Problem { RATIO, A_B, B_A };

/** Makes a the matrix of the plain problem with b's Cholesky factor. */
template <class W>
void toPlain(Problem problem, Dense<W>& a, const Dense<W>& factor) {
  auto whole = Dense<W>::of(a.rows, a.rows, [&](int64_t i, int64_t j) {
    return i == j ? W(realPart(a(i, j))) : i > j ? a(i, j) : conjugate(a(j, i));
  });
  auto l = Dense<W>::of(a.rows, a.rows, [&](int64_t i, int64_t j) { return i >= j ? factor(i, j) : W(0.0); });
  if (problem == Problem::RATIO) {
    solveTriangular(l, true, false, whole);
    a = whole.adjoint();
    solveTriangular(l, true, false, a);
  } else {
    a = l.adjoint() * (whole * l);
  }
}

/** The eigenvectors of the problem from those of the plain one. */
template <class W>
void fromPlain(Problem problem, Dense<W>& vectors, const Dense<W>& factor) {
  auto l = Dense<W>::of(factor.rows, factor.rows, [&](int64_t i, int64_t j) { return i >= j ? factor(i, j) : W(0.0); });
  if (problem == Problem::B_A) {
    vectors = l * vectors;
  } else {
    solveTriangular(l.adjoint(), false, false, vectors);
  }
}

}  // namespace rocport
