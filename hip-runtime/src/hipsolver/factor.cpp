// LU, Cholesky, QR and their solvers.
#include "../dense/factor.h"

#include "../dense/eigen.h"
#include "call.h"

namespace rocport::solver {
namespace {

// If the Dn interface has no work size, the other one has.
enum class Face { OWN, DN };

bool turned(hipblasOperation_t operation) { return operation != HIPBLAS_OP_N; }

/** pivots may be null: then no rows are exchanged. */
template <class T, class P>
void factorLu(Call& call, Place<T> a, P* pivots, int* info) {
  call.run(a.rows > 0 && a.columns > 0, [=] {
    auto matrix = a.read();
    std::vector<int> rows;
    *info = lu(matrix, pivots ? &rows : nullptr);
    a.write(matrix);
    for (size_t i = 0; i < rows.size(); i++) pivots[i] = rows[i];
  });
}

template <class T, Face face>
void getrf(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  auto a = call.matrix<T>(m, n);
  call.skip(face == Face::OWN ? 2 : 1);
  int* pivots = call.pointer<int>(false);
  factorLu(call, a, pivots, call.pointer<int>());
}

template <class T, class P>
void solveWithLu(Call& call, hipblasOperation_t operation, Place<T> a, const P* pivots, Place<T> b, int* info) {
  if (info == nullptr) require(false);
  call.run(a.rows > 0 && b.columns > 0, [=] {
    auto x = b.read();
    std::vector<int> rows;
    if (pivots) rows.assign(pivots, pivots + a.rows);
    solveLu(a.read(), pivots ? rows.data() : nullptr, turned(operation), operation == HIPBLAS_OP_C, x);
    b.write(x);
    *info = 0;
  });
}

template <class T, Face face>
void getrs(Call& call) {
  auto operation = call.operation();
  int64_t n = call.size();
  int64_t columns = call.size();
  auto a = call.matrix<T>(n, n);
  int* pivots = call.pointer<int>(false);
  auto b = call.matrix<T>(n, columns);
  call.skip(face == Face::OWN ? 2 : 0);
  solveWithLu(call, operation, a, pivots, b, call.pointer<int>());
}

/** One solve in double precision: there is nothing to refine, so that the number of iterations is 0. */
template <class T>
void gesv(Call& call) {
  int64_t n = call.size();
  int64_t columns = call.size();
  auto a = call.matrix<T>(n, n);
  int* pivots = call.pointer<int>();
  auto b = call.matrix<T>(n, columns);
  auto x = call.matrix<T>(n, columns);
  call.skip(2);
  int* iterations = call.pointer<int>();
  int* info = call.pointer<int>();
  if (iterations) *iterations = 0;
  call.run(n > 0 && columns > 0, [=] {
    auto matrix = a.read();
    std::vector<int> rows;
    *info = lu(matrix, &rows);
    std::copy(rows.begin(), rows.end(), pivots);
    if (*info == 0) {
      auto solution = b.read();
      solveLu(matrix, rows.data(), false, false, solution);
      x.write(solution);
    }
    a.write(matrix);
  });
}

template <class T>
void gels(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t columns = call.size();
  auto a = call.matrix<T>(m, n);
  auto b = call.matrix<T>(m, columns);
  auto x = call.matrix<T>(n, columns);
  call.skip(2);
  int* iterations = call.pointer<int>();
  int* info = call.pointer<int>();
  if (iterations) *iterations = 0;
  call.run(m > 0 && n > 0 && columns > 0, [=] {
    using W = Wide<T>;
    auto both = Dense<W>::of(std::max(m, n), columns, [=](int64_t i, int64_t j) { return i < m ? widen<T>(b(i, j)) : W(0.0); });
    *info = leastSquares(a.read(), both);
    if (*info == 0) x.write(Dense<W>::of(n, columns, [&](int64_t i, int64_t j) { return both(i, j); }));
  });
}

template <class T>
int factorCholesky(Place<T> a, bool upper) {
  auto lower = a.lower(upper);
  int info = cholesky(lower);
  a.writeLower(lower, upper);
  return info;
}

template <class T>
void solveCholesky(Place<T> a, bool upper, Place<T> b) {
  auto lower = a.lower(upper);
  auto x = b.read();
  solveTriangular(lower, true, false, x);
  solveTriangular(lower.adjoint(), false, false, x);
  b.write(x);
}

template <class T>
void potrf(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] { *info = factorCholesky(a, upper); });
}

/** The inverse from the Cholesky factor. */
template <class T>
void potri(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] {
    auto lower = a.lower(upper);
    *info = 0;
    for (int64_t i = n; i-- > 0;) {
      if (lower(i, i) == Wide<T>(0.0)) *info = static_cast<int>(i + 1);
    }
    if (*info != 0) return;
    auto x = Dense<Wide<T>>::identity(n);
    solveTriangular(lower, true, false, x);
    solveTriangular(lower.adjoint(), false, false, x);
    a.writeLower(x, upper);
  });
}

template <class T, Face face>
void potrs(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  int64_t columns = call.size();
  auto a = call.matrix<T>(n, n);
  auto b = call.matrix<T>(n, columns);
  call.skip(face == Face::OWN ? 2 : 0);
  int* info = call.pointer<int>();
  call.run(n > 0 && columns > 0, [=] {
    solveCholesky(a, upper, b);
    *info = 0;
  });
}

template <class T, Face face>
void potrfBatched(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  auto all = call.matrix<T*>(n, n);
  call.skip(face == Face::OWN ? 2 : 0);
  int* info = call.pointer<int>();
  int64_t count = call.size();
  call.run(n > 0 && count > 0, [=] {
    for (int64_t k = 0; k < count; k++) info[k] = factorCholesky(Place<T>{all.data[k], n, n, all.ld}, upper);
  });
}

template <class T, Face face>
void potrsBatched(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  int64_t columns = call.size();
  auto as = call.matrix<T*>(n, n);
  auto bs = call.matrix<T*>(n, columns);
  call.skip(face == Face::OWN ? 2 : 0);
  int* info = call.pointer<int>();
  int64_t count = call.size();
  call.run(n > 0 && columns > 0 && count > 0, [=] {
    for (int64_t k = 0; k < count; k++) {
      solveCholesky(Place<T>{as.data[k], n, n, as.ld}, upper, Place<T>{bs.data[k], n, columns, bs.ld});
    }
    *info = 0;
  });
}

template <class T>
void factorQr(Call& call, Place<T> a, T* tau, int* info) {
  call.run(a.rows > 0 && a.columns > 0, [=] {
    auto matrix = a.read();
    writeAll(qr(matrix), tau);
    a.write(matrix);
    *info = 0;
  });
}

template <class T>
void geqrf(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  auto a = call.matrix<T>(m, n);
  T* tau = call.pointer<T>();
  call.skip(2);
  factorQr(call, a, tau, call.pointer<int>());
}

template <class T>
void orgqr(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  require(n <= m && k <= n);
  auto a = call.matrix<T>(m, n);
  T* tau = call.pointer<T>();
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] {
    a.write(columnsOfQ(a.read(), readAll(tau, k), n));
    *info = 0;
  });
}

/** c = op(q) c or c op(q). */
template <class W>
void applyQ(const Dense<W>& a, const std::vector<W>& tau, bool left, bool adjoint, Dense<W>& c, int64_t below = 0) {
  if (left) {
    timesQ(a, tau, adjoint, c, below);
  } else {
    Dense<W> turned = c.adjoint();
    timesQ(a, tau, !adjoint, turned, below);
    c = turned.adjoint();
  }
}

template <class T>
bool adjointOf(hipblasOperation_t operation) {
  require(operation != HIPBLAS_OP_T || !IsComplex<T>::value);
  return turned(operation);
}

template <class T>
void ormqr(Call& call) {
  bool left = call.left();
  bool adjoint = adjointOf<T>(call.operation());
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  int64_t order = left ? m : n;
  require(k <= order);
  auto a = call.matrix<T>(order, k);
  T* tau = call.pointer<T>();
  auto c = call.matrix<T>(m, n);
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(m > 0 && n > 0 && k > 0, [=] {
    auto result = c.read();
    applyQ(a.read(), readAll(tau, k), left, adjoint, result);
    c.write(result);
    *info = 0;
  });
}

template <class T>
void gebrd(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  auto a = call.matrix<T>(m, n);
  auto* diagonal = call.pointer<Real<T>>();
  auto* off = call.pointer<Real<T>>();
  T* tauQ = call.pointer<T>();
  T* tauP = call.pointer<T>();
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(m > 0 && n > 0, [=] {
    auto matrix = a.read();
    auto b = bidiagonalize(matrix);
    a.write(matrix);
    writeAll(b.diagonal, diagonal);
    writeAll(b.off, off);
    writeAll(b.tauQ, tauQ);
    writeAll(b.tauP, tauP);
    *info = 0;
  });
}

/** q, or p^H from the right, of what gebrd made of a matrix whose other dimension is k. */
template <class T>
void orgbr(Call& call) {
  bool left = call.left();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  auto a = call.matrix<T>(m, n);
  T* tau = call.pointer<T>();
  call.skip(2);
  int* info = call.pointer<int>();
  int64_t order = left ? m : n;
  require(left ? n <= m : m <= n);
  call.run(m > 0 && n > 0, [=] {
    auto vectors = left ? a.read() : a.read().adjoint();
    // One reflector less, each beginning a row lower, where the matrix was wider on this side.
    bool shifted = left ? m < k : k >= n;
    auto q = columnsOfQ(vectors, readAll(tau, shifted ? order - 1 : k), left ? n : m, shifted ? 1 : 0);
    a.write(left ? q : q.adjoint());
    *info = 0;
  });
}

// The stored upper triangle is the lower triangle of the matrix with rows and columns reversed.
template <class T>
struct Reversed {
  Place<T> a;
  bool upper;
  int64_t at(int64_t i) const { return upper ? a.rows - 1 - i : i; }
  T& operator()(int64_t i, int64_t j) const { return a(at(i), at(j)); }
  Dense<Wide<T>> read() const {
    return Dense<Wide<T>>::of(a.rows, a.rows, [this](int64_t i, int64_t j) { return widen<T>((*this)(i, j)); });
  }
};

template <class T>
void sytrd(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  auto* diagonal = call.pointer<Real<T>>();
  auto* off = call.pointer<Real<T>>();
  T* tau = call.pointer<T>();
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] {
    Reversed<T> view{a, upper};
    auto matrix = view.read();
    auto t = tridiagonalize(matrix);
    for (int64_t j = 0; j < n; j++) {
      diagonal[view.at(j)] = narrow<Real<T>>(t.diagonal[j]);
      for (int64_t i = j; i < n; i++) view(i, j) = narrow<T>(matrix(i, j));
      if (j + 1 == n) continue;
      int64_t k = upper ? n - 2 - j : j;
      off[k] = narrow<Real<T>>(t.off[j]);
      tau[k] = narrow<T>(t.tau[j]);
    }
    *info = 0;
  });
}

template <class T>
std::vector<Wide<T>> tauOf(const T* tau, int64_t n, bool upper) {
  auto all = readAll(tau, std::max<int64_t>(0, n - 1));
  if (upper) std::reverse(all.begin(), all.end());
  return all;
}

template <class T>
void orgtr(Call& call) {
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  T* tau = call.pointer<T>();
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] {
    Reversed<T> view{a, upper};
    auto q = columnsOfQ(view.read(), tauOf(tau, n, upper), n, 1);
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = 0; i < n; i++) view(i, j) = narrow<T>(q(i, j));
    }
    *info = 0;
  });
}

template <class T>
void ormtr(Call& call) {
  bool left = call.left();
  bool upper = call.upper();
  bool adjoint = adjointOf<T>(call.operation());
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t order = left ? m : n;
  auto a = call.matrix<T>(order, order);
  T* tau = call.pointer<T>();
  auto c = call.matrix<T>(m, n);
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(m > 0 && n > 0, [=] {
    using W = Wide<T>;
    Reversed<T> view{a, upper};
    // Rows, or columns from the right, of c in the same order as those of q.
    auto flip = [=](const Dense<W>& from) {
      return Dense<W>::of(m, n, [&](int64_t i, int64_t j) { return left ? from(view.at(i), j) : from(i, view.at(j)); });
    };
    auto result = flip(c.read());
    applyQ(view.read(), tauOf(tau, order, upper), left, adjoint, result, 1);
    c.write(flip(result));
    *info = 0;
  });
}

// The generic functions: types and 64-bit sizes are arguments.
template <class Body>
void typed(int64_t type, Body body) {
  switch (type) {
    case HIP_R_32F:
      return body(float{});
    case HIP_R_64F:
      return body(double{});
    case HIP_C_32F:
      return body(Complex<float>{});
    case HIP_C_64F:
      return body(Complex<double>{});
  }
  throw Refusal{HIPSOLVER_STATUS_NOT_SUPPORTED};
}

struct AnyMatrix {
  int64_t type;
  void* data;
  int64_t ld;

  explicit AnyMatrix(Call& call, int64_t rows) {
    type = call.integer();
    data = call.pointer<void>();
    ld = call.integer();
    require(ld >= std::max<int64_t>(1, rows));
  }

  template <class T>
  Place<T> place(int64_t rows, int64_t columns) const {
    return {static_cast<T*>(data), rows, columns, ld};
  }
};

template <int before>
void anyWorkSize(Call& call) {
  call.skip(before);
  auto* device = call.pointer<size_t>();
  auto* host = call.pointer<size_t>();
  require(device != nullptr && host != nullptr);
  *device = *host = 1;
}

void anyGetrf(Call& call) {
  call.skip(1);
  int64_t m = call.size();
  int64_t n = call.size();
  AnyMatrix a(call, m);
  auto* pivots = call.pointer<int64_t>(false);
  call.skip(5);
  int* info = call.pointer<int>();
  typed(a.type, [&](auto like) { factorLu(call, a.place<decltype(like)>(m, n), pivots, info); });
}

void anyGetrs(Call& call) {
  call.skip(1);
  auto operation = call.operation();
  int64_t n = call.size();
  int64_t columns = call.size();
  AnyMatrix a(call, n);
  auto* pivots = call.pointer<int64_t>(false);
  AnyMatrix b(call, n);
  require(a.type == b.type);
  int* info = call.pointer<int>();
  typed(a.type, [&](auto like) {
    using T = decltype(like);
    solveWithLu(call, operation, a.place<T>(n, n), pivots, b.place<T>(n, columns), info);
  });
}

void anyGeqrf(Call& call) {
  call.skip(1);
  int64_t m = call.size();
  int64_t n = call.size();
  AnyMatrix a(call, m);
  require(call.integer() == a.type);
  void* tau = call.pointer<void>();
  call.skip(5);
  int* info = call.pointer<int>();
  typed(a.type, [&](auto like) {
    using T = decltype(like);
    factorQr(call, a.place<T>(m, n), static_cast<T*>(tau), info);
  });
}

void anyPotrf(Call& call) {
  call.skip(1);
  bool upper = call.upper();
  int64_t n = call.size();
  AnyMatrix a(call, n);
  call.skip(5);
  int* info = call.pointer<int>();
  typed(a.type, [&](auto like) {
    call.run(n > 0, [=] { *info = factorCholesky(a.place<decltype(like)>(n, n), upper); });
  });
}

void anyPotrs(Call& call) {
  call.skip(1);
  bool upper = call.upper();
  int64_t n = call.size();
  int64_t columns = call.size();
  AnyMatrix a(call, n);
  AnyMatrix b(call, n);
  require(a.type == b.type);
  int* info = call.pointer<int>();
  typed(a.type, [&](auto like) {
    using T = decltype(like);
    call.run(n > 0 && columns > 0, [=] {
      solveCholesky(a.place<T>(n, n), upper, b.place<T>(n, columns));
      *info = 0;
    });
  });
}

template <class T>
void getrfOwn(Call& call) {
  getrf<T, Face::OWN>(call);
}
template <class T>
void getrfDn(Call& call) {
  getrf<T, Face::DN>(call);
}
template <class T>
void getrsOwn(Call& call) {
  getrs<T, Face::OWN>(call);
}
template <class T>
void getrsDn(Call& call) {
  getrs<T, Face::DN>(call);
}
template <class T>
void potrsOwn(Call& call) {
  potrs<T, Face::OWN>(call);
}
template <class T>
void potrsDn(Call& call) {
  potrs<T, Face::DN>(call);
}
template <class T>
void potrfBatchedOwn(Call& call) {
  potrfBatched<T, Face::OWN>(call);
}
template <class T>
void potrfBatchedDn(Call& call) {
  potrfBatched<T, Face::DN>(call);
}
template <class T>
void potrsBatchedOwn(Call& call) {
  potrsBatched<T, Face::OWN>(call);
}
template <class T>
void potrsBatchedDn(Call& call) {
  potrsBatched<T, Face::DN>(call);
}

}  // namespace
}  // namespace rocport::solver

using namespace rocport;
using namespace rocport::solver;

TYPES(, getrf, getrf, getrfOwn)
TYPES(Dn, getrf, getrf, getrfDn)
SIZES(, getrf, getrf, 4)
SIZES(Dn, getrf, getrf, 4)
TYPES(, getrs, getrs, getrsOwn)
TYPES(Dn, getrs, getrs, getrsDn)
SIZES(, getrs, getrs, 8)
BOTH(potrf, potrf, potrf, 4)
BOTH(potri, potri, potri, 4)
TYPES(, potrs, potrs, potrsOwn)
TYPES(Dn, potrs, potrs, potrsDn)
SIZES(, potrs, potrs, 7)
TYPES(, potrfBatched, potrfBatched, potrfBatchedOwn)
TYPES(Dn, potrfBatched, potrfBatched, potrfBatchedDn)
SIZES(, potrfBatched, potrfBatched, 4)
TYPES(, potrsBatched, potrsBatched, potrsBatchedOwn)
TYPES(Dn, potrsBatched, potrsBatched, potrsBatchedDn)
SIZES(, potrsBatched, potrsBatched, 7)
BOTH(geqrf, geqrf, geqrf, 4)
BOTH(orgqr, ungqr, orgqr, 6)
BOTH(ormqr, unmqr, ormqr, 10)
TYPES(, gebrd, gebrd, gebrd)
TYPES(Dn, gebrd, gebrd, gebrd)
SIZES(, gebrd, gebrd, 2)
SIZES(Dn, gebrd, gebrd, 2)
BOTH(orgbr, ungbr, orgbr, 7)
BOTH(sytrd, hetrd, sytrd, 7)
BOTH(orgtr, ungtr, orgtr, 5)
BOTH(ormtr, unmtr, ormtr, 10)

#define SOLVES(letters, ...)                                                                 \
  PLAIN(hipsolver##letters##gesv, gesv<__VA_ARGS__>)                                         \
  PLAIN(hipsolverDn##letters##gesv, gesv<__VA_ARGS__>)                                       \
  PLAIN(hipsolver##letters##gels, gels<__VA_ARGS__>)                                         \
  PLAIN(hipsolverDn##letters##gels, gels<__VA_ARGS__>)                                       \
  PLAIN(hipsolver##letters##gesv_bufferSize, workSize<9, size_t>)                            \
  PLAIN(hipsolverDn##letters##gesv_bufferSize, workSize<10, size_t>)                         \
  PLAIN(hipsolver##letters##gels_bufferSize, workSize<9, size_t>)                            \
  PLAIN(hipsolverDn##letters##gels_bufferSize, workSize<10, size_t>)

SOLVES(SS, float)
SOLVES(DD, double)
SOLVES(CC, Complex<float>)
SOLVES(ZZ, Complex<double>)

PLAIN(hipsolverDnXgetrf, anyGetrf)
PLAIN(hipsolverDnXgetrf_bufferSize, anyWorkSize<7>)
PLAIN(hipsolverDnXgetrs, anyGetrs)
PLAIN(hipsolverDnXgeqrf, anyGeqrf)
PLAIN(hipsolverDnXgeqrf_bufferSize, anyWorkSize<9>)
PLAIN(hipsolverDnXpotrf, anyPotrf)
PLAIN(hipsolverDnXpotrf_bufferSize, anyWorkSize<7>)
PLAIN(hipsolverDnXpotrs, anyPotrs)
