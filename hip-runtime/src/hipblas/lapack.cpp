// The factorizations that hipBLAS has for batches.
#include "../dense/factor.h"
#include "call.h"

namespace rocport::blas {
namespace {

Layout general(int64_t rows, int64_t columns) {
  Layout layout;
  layout.rows = rows;
  layout.columns = columns;
  return layout;
}

template <class T>
Dense<Wide<T>> read(const Target<T>& a) {
  return Dense<Wide<T>>::of(a.layout.rows, a.layout.columns, a);
}

template <class T>
void write(const Dense<Wide<T>>& from, const Target<T>& to) {
  for (int64_t j = 0; j < to.layout.columns; j++) {
    for (int64_t i = 0; i < to.layout.rows; i++) to.set(i, j, from(i, j));
  }
}

/** Pivots of a batch: an array after the other, or so far apart. */
struct Pivots {
  int* at;
  int64_t stride;
  int* operator()(int64_t b) const { return at ? at + b * stride : nullptr; }
};

Pivots pivots(Call& call, int64_t n) {
  int* at = call.pointer<int>(false);
  int64_t stride = call.stride();
  return {at, call.form() == Form::STRIDED ? stride : n};
}

// A result in host memory that says whether the arguments are valid; invalid arguments end the call.
void inOrderOnHost(Call& call) {
  int* info = call.pointer<int>();
  if (info) *info = 0;
}

/** Without pivots where the array for them is null. */
template <class T>
void getrf(Call& call) {
  int64_t n = call.size();
  auto a = call.target<T>(general(n, n));
  auto exchanged = pivots(call, n);
  int* info = call.pointer<int>();
  call.run(n > 0, [=](int64_t b) {
    auto matrix = read(a(b));
    std::vector<int> rows;
    info[b] = lu(matrix, exchanged.at ? &rows : nullptr);
    write(matrix, a(b));
    std::copy(rows.begin(), rows.end(), exchanged(b));
  });
}

template <class T>
void getrs(Call& call) {
  Turn turn = call.turn();
  int64_t n = call.size();
  int64_t columns = call.size();
  auto a = call.target<T>(general(n, n));
  auto exchanged = pivots(call, n);
  auto b = call.target<T>(general(n, columns));
  inOrderOnHost(call);
  call.run(n > 0 && columns > 0, [=](int64_t i) {
    auto x = read(b(i));
    solveLu(read(a(i)), exchanged(i), turn.transposed, turn.conjugated, x);
    write(x, b(i));
  });
}

template <class T>
void getri(Call& call) {
  int64_t n = call.size();
  auto a = call.target<T>(general(n, n));
  auto exchanged = pivots(call, n);
  auto inverse = call.target<T>(general(n, n));
  int* info = call.pointer<int>();
  call.run(n > 0, [=](int64_t b) {
    auto factors = read(a(b));
    info[b] = 0;
    for (int64_t i = n; i-- > 0;) {
      if (factors(i, i) == Wide<T>(0.0)) info[b] = static_cast<int>(i + 1);
    }
    if (info[b] != 0) return;
    auto x = Dense<Wide<T>>::identity(n);
    solveLu(factors, exchanged(b), false, false, x);
    write(x, inverse(b));
  });
}

template <class T>
void geqrf(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  auto a = call.target<T>(general(m, n));
  auto tau = call.items<T>();
  inOrderOnHost(call);
  call.run(m > 0 && n > 0, [=](int64_t b) {
    auto matrix = read(a(b));
    auto factors = qr(matrix);
    write(matrix, a(b));
    for (size_t i = 0; i < factors.size(); i++) tau(b)[i] = narrow<T>(factors[i]);
  });
}

/** b has the right-hand sides, then the solutions; a is overwritten by its factors. */
template <class T>
void gels(Call& call) {
  Turn turn = call.turn();
  require(turn.transposed == turn.conjugated || !IsComplex<T>::value);
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t columns = call.size();
  auto a = call.target<T>(general(m, n));
  auto b = call.target<T>(general(std::max(m, n), columns));
  inOrderOnHost(call);
  int* info = call.pointer<int>();
  call.run(m > 0 && n > 0 && columns > 0, [=](int64_t i) {
    auto matrix = read(a(i));
    auto x = read(b(i));
    info[i] = leastSquares(turn.transposed ? matrix.adjoint() : matrix, x);
    if (info[i] == 0) write(x, b(i));
    qr(matrix);
    write(matrix, a(i));
  });
}

}  // namespace
}  // namespace rocport::blas

using namespace rocport::blas;

ALL(getrf, getrf)
ALL(getrs, getrs)
ALL(getri, getri)
ALL(geqrf, geqrf)
ALL(gels, gels)
