// Level 3: products of matrices and triangular systems with many right-hand sides.
#include "../dense/product.h"
#include "../dense/triangular.h"
#include "call.h"

namespace rocport::blas {
namespace {

Layout general(int64_t rows, int64_t columns) {
  Layout layout;
  layout.rows = rows;
  layout.columns = columns;
  return layout;
}

/** What op turns into rows by columns. */
Layout turned(Turn turn, int64_t rows, int64_t columns) {
  return turn.transposed ? general(columns, rows) : general(rows, columns);
}

template <class T, class Matrix>
Factor of(const Matrix& matrix) {
  return factor<Wide<T>>(matrix);
}

template <class T>
void gemm(Call& call) {
  Turn ta = call.turn();
  Turn tb = call.turn();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  auto alpha = call.scalar<T>();
  auto a = call.operand<T>(turned(ta, m, k), ta);
  auto b = call.operand<T>(turned(tb, k, n), tb);
  auto beta = call.scalar<T>();
  auto c = call.target<T>(general(m, n));
  call.run(m > 0 && n > 0, [=](int64_t i) {
    multiply(m, n, k, alpha(), of<T>(a(i)), of<T>(b(i)), beta(), Part::ALL, c(i));
  });
}

/** c = alpha a b + beta c or alpha b a + beta c, for an a of which one triangle is stored. */
template <class T, Structure structure>
void sideMultiply(Call& call) {
  bool left = call.left();
  bool upper = call.upper();
  int64_t m = call.size();
  int64_t n = call.size();
  auto alpha = call.scalar<T>();
  int64_t k = left ? m : n;
  Layout layout = general(k, k);
  layout.structure = structure;
  layout.upper = upper;
  auto a = call.operand<T>(layout);
  auto b = call.operand<T>(general(m, n));
  auto beta = call.scalar<T>();
  auto c = call.target<T>(general(m, n));
  call.run(m > 0 && n > 0, [=](int64_t i) {
    Factor one = of<T>(a(i));
    Factor other = of<T>(b(i));
    multiply(m, n, k, alpha(), left ? one : other, left ? other : one, beta(), Part::ALL, c(i));
  });
}

template <class T>
void symm(Call& call) {
  sideMultiply<T, Structure::SYMMETRIC>(call);
}
template <class T>
void hemm(Call& call) {
  sideMultiply<T, Structure::HERMITIAN>(call);
}

/** How the triangle of a symmetric or hermitian product is written: a hermitian diagonal is real. */
template <class T, bool hermitian>
void multiplyTriangle(int64_t n, int64_t k, Z alpha, const Factor& a, const Factor& b, Z beta, bool upper, Target<T> c) {
  auto get = [=](int64_t i, int64_t j) { return hermitian && i == j ? Z(realPart(c(i, j))) : Z(c(i, j)); };
  auto set = [=](int64_t i, int64_t j, Z value) { c.set(i, j, hermitian && i == j ? Z(value.re) : value); };
  multiply(n, n, k, alpha, a, b, beta, upper ? Part::UPPER : Part::LOWER, get, set);
}

/** One triangle of c = alpha op(a) op(b)^T + beta c, where b is a unless another is given; or with ^H. */
template <class T, bool hermitian, bool another>
void rankUpdate(Call& call) {
  using A = std::conditional_t<hermitian && !another, Real<T>, T>;
  using B = std::conditional_t<hermitian, Real<T>, T>;
  bool upper = call.upper();
  Turn turn = call.turn();
  if (hermitian) require(turn.transposed == turn.conjugated);
  if (!hermitian && IsComplex<T>::value) require(!turn.conjugated);
  int64_t n = call.size();
  int64_t k = call.size();
  auto alpha = call.scalar<A>();
  Layout layout = turned(turn, n, k);
  auto a = call.operand<T>(layout, turn);
  auto b = another ? call.operand<T>(layout, turn) : a;
  auto beta = call.scalar<B>();
  auto c = call.target<T>(general(n, n));
  call.run(n > 0, [=](int64_t i) {
    auto right = b(i);
    right.transposed = !right.transposed;
    right.conjugated = right.conjugated != hermitian;
    multiplyTriangle<T, hermitian>(n, k, alpha(), of<T>(a(i)), of<T>(right), beta(), upper, c(i));
  });
}

template <class T>
void syrk(Call& call) {
  rankUpdate<T, false, false>(call);
}
template <class T>
void herk(Call& call) {
  rankUpdate<T, true, false>(call);
}
template <class T>
void syrkx(Call& call) {
  rankUpdate<T, false, true>(call);
}
template <class T>
void herkx(Call& call) {
  rankUpdate<T, true, true>(call);
}

/** One triangle of c = alpha op(a) op(b)^H + conj(alpha) op(b) op(a)^H + beta c; or with ^T and alpha. */
template <class T, bool hermitian>
void rankTwoUpdate(Call& call) {
  using W = Wide<T>;
  using B = std::conditional_t<hermitian, Real<T>, T>;
  bool upper = call.upper();
  Turn turn = call.turn();
  if (hermitian) require(turn.transposed == turn.conjugated);
  if (!hermitian && IsComplex<T>::value) require(!turn.conjugated);
  int64_t n = call.size();
  int64_t k = call.size();
  auto alpha = call.scalar<T>();
  Layout layout = turned(turn, n, k);
  auto a = call.operand<T>(layout, turn);
  auto b = call.operand<T>(layout, turn);
  auto beta = call.scalar<B>();
  auto c = call.target<T>(general(n, n));
  call.run(n > 0, [=](int64_t i) {
    auto flip = [](W value) { return hermitian ? conjugate(value) : value; };
    W scale = alpha();
    auto x = a(i);
    auto y = b(i);
    // [x y] times [alpha y, conj(alpha) x] turned: one product, rounded once.
    auto left = [=](int64_t r, int64_t p) { return p < k ? x(r, p) : y(r, p - k); };
    auto right = [=](int64_t p, int64_t r) {
      return p < k ? scale * flip(y(r, p)) : flip(scale) * flip(x(r, p - k));
    };
    int64_t depth = scale == W(0.0) ? 0 : 2 * k;
    multiplyTriangle<T, hermitian>(n, depth, 1.0, of<T>(left), of<T>(right), beta(), upper, c(i));
  });
}

template <class T>
void syr2k(Call& call) {
  rankTwoUpdate<T, false>(call);
}
template <class T>
void her2k(Call& call) {
  rankTwoUpdate<T, true>(call);
}

/** c = alpha op(a) b or alpha b op(a) for a triangular a; c may be b. */
template <class T>
void trmm(Call& call) {
  bool left = call.left();
  bool upper = call.upper();
  Turn turn = call.turn();
  bool unit = call.unit();
  int64_t m = call.size();
  int64_t n = call.size();
  auto alpha = call.scalar<T>();
  int64_t k = left ? m : n;
  Layout layout = general(k, k);
  layout.structure = Structure::TRIANGULAR;
  layout.upper = upper;
  layout.unit = unit;
  auto a = call.operand<T>(layout, turn);
  auto b = call.operand<T>(general(m, n));
  auto c = call.target<T>(general(m, n));
  call.run(m > 0 && n > 0, [=](int64_t i) {
    using W = Wide<T>;
    if (alpha() == W(0.0)) {
      multiply(m, n, 0, 0.0, Factor{}, Factor{}, 0.0, Part::ALL, c(i));
      return;
    }
    Dense<W> copy = Dense<W>::of(m, n, b(i));
    Factor one = of<T>(a(i));
    Factor other = of<T>([&](int64_t r, int64_t s) { return copy(r, s); });
    multiply(m, n, k, alpha(), left ? one : other, left ? other : one, 0.0, Part::ALL, c(i));
  });
}

/** b = alpha inverse(op(a)) b, or from the right. */
template <class T>
void trsm(Call& call) {
  bool left = call.left();
  bool upper = call.upper();
  Turn turn = call.turn();
  bool unit = call.unit();
  int64_t m = call.size();
  int64_t n = call.size();
  auto alpha = call.scalar<T>();
  int64_t k = left ? m : n;
  Layout layout = general(k, k);
  layout.structure = Structure::TRIANGULAR;
  layout.upper = upper;
  layout.unit = unit;
  // From the right: x op(a) = b is op(a)^T x^T = b^T.
  Turn solved = {left ? turn.transposed : !turn.transposed, turn.conjugated};
  auto a = call.operand<T>(layout, solved);
  auto b = call.target<T>(general(m, n));
  call.run(m > 0 && n > 0, [=](int64_t i) {
    using W = Wide<T>;
    auto to = b(i);
    W scale = alpha();
    bool none = scale == W(0.0);
    auto place = [&](int64_t r, int64_t s) { return left ? std::pair(r, s) : std::pair(s, r); };
    auto x = Dense<W>::of(k, left ? n : m, [&](int64_t r, int64_t s) {
      auto [row, column] = place(r, s);
      return none ? W(0.0) : scale * to(row, column);
    });
    if (!none) solveTriangular(Dense<W>::of(k, k, a(i)), upper == solved.transposed, unit, x);
    for (int64_t s = 0; s < x.columns; s++) {
      for (int64_t r = 0; r < k; r++) {
        auto [row, column] = place(r, s);
        to.set(row, column, x(r, s));
      }
    }
  });
}

/** The same for a type that the last argument tells; inverses of blocks that are given are not needed. */
void trsmEx(Call& call) {
  switch (dataType(call.later(call.form() == Form::SINGLE ? 13 : call.form() == Form::BATCHED ? 14 : 17))) {
    case HIP_R_32F:
      return trsm<float>(call);
    case HIP_R_64F:
      return trsm<double>(call);
    case HIP_C_32F:
      return trsm<Complex<float>>(call);
    case HIP_C_64F:
      return trsm<Complex<double>>(call);
  }
  throw Refusal{HIPBLAS_STATUS_NOT_SUPPORTED};
}

/** The inverse of a triangular matrix; the other triangle of the result is left as it is. */
template <class T>
void trtri(Call& call) {
  bool upper = call.upper();
  bool unit = call.unit();
  int64_t n = call.size();
  Layout layout = general(n, n);
  layout.structure = Structure::TRIANGULAR;
  layout.upper = upper;
  layout.unit = unit;
  auto a = call.operand<T>(layout);
  auto inverse = call.target<T>(general(n, n));
  call.run(n > 0, [=](int64_t b) {
    using W = Wide<T>;
    auto to = inverse(b);
    Dense<W> x = Dense<W>::identity(n);
    solveTriangular(Dense<W>::of(n, n, a(b)), !upper, unit, x);
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) to.set(i, j, x(i, j));
    }
  });
}

/** c = alpha op(a) + beta op(b). */
template <class T>
void geam(Call& call) {
  Turn ta = call.turn();
  Turn tb = call.turn();
  int64_t m = call.size();
  int64_t n = call.size();
  auto alpha = call.scalar<T>();
  auto a = call.operand<T>(turned(ta, m, n), ta);
  auto beta = call.scalar<T>();
  auto b = call.operand<T>(turned(tb, m, n), tb);
  auto c = call.target<T>(general(m, n));
  call.run(m > 0 && n > 0, [=](int64_t k) {
    using W = Wide<T>;
    W x = alpha();
    W y = beta();
    auto one = a(k);
    auto other = b(k);
    auto to = c(k);
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = 0; i < m; i++) {
        W value = x == W(0.0) ? W(0.0) : x * one(i, j);
        if (y != W(0.0)) value += y * other(i, j);
        to.set(i, j, value);
      }
    }
  });
}

/** c = diag(x) a or a diag(x). */
template <class T>
void dgmm(Call& call) {
  bool left = call.left();
  int64_t m = call.size();
  int64_t n = call.size();
  auto a = call.operand<T>(general(m, n));
  auto x = call.vector<const T>(left ? m : n);
  auto c = call.target<T>(general(m, n));
  call.run(m > 0 && n > 0, [=](int64_t b) {
    auto from = a(b);
    auto factors = x(b).copy();
    auto to = c(b);
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = 0; i < m; i++) to.set(i, j, from(i, j) * factors[left ? i : j]);
    }
  });
}

}  // namespace
}  // namespace rocport::blas

using namespace rocport;
using namespace rocport::blas;

ALL(gemm, gemm)
FORMS(hipblasHgemm, gemm<Half>)
ALL(symm, symm)
COMPLEX(hemm, hemm)
ALL(syrk, syrk)
COMPLEX(herk, herk)
ALL(syrkx, syrkx)
COMPLEX(herkx, herkx)
ALL(syr2k, syr2k)
COMPLEX(her2k, her2k)
ALL(trmm, trmm)
ALL(trsm, trsm)
VERSIONS(hipblasTrsmEx, Form::SINGLE, trsmEx)
VERSIONS(hipblasTrsmBatchedEx, Form::BATCHED, trsmEx)
VERSIONS(hipblasTrsmStridedBatchedEx, Form::STRIDED, trsmEx)
ALL(trtri, trtri)
ALL(geam, geam)
ALL(dgmm, dgmm)
