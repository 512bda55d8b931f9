// Level 2: matrices and vectors. A storage and a structure give one function's matrix.
#include "../dense/triangular.h"
#include "call.h"

namespace rocport::blas {
namespace {

/** y = alpha a x + beta y. */
template <class T>
void timesVector(Call& call, const Layout& layout, Turn turn) {
  auto alpha = call.scalar<T>();
  auto a = call.operand<T>(layout, turn);
  auto x = call.strictVector<const T>(turn.transposed ? layout.rows : layout.columns);
  auto beta = call.scalar<T>();
  auto y = call.strictVector<T>(turn.transposed ? layout.columns : layout.rows);
  call.run(layout.rows > 0 && layout.columns > 0, [=](int64_t b) {
    using W = Wide<T>;
    W factor = alpha();
    W keep = beta();
    auto to = y(b);
    if (factor == W(0.0) && keep == W(1.0)) return;
    std::vector<W> sum(to.n);
    if (factor != W(0.0)) {
      auto from = x(b);
      auto matrix = a(b);
      for (int64_t j = 0; j < from.n; j++) {
        W value = from[j];
        auto [first, end] = matrix.range(j);
        for (int64_t i = first; i < end; i++) sum[i] += matrix(i, j) * value;
      }
    }
    for (int64_t i = 0; i < to.n; i++) {
      W value = factor == W(0.0) ? W(0.0) : factor * sum[i];
      if (keep != W(0.0)) value += keep * to[i];
      to.set(i, value);
    }
  });
}

template <class T>
void gemv(Call& call) {
  Turn turn = call.turn();
  Layout layout;
  layout.rows = call.size();
  layout.columns = call.size();
  timesVector<T>(call, layout, turn);
}

template <class T>
void gbmv(Call& call) {
  Turn turn = call.turn();
  Layout layout;
  layout.storage = Storage::BAND;
  layout.rows = call.size();
  layout.columns = call.size();
  layout.below = call.size();
  layout.above = call.size();
  timesVector<T>(call, layout, turn);
}

/** A square matrix of which one triangle is stored. */
Layout half(Call& call, Storage storage, Structure structure, bool upper) {
  Layout layout;
  layout.storage = storage;
  layout.structure = structure;
  layout.upper = upper;
  layout.rows = layout.columns = call.size();
  if (storage == Storage::BAND) (upper ? layout.above : layout.below) = call.size();
  return layout;
}

template <class T, Storage storage, Structure structure>
void halfTimesVector(Call& call) {
  bool upper = call.upper();
  timesVector<T>(call, half(call, storage, structure, upper), {false, false});
}

template <class T>
void symv(Call& call) {
  halfTimesVector<T, Storage::FULL, Structure::SYMMETRIC>(call);
}
template <class T>
void hemv(Call& call) {
  halfTimesVector<T, Storage::FULL, Structure::HERMITIAN>(call);
}
template <class T>
void sbmv(Call& call) {
  halfTimesVector<T, Storage::BAND, Structure::SYMMETRIC>(call);
}
template <class T>
void hbmv(Call& call) {
  halfTimesVector<T, Storage::BAND, Structure::HERMITIAN>(call);
}
template <class T>
void spmv(Call& call) {
  halfTimesVector<T, Storage::PACKED, Structure::SYMMETRIC>(call);
}
template <class T>
void hpmv(Call& call) {
  halfTimesVector<T, Storage::PACKED, Structure::HERMITIAN>(call);
}

/** x = a x, or inverse(a) x, for a triangular a. */
template <class T, Storage storage, bool inverse>
void triangle(Call& call) {
  bool upper = call.upper();
  Turn turn = call.turn();
  bool unit = call.unit();
  Layout layout = half(call, storage, Structure::TRIANGULAR, upper);
  layout.unit = unit;
  auto a = call.operand<T>(layout, turn);
  auto x = call.strictVector<T>(layout.rows);
  call.run(layout.rows > 0, [=](int64_t b) {
    using W = Wide<T>;
    auto matrix = a(b);
    auto vector = x(b);
    std::vector<W> from = vector.copy();
    bool lower = upper == turn.transposed;
    auto range = [&](int64_t j) { return matrix.range(j); };
    if (inverse) {
      substitute(lower, vector.n, matrix, range, from.data());
      for (int64_t i = 0; i < vector.n; i++) vector.set(i, from[i]);
      return;
    }
    std::vector<W> sum(vector.n);
    for (int64_t j = 0; j < vector.n; j++) {
      auto [first, end] = matrix.range(j);
      for (int64_t i = lower ? j : first; i < (lower ? end : j + 1); i++) sum[i] += matrix(i, j) * from[j];
    }
    for (int64_t i = 0; i < vector.n; i++) vector.set(i, sum[i]);
  });
}

template <class T>
void trmv(Call& call) {
  triangle<T, Storage::FULL, false>(call);
}
template <class T>
void tbmv(Call& call) {
  triangle<T, Storage::BAND, false>(call);
}
template <class T>
void tpmv(Call& call) {
  triangle<T, Storage::PACKED, false>(call);
}
template <class T>
void trsv(Call& call) {
  triangle<T, Storage::FULL, true>(call);
}
template <class T>
void tbsv(Call& call) {
  triangle<T, Storage::BAND, true>(call);
}
template <class T>
void tpsv(Call& call) {
  triangle<T, Storage::PACKED, true>(call);
}

/** a += alpha x y^T, or y^H. */
template <class T, bool conjugated>
void outer(Call& call) {
  Layout layout;
  layout.rows = call.size();
  layout.columns = call.size();
  auto alpha = call.scalar<T>();
  auto x = call.strictVector<const T>(layout.rows);
  auto y = call.strictVector<const T>(layout.columns);
  auto a = call.target<T>(layout);
  call.run(layout.rows > 0 && layout.columns > 0, [=](int64_t b) {
    using W = Wide<T>;
    W factor = alpha();
    if (factor == W(0.0)) return;
    std::vector<W> from = x(b).copy();
    auto matrix = a(b);
    for (int64_t j = 0; j < layout.columns; j++) {
      W value = factor * (conjugated ? conjugate(y(b)[j]) : y(b)[j]);
      for (int64_t i = 0; i < layout.rows; i++) matrix.set(i, j, matrix(i, j) + from[i] * value);
    }
  });
}

template <class T>
void ger(Call& call) {
  outer<T, false>(call);
}
template <class T>
void gerc(Call& call) {
  outer<T, true>(call);
}

/** One triangle of a += alpha x x^H, or of a += alpha x y^H + conj(alpha) y x^H; or with ^T for symmetric ones. */
template <class T, Storage storage, Structure structure, bool two>
void update(Call& call) {
  constexpr bool hermitian = structure == Structure::HERMITIAN;
  using A = std::conditional_t<hermitian && !two, Real<T>, T>;
  bool upper = call.upper();
  Layout layout;
  layout.storage = storage;
  layout.upper = upper;
  layout.rows = layout.columns = call.size();
  int64_t n = layout.rows;
  auto alpha = call.scalar<A>();
  auto x = call.strictVector<const T>(n);
  auto y = two ? call.strictVector<const T>(n) : x;
  auto a = call.target<T>(layout);
  call.run(n > 0, [=](int64_t b) {
    using W = Wide<T>;
    auto turned = [](W value) { return hermitian ? conjugate(value) : value; };
    W factor = alpha();
    if (factor == W(0.0)) return;
    std::vector<W> u = x(b).copy();
    std::vector<W> v = y(b).copy();
    auto matrix = a(b);
    for (int64_t j = 0; j < n; j++) {
      W first = factor * turned(v[j]);
      W second = turned(factor) * turned(u[j]);
      for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) {
        W value = matrix(i, j) + u[i] * first;
        if (two) value += v[i] * second;
        matrix.set(i, j, hermitian && i == j ? W(realPart(value)) : value);
      }
    }
  });
}

template <class T>
void syr(Call& call) {
  update<T, Storage::FULL, Structure::SYMMETRIC, false>(call);
}
template <class T>
void her(Call& call) {
  update<T, Storage::FULL, Structure::HERMITIAN, false>(call);
}
template <class T>
void spr(Call& call) {
  update<T, Storage::PACKED, Structure::SYMMETRIC, false>(call);
}
template <class T>
void hpr(Call& call) {
  update<T, Storage::PACKED, Structure::HERMITIAN, false>(call);
}
template <class T>
void syr2(Call& call) {
  update<T, Storage::FULL, Structure::SYMMETRIC, true>(call);
}
template <class T>
void her2(Call& call) {
  update<T, Storage::FULL, Structure::HERMITIAN, true>(call);
}
template <class T>
void spr2(Call& call) {
  update<T, Storage::PACKED, Structure::SYMMETRIC, true>(call);
}
template <class T>
void hpr2(Call& call) {
  update<T, Storage::PACKED, Structure::HERMITIAN, true>(call);
}

}  // namespace
}  // namespace rocport::blas

using namespace rocport::blas;

ALL(gemv, gemv)
ALL(gbmv, gbmv)
ALL(symv, symv)
COMPLEX(hemv, hemv)
REAL(sbmv, sbmv)
COMPLEX(hbmv, hbmv)
REAL(spmv, spmv)
COMPLEX(hpmv, hpmv)
ALL(trmv, trmv)
ALL(tbmv, tbmv)
ALL(tpmv, tpmv)
ALL(trsv, trsv)
ALL(tbsv, tbsv)
ALL(tpsv, tpsv)
REAL(ger, ger)
COMPLEX(geru, ger)
COMPLEX(gerc, gerc)
ALL(syr, syr)
COMPLEX(her, her)
ALL(spr, spr)
COMPLEX(hpr, hpr)
ALL(syr2, syr2)
COMPLEX(her2, her2)
REAL(spr2, spr2)
COMPLEX(hpr2, hpr2)
