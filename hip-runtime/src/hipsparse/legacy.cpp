// The functions of levels 1 to 3, solvers and factorizations for matrices given as arrays.
#include "call.h"

namespace rocport::sparse {
namespace {

template <class T>
using W = Wide<T>;

void general(const Matrix& a) {
  require(a.type == HIPSPARSE_MATRIX_TYPE_GENERAL, HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

template <class T>
void axpyi(Call& call) {
  int64_t n = call.size();
  Scalar alpha = call.scalar<T>();
  Values x = call.values<T>();
  Indices at = call.indices();
  Values y = call.values<T>();
  int base = call.base();
  call.run([=] {
    for (int64_t k = 0; k < n; k++) {
      int64_t i = at[k] - base;
      y.set(i, alpha.get<W<T>>() * x.get<W<T>>(k) + y.get<W<T>>(i));
    }
  });
}

template <class T, bool conjugated>
void dot(Call& call) {
  int64_t n = call.size();
  Values x = call.values<T>();
  Indices at = call.indices();
  Values y = call.values<T>();
  Values result{call.result<void>(), typeOf<T>()};
  int base = call.base();
  call.run([=] {
    W<T> sum = W<T>(0);
    for (int64_t k = 0; k < n; k++) {
      W<T> value = x.get<W<T>>(k);
      sum += (conjugated ? conjugate(value) : value) * y.get<W<T>>(at[k] - base);
    }
    result.set(0, sum);
  });
}

template <class T>
void doti(Call& call) {
  dot<T, false>(call);
}

template <class T>
void dotci(Call& call) {
  dot<T, true>(call);
}

template <class T, bool zeroes>
void gather(Call& call) {
  int64_t n = call.size();
  Values y = call.values<T>();
  Values x = call.values<T>();
  Indices at = call.indices();
  int base = call.base();
  call.run([=] {
    for (int64_t k = 0; k < n; k++) {
      x.set(k, y.get<W<T>>(at[k] - base));
      if (zeroes) y.set(at[k] - base, W<T>(0));
    }
  });
}

template <class T>
void gthr(Call& call) {
  gather<T, false>(call);
}

template <class T>
void gthrz(Call& call) {
  gather<T, true>(call);
}

template <class T>
void roti(Call& call) {
  int64_t n = call.size();
  Values x = call.values<T>();
  Indices at = call.indices();
  Values y = call.values<T>();
  Scalar c = call.scalar<T>();
  Scalar s = call.scalar<T>();
  int base = call.base();
  call.run([=] {
    for (int64_t k = 0; k < n; k++) {
      double a = x.get<double>(k);
      double b = y.get<double>(at[k] - base);
      x.set(k, c.get<double>() * a + s.get<double>() * b);
      y.set(at[k] - base, c.get<double>() * b - s.get<double>() * a);
    }
  });
}

template <class T>
void sctr(Call& call) {
  int64_t n = call.size();
  Values x = call.values<T>();
  Indices at = call.indices();
  Values y = call.values<T>();
  int base = call.base();
  call.run([=] {
    for (int64_t k = 0; k < n; k++) y.set(at[k] - base, x.get<W<T>>(k));
  });
}

/** x, beta, y follow. */
template <class T>
void multiplied(Call& call, const Matrix& a, Turn turn, const Scalar& alpha) {
  Values x = call.values<T>();
  Scalar beta = call.scalar<T>();
  Values y = call.values<T>();
  general(a);
  call.run([=] {
    multiply(rowsOf<W<T>>(a, turn), alpha.get<W<T>>(), x, beta.get<W<T>>(), y);
  });
}

template <class T>
void csrmv(Call& call) {
  Turn turn = call.turn();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, n, count);
  multiplied<T>(call, a, turn, alpha);
}

template <class T>
void bsrmv(Call& call) {
  bool byRows = call.byRows();
  Turn turn = call.turn();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, n, count);
  int64_t block = call.integer();
  call.blocks(a, byRows, block, block);
  multiplied<T>(call, a, turn, alpha);
}

/** B, ldb, beta, C, ldc follow; C has n columns. */
template <class T>
void multipliedMatrix(Call& call, const Matrix& a, Turn turnA, Turn turnB, int64_t n,
                      const Scalar& alpha) {
  Dense b;
  b.values = call.values<T>();
  b.ld = call.integer();
  Scalar beta = call.scalar<T>();
  Dense c;
  c.values = call.values<T>();
  c.ld = call.integer();
  c.rows = turnA.transposed ? a.columns : a.rows;
  c.columns = n;
  general(a);
  require(b.ld > 0 && c.ld >= c.rows);
  call.run([=] {
    multiply(rowsOf<W<T>>(a, turnA), alpha.get<W<T>>(), b, turnB, beta.get<W<T>>(), c);
  });
}

template <class T, bool both>
void csrmmOf(Call& call) {
  Turn turnA = call.turn();
  Turn turnB = both ? call.turn() : Turn();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, k, count);
  multipliedMatrix<T>(call, a, turnA, turnB, n, alpha);
}

template <class T>
void csrmm(Call& call) {
  csrmmOf<T, false>(call);
}

template <class T>
void csrmm2(Call& call) {
  csrmmOf<T, true>(call);
}

template <class T>
void bsrmm(Call& call) {
  bool byRows = call.byRows();
  Turn turnA = call.turn();
  Turn turnB = call.turn();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, k, count);
  int64_t block = call.integer();
  call.blocks(a, byRows, block, block);
  multipliedMatrix<T>(call, a, turnA, turnB, n, alpha);
}

/** Sizes of buffers: the size is the argument so many after the handle. */
template <int arguments, class Size>
void buffer(Call& call) {
  call.skip(arguments);
  call.bufferSize<Size>();
}

/** Forgets what an earlier solution found; the info is the argument so many after the handle. */
template <int arguments>
void analysis(Call& call) {
  call.skip(arguments);
  call.object<Info>().pivot = std::make_shared<int64_t>(-1);
}

template <class T>
void solved(Call& call, const Matrix& a, Turn turn, const Scalar& alpha, const Info& info) {
  Values f = call.values<T>();
  Values x = call.values<T>();
  auto pivot = info.pivot;
  call.run([=] {
    int64_t row = solve(
        rowsOf<W<T>>(a, turn), a.upper != turn.transposed, a.unit,
        [&](int64_t r) { return alpha.get<W<T>>() * f.get<W<T>>(r); },
        [&](int64_t r, W<T> value) { x.set(r, value); });
    *pivot = row < 0 ? -1 : row / a.blockRows + a.base;
  });
}

template <class T>
void csrsv2(Call& call) {
  Turn turn = call.turn();
  int64_t m = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, m, count);
  solved<T>(call, a, turn, alpha, call.object<Info>());
}

template <class T>
void bsrsv2(Call& call) {
  bool byRows = call.byRows();
  Turn turn = call.turn();
  int64_t m = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, m, count);
  int64_t block = call.integer();
  call.blocks(a, byRows, block, block);
  solved<T>(call, a, turn, alpha, call.object<Info>());
}

template <class T>
void csrsm2(Call& call) {
  call.skip();  // the algorithm
  Turn turnA = call.turn();
  Turn turnB = call.turn();
  int64_t m = call.size();
  int64_t columns = call.size();
  int64_t count = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = call.csr<T>(m, m, count);
  Dense b;
  b.values = call.values<T>();
  b.ld = call.integer();
  auto pivot = call.object<Info>().pivot;
  call.run([=] {
    auto rows = rowsOf<W<T>>(a, turnA);
    for (int64_t j = 0; j < columns; j++) {
      auto place = [&](int64_t r) { return turnB.transposed ? b.place(j, r) : b.place(r, j); };
      int64_t row = solve(
          rows, a.upper != turnA.transposed, a.unit,
          [&](int64_t r) {
            W<T> value = b.values.get<W<T>>(place(r));
            return alpha.get<W<T>>() * (turnB.conjugated ? conjugate(value) : value);
          },
          [&](int64_t r, W<T> value) {
            b.values.set(place(r), turnB.conjugated ? conjugate(value) : value);
          });
      *pivot = row < 0 ? -1 : row + a.base;
    }
  });
}

template <class T>
void factorized(Call& call, const Matrix& a, bool cholesky) {
  const Info& info = call.object<Info>();
  auto pivot = info.pivot;
  bool boosted = info.boost;
  const double* tolerance = info.tolerance;
  Values replacement = info.boosted;
  general(a);
  call.run([=] {
    auto rows = rowsOf<W<T>>(a);
    int64_t row;
    if (cholesky) {
      row = incompleteCholesky(rows);
    } else {
      Boost<W<T>> boost;
      if (boosted) boost = {true, *tolerance, replacement.get<W<T>>(0)};
      row = incompleteLu(rows, boost);
    }
    for (int64_t k = 0; k < rows.count(); k++) a.values.set(rows.place[k], rows.value[k]);
    *pivot = row < 0 ? -1 : row / a.blockRows + a.base;
  });
}

template <class T, bool cholesky>
void csrFactorized(Call& call) {
  int64_t m = call.size();
  int64_t count = call.size();
  Matrix a = call.csr<T>(m, m, count);
  factorized<T>(call, a, cholesky);
}

template <class T>
void csrilu02(Call& call) {
  csrFactorized<T, false>(call);
}

template <class T>
void csric02(Call& call) {
  csrFactorized<T, true>(call);
}

/** A block ILU without fill is the one of its elements, as blocks are full. */
template <class T>
void bsrilu02(Call& call) {
  bool byRows = call.byRows();
  int64_t m = call.size();
  int64_t count = call.size();
  Matrix a = call.csr<T>(m, m, count);
  int64_t block = call.integer();
  call.blocks(a, byRows, block, block);
  factorized<T>(call, a, false);
}

/** m equations of three diagonals, n right sides, distances between elements and between sides. */
template <class T>
void tridiagonal(Values dl, Values d, Values du, Values x, int64_t m, int64_t n, int64_t step,
                 int64_t ld, bool exchange) {
  using Wt = W<T>;
  std::vector<std::vector<Wt>> band(m, std::vector<Wt>(4, Wt(0)));
  std::vector<std::vector<Wt>> f(m, std::vector<Wt>(n));
  for (int64_t i = 0; i < m; i++) {
    if (i > 0) band[i][0] = dl.get<Wt>(i * step);
    band[i][1] = d.get<Wt>(i * step);
    if (i + 1 < m) band[i][2] = du.get<Wt>(i * step);
    for (int64_t j = 0; j < n; j++) f[i][j] = x.get<Wt>(i * step + j * ld);
  }
  solveBand(band, f, 1, 1, exchange);
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < n; j++) x.set(i * step + j * ld, f[i][j]);
  }
}

template <class T, bool exchange>
void gtsvOf(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  Values dl = call.values<T>();
  Values d = call.values<T>();
  Values du = call.values<T>();
  Values b = call.values<T>();
  int64_t ld = call.integer();
  require(ld >= std::max<int64_t>(1, m));
  call.run([=] { tridiagonal<T>(dl, d, du, b, m, n, 1, ld, exchange); });
}

template <class T>
void gtsv2(Call& call) {
  gtsvOf<T, true>(call);
}

template <class T>
void gtsv2Plain(Call& call) {
  gtsvOf<T, false>(call);
}

template <class T>
void gtsv2Strided(Call& call) {
  int64_t m = call.size();
  Values dl = call.values<T>();
  Values d = call.values<T>();
  Values du = call.values<T>();
  Values x = call.values<T>();
  int64_t batches = call.size();
  int64_t stride = call.integer();
  require(stride >= m);
  call.run([=] {
    for (int64_t b = 0; b < batches; b++) {
      int64_t at = b * stride;
      tridiagonal<T>(dl.from(at), d.from(at), du.from(at), x.from(at), m, 1, 1, m, false);
    }
  });
}

template <class T>
void gtsvInterleaved(Call& call) {
  call.skip();  // the algorithm
  int64_t m = call.size();
  Values dl = call.values<T>();
  Values d = call.values<T>();
  Values du = call.values<T>();
  Values x = call.values<T>();
  int64_t batches = call.size();
  call.run([=] {
    for (int64_t b = 0; b < batches; b++) {
      tridiagonal<T>(dl.from(b), d.from(b), du.from(b), x.from(b), m, 1, batches, 1, true);
    }
  });
}

}  // namespace
}  // namespace rocport::sparse

using namespace rocport;
using namespace rocport::sparse;

TYPES(axpyi, axpyi)
TYPES(doti, doti)
ENTRY(hipsparseCdotci, Form::SINGLE, dotci<Complex<float>>)
ENTRY(hipsparseZdotci, Form::SINGLE, dotci<Complex<double>>)
TYPES(gthr, gthr)
TYPES(gthrz, gthrz)
REAL_TYPES(roti, roti)
TYPES(sctr, sctr)
TYPES(csrmv, csrmv)
TYPES(bsrmv, bsrmv)
TYPES(csrmm, csrmm)
TYPES(csrmm2, csrmm2)
TYPES(bsrmm, bsrmm)

#define SAME(name, ...)         \
  ONE(S##name, __VA_ARGS__)     \
  ONE(D##name, __VA_ARGS__)     \
  ONE(C##name, __VA_ARGS__)     \
  ONE(Z##name, __VA_ARGS__)
#undef ONE
#define ONE(name, ...) ENTRY(hipsparse##name, Form::SINGLE, __VA_ARGS__)

SAME(csrsv2_bufferSize, buffer<8, int>)
SAME(csrsv2_bufferSizeExt, buffer<8, size_t>)
SAME(csrsv2_analysis, analysis<7>)
TYPES(csrsv2_solve, csrsv2)
SAME(bsrsv2_bufferSize, buffer<10, int>)
SAME(bsrsv2_bufferSizeExt, buffer<10, size_t>)
SAME(bsrsv2_analysis, analysis<9>)
TYPES(bsrsv2_solve, bsrsv2)
SAME(csrsm2_bufferSizeExt, buffer<15, size_t>)
SAME(csrsm2_analysis, analysis<13>)
TYPES(csrsm2_solve, csrsm2)
SAME(csrilu02_bufferSize, buffer<7, int>)
SAME(csrilu02_bufferSizeExt, buffer<7, size_t>)
SAME(csrilu02_analysis, analysis<6>)
TYPES(csrilu02, csrilu02)
SAME(csric02_bufferSize, buffer<7, int>)
SAME(csric02_bufferSizeExt, buffer<7, size_t>)
SAME(csric02_analysis, analysis<6>)
TYPES(csric02, csric02)
SAME(bsrilu02_bufferSize, buffer<9, int>)
SAME(bsrilu02_analysis, analysis<8>)
TYPES(bsrilu02, bsrilu02)
SAME(gtsv2_bufferSizeExt, buffer<7, size_t>)
TYPES(gtsv2, gtsv2)
SAME(gtsv2_nopivot_bufferSizeExt, buffer<7, size_t>)
TYPES(gtsv2_nopivot, gtsv2Plain)
SAME(gtsv2StridedBatch_bufferSizeExt, buffer<7, size_t>)
TYPES(gtsv2StridedBatch, gtsv2Strided)
SAME(gtsvInterleavedBatch_bufferSizeExt, buffer<7, size_t>)
TYPES(gtsvInterleavedBatch, gtsvInterleaved)
