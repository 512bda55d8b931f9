// Eigenvalues and singular values.
#include "../dense/singular.h"
#include "call.h"

namespace rocport::solver {
namespace {

template <class T>
constexpr double EPSILON = std::numeric_limits<Real<T>>::epsilon();

/** Solves a plain problem: what is left below the diagonal of a becomes eigenvectors where wanted. */
template <class T>
int solve(Dense<Wide<T>>& a, std::vector<double>& values, bool vectors, Jacobi* jacobi) {
  if (jacobi == nullptr) return eigen(a, values, vectors);
  // As LAPACK numbers values above a count of failures.
  return jacobiEigen(a, values, *jacobi, EPSILON<T>) ? 0 : static_cast<int>(a.rows + 1);
}

template <class T, bool jacobi>
void eigenvalues(Call& call) {
  bool vectors = call.vectors();
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  auto* values = call.pointer<Real<T>>();
  call.skip(2);
  int* info = call.pointer<int>();
  Jacobi* settings = jacobi ? call.pointer<Jacobi>() : nullptr;
  call.run(n > 0, [=] {
    auto matrix = a.lower(upper);
    std::vector<double> found;
    *info = solve<T>(matrix, found, vectors, settings);
    writeAll(found, values);
    if (vectors) a.write(matrix);
  });
}

template <class T>
void syevd(Call& call) {
  eigenvalues<T, false>(call);
}
template <class T>
void syevj(Call& call) {
  eigenvalues<T, true>(call);
}

template <class T>
void syevjBatched(Call& call) {
  bool vectors = call.vectors();
  bool upper = call.upper();
  int64_t n = call.size();
  auto all = call.matrix<T>(n, n);
  auto* values = call.pointer<Real<T>>();
  call.skip(2);
  int* info = call.pointer<int>();
  auto* settings = call.pointer<Jacobi>();
  int64_t count = call.size();
  call.run(n > 0 && count > 0, [=] {
    for (int64_t k = 0; k < count; k++) {
      Place<T> a{all.data + k * all.ld * n, n, n, all.ld};
      auto matrix = a.lower(upper);
      std::vector<double> found;
      info[k] = solve<T>(matrix, found, vectors, settings);
      writeAll(found, values + k * n);
      if (vectors) a.write(matrix);
    }
  });
}

/** Which of the eigenvalues, counted from 0. */
struct Range {
  int64_t kind;
  double above, upTo;
  int64_t first, last;

  explicit Range(int64_t kind) : kind(kind), above(0), upTo(0), first(0), last(0) {
    require(kind >= HIPSOLVER_EIG_RANGE_ALL && kind <= HIPSOLVER_EIG_RANGE_I, HIPSOLVER_STATUS_INVALID_ENUM);
  }

  void bounds(Call& call, int64_t n) {
    above = call.real();
    upTo = call.real();
    first = call.integer() - 1;
    last = call.integer() - 1;
    if (kind == HIPSOLVER_EIG_RANGE_V) require(above < upTo);
    if (kind == HIPSOLVER_EIG_RANGE_I) require(n == 0 || (first >= 0 && first <= last && last < n));
  }

  std::vector<int64_t> of(const std::vector<double>& values) const {
    std::vector<int64_t> chosen;
    for (int64_t i = 0; i < static_cast<int64_t>(values.size()); i++) {
      bool in = kind == HIPSOLVER_EIG_RANGE_ALL ||
                (kind == HIPSOLVER_EIG_RANGE_V ? values[i] > above && values[i] <= upTo : i >= first && i <= last);
      if (in) chosen.push_back(i);
    }
    return chosen;
  }
};

template <class T>
void writeChosen(const Range& range, const Dense<Wide<T>>& vectors, const std::vector<double>& found, bool wanted,
                 Place<T> a, Real<T>* values, int* count) {
  auto chosen = range.of(found);
  *count = static_cast<int>(chosen.size());
  for (size_t k = 0; k < chosen.size(); k++) {
    values[k] = narrow<Real<T>>(found[chosen[k]]);
    for (int64_t i = 0; wanted && i < a.rows; i++) a(i, k) = narrow<T>(vectors(i, chosen[k]));
  }
}

// The count is in host memory of the caller: it is written before the call returns only if the call waits for the work.
template <class T>
void syevdx(Call& call) {
  bool vectors = call.vectors();
  Range range(call.integer());
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  range.bounds(call, n);
  int* count = call.pointer<int>();
  auto* values = call.pointer<Real<T>>();
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] {
    auto matrix = a.lower(upper);
    std::vector<double> found;
    *info = eigen(matrix, found, vectors);
    writeChosen(range, matrix, found, vectors, a, values, count);
  });
  if (n > 0) call.wait();
}

Problem problem(Call& call) {
  switch (call.integer()) {
    case HIPSOLVER_EIG_TYPE_1:
      return Problem::RATIO;
    case HIPSOLVER_EIG_TYPE_2:
      return Problem::A_B;
    case HIPSOLVER_EIG_TYPE_3:
      return Problem::B_A;
  }
  throw Refusal{HIPSOLVER_STATUS_INVALID_ENUM};
}

/** Solves a problem of two matrices; b becomes its Cholesky factor. */
template <class T>
int solveTwo(Problem problem, bool vectors, bool upper, Place<T> a, Place<T> b, Dense<Wide<T>>& matrix,
             std::vector<double>& found, Jacobi* jacobi) {
  auto factor = b.lower(upper);
  int minor = cholesky(factor);
  b.writeLower(factor, upper);
  if (minor != 0) return static_cast<int>(a.rows + minor);
  matrix = a.lower(upper);
  toPlain(problem, matrix, factor);
  int info = solve<T>(matrix, found, vectors, jacobi);
  if (vectors) fromPlain(problem, matrix, factor);
  return info;
}

template <class T, bool jacobi>
void twoMatrices(Call& call) {
  Problem which = problem(call);
  bool vectors = call.vectors();
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  auto b = call.matrix<T>(n, n);
  auto* values = call.pointer<Real<T>>();
  call.skip(2);
  int* info = call.pointer<int>();
  Jacobi* settings = jacobi ? call.pointer<Jacobi>() : nullptr;
  call.run(n > 0, [=] {
    Dense<Wide<T>> matrix;
    std::vector<double> found;
    *info = solveTwo(which, vectors, upper, a, b, matrix, found, settings);
    writeAll(found, values);
    if (vectors && matrix.columns > 0) a.write(matrix);
  });
}

template <class T>
void sygvd(Call& call) {
  twoMatrices<T, false>(call);
}
template <class T>
void sygvj(Call& call) {
  twoMatrices<T, true>(call);
}

template <class T>
void sygvdx(Call& call) {
  Problem which = problem(call);
  bool vectors = call.vectors();
  Range range(call.integer());
  bool upper = call.upper();
  int64_t n = call.size();
  auto a = call.matrix<T>(n, n);
  auto b = call.matrix<T>(n, n);
  range.bounds(call, n);
  int* count = call.pointer<int>();
  auto* values = call.pointer<Real<T>>();
  call.skip(2);
  int* info = call.pointer<int>();
  call.run(n > 0, [=] {
    Dense<Wide<T>> matrix;
    std::vector<double> found;
    *info = solveTwo<T>(which, vectors, upper, a, b, matrix, found, nullptr);
    writeChosen(range, matrix, found, vectors && matrix.columns > 0, a, values, count);
  });
  if (n > 0) call.wait();
}

/** 'A' all columns, 'S' the first ones, 'O' those in place of the matrix, 'N' none. */
char job(Call& call) {
  auto letter = static_cast<char>(call.integer());
  require(letter == 'A' || letter == 'S' || letter == 'O' || letter == 'N', HIPSOLVER_STATUS_INVALID_ENUM);
  return letter;
}

template <class T>
void gesvd(Call& call) {
  char left = job(call);
  char right = job(call);
  require(left != 'O' || right != 'O');
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t least = std::min(m, n);
  auto a = call.matrix<T>(m, n);
  auto* values = call.pointer<Real<T>>();
  bool ownLeft = left == 'A' || left == 'S';
  bool ownRight = right == 'A' || right == 'S';
  auto u = call.matrix<T>(m, left == 'A' ? m : least, ownLeft);
  auto v = call.matrix<T>(right == 'A' ? n : least, n, ownRight);
  call.skip(3);
  int* info = call.pointer<int>();
  call.run(m > 0 && n > 0, [=] {
    Jacobi settings;
    auto s = singular(a.read(), u.columns, v.rows, settings);
    writeAll(s.values, values);
    if (ownLeft) u.write(s.u);
    if (ownRight) v.write(s.v.adjoint());
    if (left == 'O') a.write(s.u);
    if (right == 'O') a.write(s.v.adjoint());
    *info = s.converged ? 0 : 1;
  });
}

template <class T>
void svdj(Call& call, bool batched) {
  bool vectors = call.vectors();
  bool few = !batched && call.integer() != 0;
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t least = std::min(m, n);
  auto a = call.matrix<T>(m, n);
  auto* values = call.pointer<Real<T>>();
  auto u = call.matrix<T>(m, few ? least : m, vectors);
  auto v = call.matrix<T>(n, few ? least : n, vectors);
  call.skip(2);
  int* info = call.pointer<int>();
  auto* settings = call.pointer<Jacobi>();
  int64_t count = batched ? call.size() : 1;
  call.run(m > 0 && n > 0 && count > 0, [=] {
    for (int64_t k = 0; k < count; k++) {
      auto part = [k](Place<T> all, int64_t columns) {
        return Place<T>{all.data + k * all.ld * columns, all.rows, all.columns, all.ld};
      };
      auto s = singular(part(a, n).read(), u.columns, v.columns, *settings);
      writeAll(s.values, values + k * least);
      if (vectors) {
        part(u, m).write(s.u);
        part(v, n).write(s.v);
      }
      info[k] = s.converged ? 0 : static_cast<int>(least + 1);
    }
  });
}

template <class T>
void gesvdj(Call& call) {
  svdj<T>(call, false);
}
template <class T>
void gesvdjBatched(Call& call) {
  svdj<T>(call, true);
}

/** The largest singular values and their vectors, and how far their product is from the matrix. */
template <class T>
void gesvda(Call& call) {
  bool vectors = call.vectors();
  int64_t rank = call.size();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t least = std::min(m, n);
  require(rank <= least);
  auto a = call.matrix<T>(m, n);
  int64_t strideA = call.integer();
  auto* values = call.pointer<Real<T>>();
  int64_t strideS = call.integer();
  auto u = call.matrix<T>(m, rank, vectors);
  int64_t strideU = call.integer();
  auto v = call.matrix<T>(n, rank, vectors);
  int64_t strideV = call.integer();
  call.skip(2);
  int* info = call.pointer<int>();
  auto* residuals = call.pointer<double>(false);
  int64_t count = call.size();
  call.run(m > 0 && n > 0 && count > 0, [=] {
    for (int64_t k = 0; k < count; k++) {
      Place<T> matrix{a.data + k * strideA, m, n, a.ld};
      Jacobi settings;
      auto s = singular(matrix.read(), least, least, settings);
      for (int64_t i = 0; i < rank; i++) values[k * strideS + i] = narrow<Real<T>>(s.values[i]);
      if (vectors) {
        auto some = [rank](const Dense<Wide<T>>& all) {
          return Dense<Wide<T>>::of(all.rows, rank, [&](int64_t i, int64_t j) { return all(i, j); });
        };
        Place<T>{u.data + k * strideU, m, rank, u.ld}.write(some(s.u));
        Place<T>{v.data + k * strideV, n, rank, v.ld}.write(some(s.v));
      }
      double left = 0;
      for (int64_t i = rank; i < least; i++) left += s.values[i] * s.values[i];
      if (residuals) residuals[k] = std::sqrt(left);
      info[k] = s.converged ? 0 : static_cast<int>(least + 1);
    }
  });
  if (m > 0 && n > 0 && count > 0) call.wait();
}

}  // namespace
}  // namespace rocport::solver

using namespace rocport::solver;

BOTH(syevd, heevd, syevd, 6)
BOTH(syevj, heevj, syevj, 6)
BOTH(syevjBatched, heevjBatched, syevjBatched, 6)
BOTH(syevdx, heevdx, syevdx, 12)
BOTH(sygvd, hegvd, sygvd, 9)
BOTH(sygvj, hegvj, sygvj, 9)
BOTH(sygvdx, hegvdx, sygvdx, 15)
TYPES(, gesvd, gesvd, gesvd)
TYPES(Dn, gesvd, gesvd, gesvd)
SIZES(, gesvd, gesvd, 4)
SIZES(Dn, gesvd, gesvd, 2)
BOTH(gesvdj, gesvdj, gesvdj, 11)
BOTH(gesvdjBatched, gesvdjBatched, gesvdjBatched, 10)
TYPES(Dn, gesvdaStridedBatched, gesvdaStridedBatched, gesvda)
SIZES(Dn, gesvdaStridedBatched, gesvdaStridedBatched, 15)
