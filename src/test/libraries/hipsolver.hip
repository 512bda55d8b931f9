// hipSOLVER: what its factors, solutions, eigenvalues and singular values must satisfy
#include <hipsolver/hipsolver.h>

#include <complex>
#include <limits>
#include <string>

#include "../kernels/check.h"

using C = std::complex<double>;
using std::string;
using std::vector;

Check check;
hipsolverHandle_t handle;

#define SOLVER(call) solver((call), __LINE__)

void solver(hipsolverStatus_t status, int line) {
  if (status == HIPSOLVER_STATUS_SUCCESS) return;
  printf("FAIL line %d: status %d\n", line, static_cast<int>(status));
  exit(1);
}

template <class A>
auto as(A a) {
  return a;
}
inline auto as(std::complex<float>* a) { return reinterpret_cast<hipFloatComplex*>(a); }
inline auto as(std::complex<double>* a) { return reinterpret_cast<hipDoubleComplex*>(a); }
inline auto as(std::complex<float>** a) { return reinterpret_cast<hipFloatComplex**>(a); }
inline auto as(std::complex<double>** a) { return reinterpret_cast<hipDoubleComplex**>(a); }

#define FOUR(name, s, d, c, z)                                                                         \
  template <class T, class... A>                                                                       \
  void name(A... a) {                                                                                  \
    hipsolverStatus_t status;                                                                          \
    if constexpr (std::is_same_v<T, float>) status = hipsolver##s(handle, as(a)...);                   \
    else if constexpr (std::is_same_v<T, double>) status = hipsolver##d(handle, as(a)...);             \
    else if constexpr (std::is_same_v<T, std::complex<float>>) status = hipsolver##c(handle, as(a)...); \
    else status = hipsolver##z(handle, as(a)...);                                                      \
    if (status != HIPSOLVER_STATUS_SUCCESS) printf(#name "\n");                                        \
    SOLVER(status);                                                                                    \
  }
#define SAME(name) FOUR(name, S##name, D##name, C##name, Z##name)
#define SIZED(name) SAME(name) SAME(name##_bufferSize)
#define PAIR(real, complex) FOUR(real, S##real, D##real, C##complex, Z##complex)
#define DN(name) FOUR(Dn##name, DnS##name, DnD##name, DnC##name, DnZ##name)

SIZED(getrf) SIZED(getrs) SIZED(potrf) SIZED(potri) SIZED(potrs) SIZED(geqrf) SIZED(gesvd)
SAME(potrfBatched) SAME(potrsBatched) SAME(gesvdj) SAME(gesvdjBatched)
SAME(gebrd) PAIR(orgbr, ungbr) PAIR(orgqr, ungqr) PAIR(ormqr, unmqr) PAIR(sytrd, hetrd) PAIR(orgtr, ungtr) PAIR(ormtr, unmtr)
PAIR(syevd, heevd) PAIR(syevd_bufferSize, heevd_bufferSize) PAIR(syevj, heevj) PAIR(syevjBatched, heevjBatched)
PAIR(syevdx, heevdx) PAIR(sygvd, hegvd) PAIR(sygvj, hegvj) PAIR(sygvdx, hegvdx)
FOUR(gesv, SSgesv, DDgesv, CCgesv, ZZgesv) FOUR(gels, SSgels, DDgels, CCgels, ZZgels)
DN(getrf) DN(getrs) DN(potrs) DN(potrfBatched) DN(gesvdaStridedBatched)

template <class T>
constexpr bool complex = !std::is_floating_point_v<T>;
template <class T>
using RealOf = decltype(std::real(T()));
template <class T>
const string type = complex<T> ? (sizeof(T) == 8 ? "c" : "z") : sizeof(T) == 4 ? "s" : "d";

uint32_t seed = 1;
double noise() { return 2.0 * unit(seed++) - 1; }

/** A matrix of the host; the device holds it with a longer leading dimension. */
struct Matrix {
  int rows, columns;
  vector<C> all;
  Matrix(int m, int n) : rows(m), columns(n), all(m * n) {}
  C& operator()(int i, int j) { return all[i + j * rows]; }
  C operator()(int i, int j) const { return all[i + j * rows]; }
};

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.columns);
  for (int j = 0; j < b.columns; j++)
    for (int p = 0; p < a.columns; p++)
      for (int i = 0; i < a.rows; i++) c(i, j) += a(i, p) * b(p, j);
  return c;
}

Matrix adjoint(const Matrix& a) {
  Matrix t(a.columns, a.rows);
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++) t(j, i) = std::conj(a(i, j));
  return t;
}

Matrix transpose(const Matrix& a) {
  Matrix t = adjoint(a);
  for (C& x : t.all) x = std::conj(x);
  return t;
}

Matrix identity(int n) {
  Matrix i(n, n);
  for (int k = 0; k < n; k++) i(k, k) = 1;
  return i;
}

Matrix diagonal(const vector<double>& d) {
  Matrix m(d.size(), d.size());
  for (size_t i = 0; i < d.size(); i++) m(i, i) = d[i];
  return m;
}

Matrix part(const Matrix& a, int rows, int columns) {
  Matrix p(rows, columns);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) p(i, j) = a(i, j);
  return p;
}

Matrix triangle(const Matrix& a, bool upper, bool unit) {
  Matrix t(a.rows, a.columns);
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++) t(i, j) = i == j && unit ? C(1) : (upper ? i <= j : i >= j) ? a(i, j) : C(0);
  return t;
}

Matrix mirrored(const Matrix& a, bool upper) {
  Matrix t(a.rows, a.rows);
  for (int j = 0; j < a.rows; j++)
    for (int i = 0; i < a.rows; i++) t(i, j) = i == j ? C(a(i, i).real()) : (upper ? i < j : i > j) ? a(i, j) : std::conj(a(j, i));
  return t;
}

constexpr int PAD = 3;

template <class T>
struct Device {
  int rows, columns, ld;
  Buffer<T> buffer;
  Device(int m, int n) : Device(Matrix(m, n)) {}
  explicit Device(const Matrix& from) : rows(from.rows), columns(from.columns), ld(rows + PAD), buffer(padded(from)) {}
  static vector<T> padded(const Matrix& from) {
    vector<T> v((from.rows + PAD) * from.columns, T(NAN));
    for (int j = 0; j < from.columns; j++)
      for (int i = 0; i < from.rows; i++) {
        if constexpr (complex<T>) v[i + j * (from.rows + PAD)] = T(from(i, j));
        else v[i + j * (from.rows + PAD)] = T(from(i, j).real());
      }
    return v;
  }
  T* get() { return buffer.get(); }
  Matrix host() const {
    auto v = buffer.host();
    Matrix m(rows, columns);
    for (int j = 0; j < columns; j++)
      for (int i = 0; i < rows; i++) m(i, j) = C(v[i + j * ld]);
    return m;
  }
};

template <class T>
Matrix random(int m, int n) {
  Matrix a(m, n);
  for (C& x : a.all) x = complex<T> ? C(T(RealOf<T>(noise()))) + C(0, double(RealOf<T>(noise()))) : C(T(RealOf<T>(noise())));
  return a;
}

template <class T>
Matrix positive(int n) {
  Matrix r = random<T>(n, n), a = r * adjoint(r);
  for (int i = 0; i < n; i++) a(i, i) += 1;
  return Device<T>(a).host();
}

template <class T>
void near(const string& what, const Matrix& got, const Matrix& want, double scale = 1) {
  double limit = 200 * scale * std::numeric_limits<RealOf<T>>::epsilon() * std::max(1, want.rows);
  double worst = 0;
  bool finite = got.all.size() == want.all.size();
  for (size_t i = 0; finite && i < want.all.size(); i++) {
    double error = std::abs(got.all[i] - want.all[i]);
    finite = error == error;
    worst = std::max(worst, error);
  }
  if (!finite || worst > limit) {
    printf("%s%s off by %g\n", type<T>.c_str(), what.c_str(), worst);
    check.that(what.c_str(), false);
  }
}

template <class T>
vector<double> doubles(const Buffer<T>& buffer, int n) {
  auto v = buffer.host();
  return vector<double>(v.begin(), v.begin() + n);
}

constexpr hipblasFillMode_t FILLS[] = {HIPBLAS_FILL_MODE_UPPER, HIPBLAS_FILL_MODE_LOWER};

template <class T>
struct Work {
  Buffer<T> memory{4096};
  Buffer<int> info{16};
  int size = 4096;
  void fine(const char* what) { same(what, 0); }
  void same(const char* what, int want) {
    if (info.host()[0] != want) printf("%s%s info %d, not %d\n", type<T>.c_str(), what, info.host()[0], want);
    check.that(what, info.host()[0] == want);
  }
};

template <class T>
void systems() {
  Work<T> w;
  for (int n : {1, 7, 100}) {
    Matrix a = random<T>(n, n), b = random<T>(n, 3);
    for (int i = 0; i < n; i++) a(n - 1 - i, i) += 4.0;
    Device<T> da(a);
    Buffer<int> pivots(n);
    int size = 0;
    getrf_bufferSize<T>(n, n, da.get(), da.ld, &size);
    check.that("size of a work area", size > 0);
    getrf<T>(n, n, da.get(), da.ld, w.memory.get(), w.size, pivots.get(), w.info.get());
    w.fine("getrf");
    Matrix factors = da.host(), exchanged = a;
    auto rows = pivots.host();
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) std::swap(exchanged(k, j), exchanged(rows[k] - 1, j));
    near<T>("getrf", triangle(factors, false, true) * triangle(factors, true, false), exchanged, 4);
    for (auto op : {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C}) {
      Device<T> x(b), y(b);
      getrs<T>(op, n, 3, da.get(), da.ld, pivots.get(), x.get(), x.ld, w.memory.get(), w.size, w.info.get());
      Dngetrs<T>(op, n, 3, da.get(), da.ld, pivots.get(), y.get(), y.ld, w.info.get());
      Matrix turned = op == HIPBLAS_OP_N ? a : op == HIPBLAS_OP_T ? transpose(a) : adjoint(a);
      near<T>("getrs", turned * x.host(), b, 20);
      near<T>("Dngetrs", turned * y.host(), b, 20);
    }
    // Without pivots, where the diagonal is large.
    Matrix dominant = a;
    for (int i = 0; i < n; i++) dominant(i, i) += 2.0 * n + 5;
    Device<T> dd(dominant);
    Dngetrf<T>(n, n, dd.get(), dd.ld, w.memory.get(), static_cast<int*>(nullptr), w.info.get());
    factors = dd.host();
    near<T>("getrf without pivots", triangle(factors, false, true) * triangle(factors, true, false), dominant, n);
    Device<T> ga(a), gb(b), gx(n, 3);
    int iterations = -9;
    gesv<T>(n, 3, ga.get(), ga.ld, pivots.get(), gb.get(), gb.ld, gx.get(), gx.ld, static_cast<void*>(w.memory.get()), size_t(4096), &iterations, w.info.get());
    near<T>("gesv", a * gx.host(), b, 20);
    for (auto fill : FILLS) {
      bool upper = fill == HIPBLAS_FILL_MODE_UPPER;
      Matrix p = positive<T>(n);
      Matrix stored = triangle(p, upper, false);  // the rest is not read
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
          if (upper ? i > j : i < j) stored(i, j) = NAN;
      Device<T> dp(stored), x(b);
      potrf<T>(fill, n, dp.get(), dp.ld, w.memory.get(), w.size, w.info.get());
      w.fine("potrf");
      Matrix l = triangle(dp.host(), upper, false);
      near<T>("potrf", upper ? adjoint(l) * l : l * adjoint(l), p, 2 * n);
      potrs<T>(fill, n, 3, dp.get(), dp.ld, x.get(), x.ld, w.memory.get(), w.size, w.info.get());
      near<T>("potrs", p * x.host(), b, 50);
      potri<T>(fill, n, dp.get(), dp.ld, w.memory.get(), w.size, w.info.get());
      near<T>("potri", p * mirrored(dp.host(), upper), identity(n), 50 + n);
      Matrix bad = p;
      bad(n - 1, n - 1) = -1;
      Device<T> db(bad);
      potrf<T>(fill, n, db.get(), db.ld, w.memory.get(), w.size, w.info.get());
      w.same("potrf of no positive matrix", n);
    }
  }
  // The second column is twice the first.
  Matrix s(3, 3);
  for (int i = 0; i < 3; i++) s(i, 0) = i + 1, s(i, 1) = 2 * (i + 1), s(i, 2) = i * i;
  Device<T> ds(s);
  Buffer<int> pivots(3);
  getrf<T>(3, 3, ds.get(), ds.ld, w.memory.get(), w.size, pivots.get(), w.info.get());
  w.same("getrf of a singular matrix", 2);
  // A batch by pointers.
  const int n = 6;
  Matrix p = positive<T>(n), q = positive<T>(n), b = random<T>(n, 2);
  Device<T> dp(p), dq(q), b1(b), b2(b);
  Buffer<T*> as(vector<T*>{dp.get(), dq.get()}), bs(vector<T*>{b1.get(), b2.get()});
  potrfBatched<T>(FILLS[1], n, as.get(), dp.ld, w.memory.get(), w.size, w.info.get(), 2);
  potrsBatched<T>(FILLS[1], n, 2, as.get(), dp.ld, bs.get(), b1.ld, w.memory.get(), w.size, w.info.get(), 2);
  near<T>("potrsBatched", p * b1.host(), b, 50);
  near<T>("potrsBatched", q * b2.host(), b, 50);
}

template <class T>
void orthogonal() {
  Work<T> w;
  int shapes[][2] = {{5, 5}, {60, 22}, {9, 14}};
  for (auto& shape : shapes) {
    int m = shape[0], n = shape[1];
    int k = std::min(m, n);
    Matrix a = random<T>(m, n);
    Device<T> da(a);
    Buffer<T> tau(k);
    geqrf<T>(m, n, da.get(), da.ld, tau.get(), w.memory.get(), w.size, w.info.get());
    w.fine("geqrf");
    Matrix factors = da.host(), r = part(triangle(factors, true, false), k, n);
    Device<T> dq(part(factors, m, k));
    orgqr<T>(m, k, k, dq.get(), dq.ld, tau.get(), w.memory.get(), w.size, w.info.get());
    Matrix q = dq.host();
    near<T>("geqrf", q * r, a, 4);
    near<T>("orgqr", adjoint(q) * q, identity(k));
    // All of q, to compare products with.
    Matrix wide(m, m);
    for (int j = 0; j < k; j++)
      for (int i = 0; i < m; i++) wide(i, j) = factors(i, j);
    Device<T> full(wide);
    orgqr<T>(m, m, k, full.get(), full.ld, tau.get(), w.memory.get(), w.size, w.info.get());
    q = full.host();
    Matrix c = random<T>(m, 4), d = random<T>(4, m);
    auto turn = complex<T> ? HIPBLAS_OP_C : HIPBLAS_OP_T;
    for (bool turned : {false, true}) {
      Device<T> left(c), right(d);
      auto op = turned ? turn : HIPBLAS_OP_N;
      ormqr<T>(HIPBLAS_SIDE_LEFT, op, m, 4, k, da.get(), da.ld, tau.get(), left.get(), left.ld, w.memory.get(), w.size, w.info.get());
      ormqr<T>(HIPBLAS_SIDE_RIGHT, op, 4, m, k, da.get(), da.ld, tau.get(), right.get(), right.ld, w.memory.get(), w.size, w.info.get());
      Matrix o = turned ? adjoint(q) : q;
      near<T>("ormqr", left.host(), o * c, 2);
      near<T>("ormqr from the right", right.host(), d * o, 2);
    }
    Device<T> bi(a);
    Buffer<RealOf<T>> main(k), off(k);
    Buffer<T> tauQ(k), tauP(k);
    gebrd<T>(m, n, bi.get(), bi.ld, main.get(), off.get(), tauQ.get(), tauP.get(), w.memory.get(), w.size, w.info.get());
    factors = bi.host();
    Device<T> bq(part(factors, m, k)), bp(part(factors, k, n));
    orgbr<T>(HIPBLAS_SIDE_LEFT, m, k, n, bq.get(), bq.ld, tauQ.get(), w.memory.get(), w.size, w.info.get());
    orgbr<T>(HIPBLAS_SIDE_RIGHT, k, n, m, bp.get(), bp.ld, tauP.get(), w.memory.get(), w.size, w.info.get());
    Matrix bidiagonal = diagonal(doubles(main, k)), bq1 = bq.host(), bp1 = bp.host();
    auto beside = doubles(off, k);
    for (int i = 0; i + 1 < k; i++) (m >= n ? bidiagonal(i, i + 1) : bidiagonal(i + 1, i)) = beside[i];
    near<T>("orgbr", adjoint(bq1) * bq1, identity(k));
    near<T>("orgbr from the right", bp1 * adjoint(bp1), identity(k));
    near<T>("gebrd", bq1 * bidiagonal * bp1, a, 10);

    Matrix b = random<T>(m, 2);
    Device<T> la(a), lb(b), lx(n, 2);
    int iterations;
    gels<T>(m, n, 2, la.get(), la.ld, lb.get(), lb.ld, lx.get(), lx.ld, static_cast<void*>(w.memory.get()), size_t(4096), &iterations, w.info.get());
    // What is left is orthogonal to the columns; where there is a choice, x is a sum of rows.
    Matrix x = lx.host(), left = a * x;
    for (size_t i = 0; i < left.all.size(); i++) left.all[i] -= b.all[i];
    near<T>("gels", adjoint(a) * left, Matrix(n, 2), 100);
    if (m < n) near<T>("gels of few rows", left, Matrix(m, 2), 20);
  }
}

template <class T>
void eigenvalues() {
  Work<T> w;
  for (int n : {1, 2, 30, 65}) {
    Matrix a = mirrored(random<T>(n, n), true), b = positive<T>(n);
    double size = 4 * std::sqrt(n);
    for (auto fill : FILLS) {
      bool upper = fill == HIPBLAS_FILL_MODE_UPPER;
      Device<T> t(a), c(a);
      Buffer<RealOf<T>> d(n), e(n);
      Buffer<T> tau(n);
      sytrd<T>(fill, n, t.get(), t.ld, d.get(), e.get(), tau.get(), w.memory.get(), w.size, w.info.get());
      Matrix tri = diagonal(doubles(d, n));
      auto off = e.host();
      for (int i = 0; i + 1 < n; i++) tri(i, i + 1) = tri(i + 1, i) = off[i];
      Device<T> dq(t.host());
      orgtr<T>(fill, n, dq.get(), dq.ld, tau.get(), w.memory.get(), w.size, w.info.get());
      Matrix q = dq.host();
      near<T>("orgtr", adjoint(q) * q, identity(n));
      near<T>("sytrd", q * tri * adjoint(q), a, size);
      auto turn = complex<T> ? HIPBLAS_OP_C : HIPBLAS_OP_T;
      ormtr<T>(HIPBLAS_SIDE_LEFT, fill, turn, n, n, t.get(), t.ld, tau.get(), c.get(), c.ld, w.memory.get(), w.size, w.info.get());
      near<T>("ormtr", c.host(), adjoint(q) * a, size);
      ormtr<T>(HIPBLAS_SIDE_RIGHT, fill, HIPBLAS_OP_N, n, n, t.get(), t.ld, tau.get(), c.get(), c.ld, w.memory.get(), w.size, w.info.get());
      near<T>("ormtr from the right", c.host(), tri, size);

      Matrix stored = triangle(a, upper, false);
      hipsolverSyevjInfo_t params;
      SOLVER(hipsolverCreateSyevjInfo(&params));
      Buffer<RealOf<T>> values(n), others(n);
      for (bool jacobi : {false, true}) {
        Device<T> v(stored);
        if (jacobi) syevj<T>(HIPSOLVER_EIG_MODE_VECTOR, fill, n, v.get(), v.ld, values.get(), w.memory.get(), w.size, w.info.get(), params);
        else syevd<T>(HIPSOLVER_EIG_MODE_VECTOR, fill, n, v.get(), v.ld, values.get(), w.memory.get(), w.size, w.info.get());
        w.fine("syev");
        auto found = doubles(values, n);
        Matrix x = v.host();
        near<T>(jacobi ? "syevj" : "syevd", a * x, x * diagonal(found), size);
        near<T>("syev's vectors", adjoint(x) * x, identity(n));
        check.that("order of eigenvalues", std::is_sorted(found.begin(), found.end()));
        Device<T> none(stored);
        syevd<T>(HIPSOLVER_EIG_MODE_NOVECTOR, fill, n, none.get(), none.ld, others.get(), w.memory.get(), w.size, w.info.get());
        near<T>("eigenvalues alone", diagonal(doubles(others, n)), diagonal(found), size);
      }
      if (n > 1) {
        int sweeps = 0;
        SOLVER(hipsolverXsyevjGetSweeps(handle, params, &sweeps));
        check.that("sweeps", sweeps > 0 && sweeps < 20);
        Device<T> few(stored);
        int count = 0;
        auto all = doubles(others, n);
        syevdx<T>(HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_RANGE_I, fill, n, few.get(), few.ld, RealOf<T>(0), RealOf<T>(0), 2, n, &count, values.get(), w.memory.get(), w.size, w.info.get());
        check.that("syevdx", count == n - 1);
        Matrix x = part(few.host(), n, count);
        near<T>("syevdx", a * x, x * diagonal(vector<double>(all.begin() + 1, all.end())), size);
      }
      SOLVER(hipsolverDestroySyevjInfo(params));

      for (auto kind : {HIPSOLVER_EIG_TYPE_1, HIPSOLVER_EIG_TYPE_2, HIPSOLVER_EIG_TYPE_3}) {
        Device<T> va(stored), vb(triangle(b, upper, false));
        sygvd<T>(kind, HIPSOLVER_EIG_MODE_VECTOR, fill, n, va.get(), va.ld, vb.get(), vb.ld, values.get(), w.memory.get(), w.size, w.info.get());
        w.fine("sygvd");
        Matrix x = va.host(), l = diagonal(doubles(values, n));
        Matrix left = kind == HIPSOLVER_EIG_TYPE_1 ? a * x : kind == HIPSOLVER_EIG_TYPE_2 ? a * (b * x) : b * (a * x);
        Matrix right = kind == HIPSOLVER_EIG_TYPE_1 ? b * x * l : x * l;
        near<T>("sygvd", left, right, kind == HIPSOLVER_EIG_TYPE_1 ? 40 * size : 40.0 * n * n);
      }
    }
  }
}

template <class T>
void singularValues() {
  Work<T> w;
  int shapes[][2] = {{1, 1}, {8, 8}, {40, 17}, {12, 30}};
  for (auto& shape : shapes) {
    int m = shape[0], n = shape[1];
    for (bool deficient : {false, true}) {
      int k = std::min(m, n);
      Matrix a = deficient ? random<T>(m, (k + 1) / 2) * random<T>((k + 1) / 2, n) : random<T>(m, n);
      a = Device<T>(a).host();
      double size = 10 * std::sqrt(m + n);
      Buffer<RealOf<T>> values(k), real(4096);
      auto verify = [&](const string& what, const Matrix& u, const Matrix& v) {
        near<T>(what + " u", adjoint(u) * u, identity(u.columns));
        near<T>(what + " v", adjoint(v) * v, identity(v.columns));
        near<T>(what, part(u, m, k) * diagonal(doubles(values, k)) * adjoint(part(v, n, k)), a, size);
        auto s = doubles(values, k);
        check.that("order of singular values", std::is_sorted(s.rbegin(), s.rend()) && s.back() >= 0);
      };
      for (char job : {'A', 'S'}) {
        Device<T> da(a), u(m, job == 'A' ? m : k), vt(job == 'A' ? n : k, n);
        gesvd<T>(job, job, m, n, da.get(), da.ld, values.get(), u.get(), u.ld, vt.get(), vt.ld, w.memory.get(), w.size, real.get(), w.info.get());
        w.fine("gesvd");
        verify("gesvd", u.host(), adjoint(vt.host()));
      }
      hipsolverGesvdjInfo_t params;
      SOLVER(hipsolverCreateGesvdjInfo(&params));
      for (int few : {0, 1}) {
        Device<T> da(a), u(m, few ? k : m), v(n, few ? k : n);
        gesvdj<T>(HIPSOLVER_EIG_MODE_VECTOR, few, m, n, da.get(), da.ld, values.get(), u.get(), u.ld, v.get(), v.ld, w.memory.get(), w.size, w.info.get(), params);
        w.fine("gesvdj");
        verify("gesvdj", u.host(), v.host());
      }
      SOLVER(hipsolverDestroyGesvdjInfo(params));
      Device<T> da(a), u(m, k), v(n, k);
      double left = -1;
      DngesvdaStridedBatched<T>(HIPSOLVER_EIG_MODE_VECTOR, k, m, n, da.get(), da.ld, 0LL, values.get(), 0LL, u.get(), u.ld, 0LL, v.get(), v.ld, 0LL, w.memory.get(), w.size, w.info.get(), &left, 1);
      verify("gesvda", u.host(), v.host());
      check.that("gesvda's residual", left == 0);
    }
  }
}

void generic() {
  const int n = 20;
  Matrix a = random<double>(n, n), b = random<double>(n, 2);
  for (int i = 0; i < n; i++) a(i, (i + 1) % n) += 5;
  Device<double> da(a), x(b);
  hipsolverDnParams_t params;
  SOLVER(hipsolverDnCreateParams(&params));
  size_t device = 0, host = 0;
  SOLVER(hipsolverDnXgetrf_bufferSize(handle, params, n, n, HIP_R_64F, da.get(), da.ld, HIP_R_64F, &device, &host));
  Buffer<char> work(device);
  vector<char> own(host);
  Buffer<int64_t> pivots(n);
  Buffer<int> info(1);
  SOLVER(hipsolverDnXgetrf(handle, params, n, n, HIP_R_64F, da.get(), da.ld, pivots.get(), HIP_R_64F, work.get(), device, own.data(), host, info.get()));
  SOLVER(hipsolverDnXgetrs(handle, params, HIPBLAS_OP_T, n, 2, HIP_R_64F, da.get(), da.ld, pivots.get(), HIP_R_64F, x.get(), x.ld, info.get()));
  near<double>("Xgetrs", transpose(a) * x.host(), b, 20);
  SOLVER(hipsolverDnDestroyParams(params));
}

__global__ void slowly(double* a, int ld, int n, double value) {
  double sum = 0;
  for (int i = 0; i < 20000; i++) sum += double(i % 2) * 1e-300;
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) a[i % n + i / n * ld] = (i % n == i / n ? value : 0) + sum;
}

void order() {
  const int n = 16;
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  SOLVER(hipsolverSetStream(handle, stream));
  Device<double> a(n, n);
  Work<double> w;
  slowly<<<1, 64, 0, stream>>>(a.get(), a.ld, n, 16);
  potrf<double>(FILLS[1], n, a.get(), a.ld, w.memory.get(), w.size, w.info.get());
  HIP(hipStreamSynchronize(stream));
  near<double>("factor of what a kernel wrote", triangle(a.host(), false, false), diagonal(vector<double>(n, 4)));
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  slowly<<<1, 64, 0, stream>>>(a.get(), a.ld, n, 81);
  potrf<double>(FILLS[1], n, a.get(), a.ld, w.memory.get(), w.size, w.info.get());
  potrf<double>(FILLS[1], n, a.get(), a.ld, w.memory.get(), w.size, w.info.get());
  HIP(hipStreamEndCapture(stream, &graph));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 2; i++) HIP(hipGraphLaunch(exec, stream));
  HIP(hipStreamSynchronize(stream));
  near<double>("factors in a graph", triangle(a.host(), false, false), diagonal(vector<double>(n, 3)));
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));
  SOLVER(hipsolverSetStream(handle, nullptr));
  HIP(hipStreamDestroy(stream));
}

void wrong() {
  Device<float> a(4, 4);
  Work<float> w;
  auto status = [&](const char* what, hipsolverStatus_t got, hipsolverStatus_t want) { check.that(what, got == want); };
  status("no handle", hipsolverSpotrf(nullptr, FILLS[0], 4, a.get(), 4, w.memory.get(), 1, w.info.get()), HIPSOLVER_STATUS_NOT_INITIALIZED);
  status("leading dimension", hipsolverSpotrf(handle, FILLS[0], 4, a.get(), 3, w.memory.get(), 1, w.info.get()), HIPSOLVER_STATUS_INVALID_VALUE);
  status("negative size", hipsolverSpotrf(handle, FILLS[0], -4, a.get(), 4, w.memory.get(), 1, w.info.get()), HIPSOLVER_STATUS_INVALID_VALUE);
  status("no matrix", hipsolverSpotrf(handle, FILLS[0], 4, nullptr, 4, w.memory.get(), 1, w.info.get()), HIPSOLVER_STATUS_INVALID_VALUE);
  status("no such triangle", hipsolverSpotrf(handle, hipblasFillMode_t(7), 4, a.get(), 4, w.memory.get(), 1, w.info.get()), HIPSOLVER_STATUS_INVALID_ENUM);
}

template <class T>
void all() {
  systems<T>();
  orthogonal<T>();
  eigenvalues<T>();
  singularValues<T>();
}

int main() {
  SOLVER(hipsolverCreate(&handle));
  all<float>();
  all<double>();
  all<std::complex<float>>();
  all<std::complex<double>>();
  generic();
  order();
  wrong();
  SOLVER(hipsolverDestroy(handle));
  return check.end();
}
