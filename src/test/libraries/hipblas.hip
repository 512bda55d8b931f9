// hipBLAS against the sums that define it: shapes, leading dimensions, options, batches, streams, graphs
#include <hip/hip_bf16.h>
#include <hipblas/hipblas.h>

#include <complex>
#include <functional>
#include <limits>
#include <string>

#include "../kernels/check.h"

using C = std::complex<double>;
using std::string;
using std::vector;

Check check;
hipblasHandle_t handle;

#define BLAS(call) blas((call), __LINE__)

void blas(hipblasStatus_t status, int line) {
  if (status == HIPBLAS_STATUS_SUCCESS) return;
  printf("FAIL line %d: %s\n", line, hipblasStatusToString(status));
  exit(1);
}

// One overload for the four types; arguments of complex types become the library's.
template <class A>
auto as(A a) {
  return a;
}
inline auto as(std::complex<float>* a) { return reinterpret_cast<hipblasComplex*>(a); }
inline auto as(const std::complex<float>* a) { return reinterpret_cast<const hipblasComplex*>(a); }
inline auto as(std::complex<double>* a) { return reinterpret_cast<hipblasDoubleComplex*>(a); }
inline auto as(const std::complex<double>* a) { return reinterpret_cast<const hipblasDoubleComplex*>(a); }
inline auto as(std::complex<float>* const* a) { return reinterpret_cast<hipblasComplex* const*>(a); }
inline auto as(std::complex<double>* const* a) { return reinterpret_cast<hipblasDoubleComplex* const*>(a); }

inline auto as(std::complex<float>** a) { return reinterpret_cast<hipblasComplex**>(a); }
inline auto as(std::complex<double>** a) { return reinterpret_cast<hipblasDoubleComplex**>(a); }

#define FOUR(name, s, d, c, z)                              \
  template <class T, class... A>                            \
  hipblasStatus_t name(A... a) {                            \
    if constexpr (std::is_same_v<T, float>) return hipblas##s(handle, as(a)...);  \
    else if constexpr (std::is_same_v<T, double>) return hipblas##d(handle, as(a)...); \
    else if constexpr (std::is_same_v<T, std::complex<float>>) return hipblas##c(handle, as(a)...); \
    else return hipblas##z(handle, as(a)...);               \
  }
#define SAME(name) FOUR(name, S##name, D##name, C##name, Z##name)
#define PAIR(real, complex) FOUR(complex, S##real, D##real, C##complex, Z##complex)

SAME(axpy) SAME(scal) SAME(swap) SAME(copy)
FOUR(asum, Sasum, Dasum, Scasum, Dzasum)
FOUR(nrm2, Snrm2, Dnrm2, Scnrm2, Dznrm2)
FOUR(amax, Isamax, Idamax, Icamax, Izamax)
FOUR(amin, Isamin, Idamin, Icamin, Izamin)
PAIR(dot, dotc) PAIR(dot, dotu)
SAME(gemv) SAME(gbmv) SAME(symv) PAIR(symv, hemv) PAIR(sbmv, hbmv) PAIR(spmv, hpmv)
SAME(trmv) SAME(tbmv) SAME(tpmv) SAME(trsv) SAME(tbsv) SAME(tpsv)
PAIR(ger, geru) PAIR(ger, gerc) SAME(syr) PAIR(syr, her) SAME(spr) PAIR(spr, hpr) PAIR(syr2, her2) PAIR(spr2, hpr2)
SAME(gemm) SAME(symm) PAIR(symm, hemm) SAME(syrk) PAIR(syrk, herk) SAME(syr2k) PAIR(syr2k, her2k)
SAME(syrkx) PAIR(syrkx, herkx) SAME(trmm) SAME(trsm) SAME(trtri) SAME(geam) SAME(dgmm)
SAME(gemmBatched) SAME(gemmStridedBatched) SAME(trsmBatched)
SAME(getrfBatched) SAME(getriBatched) SAME(getrsBatched) SAME(geqrf)
SAME(gemm_64)

template <class T>
constexpr bool complex = !std::is_floating_point_v<T>;
template <class T>
using RealOf = decltype(std::real(T()));
template <class T>
const string type = string(complex<T> ? (sizeof(T) == 8 ? "c" : "z") : sizeof(T) == 4 ? "s" : "d");

uint32_t seed = 1;
double noise() { return 2.0 * unit(seed++) - 1; }
template <class T>
T number() {
  if constexpr (complex<T>) {
    double re = noise();
    return T(re, noise());
  } else {
    return T(noise());
  }
}
template <class T>
vector<T> numbers(size_t n) {
  vector<T> v(n);
  for (T& x : v) x = number<T>();
  return v;
}

// What the device holds must be near what is wanted, everywhere.
template <class T>
void expect(const string& what, const vector<T>& got, const vector<C>& want, double scale = 1) {
  double limit = scale * std::numeric_limits<RealOf<T>>::epsilon() * 64;
  for (size_t i = 0; i < got.size(); i++) {
    double error = std::abs(C(got[i]) - want[i]);
    if (!(error <= limit)) {
      printf("%s%s[%zu]: (%g, %g), not (%g, %g)\n", type<T>.c_str(), what.c_str(), i, C(got[i]).real(),
             C(got[i]).imag(), want[i].real(), want[i].imag());
      check.that(what.c_str(), false);
      return;
    }
  }
}

template <class T>
vector<C> wide(const vector<T>& v) {
  return vector<C>(v.begin(), v.end());
}

template <class T>
vector<T> back(const vector<C>& v) {
  vector<T> narrowed;
  for (C x : v) {
    if constexpr (complex<T>) narrowed.push_back(T(x));
    else narrowed.push_back(T(x.real()));
  }
  return narrowed;
}

using Matrix = std::function<C(int, int)>;

constexpr hipblasOperation_t OPS[] = {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C};
constexpr hipblasFillMode_t FILLS[] = {HIPBLAS_FILL_MODE_UPPER, HIPBLAS_FILL_MODE_LOWER};
constexpr hipblasDiagType_t DIAGONALS[] = {HIPBLAS_DIAG_UNIT, HIPBLAS_DIAG_NON_UNIT};
constexpr hipblasSideMode_t SIDES[] = {HIPBLAS_SIDE_LEFT, HIPBLAS_SIDE_RIGHT};

Matrix op(hipblasOperation_t turn, Matrix a) {
  if (turn == HIPBLAS_OP_N) return a;
  if (turn == HIPBLAS_OP_T) return [=](int i, int j) { return a(j, i); };
  return [=](int i, int j) { return std::conj(a(j, i)); };
}

Matrix full(const vector<C>& v, int ld) {
  return [=](int i, int j) { return v[i + j * ld]; };
}

Matrix mirrored(Matrix a, bool upper, bool hermitian) {
  return [=](int i, int j) {
    if (i == j) return hermitian ? C(a(i, j).real()) : a(i, j);
    bool kept = upper ? i < j : i > j;
    return kept ? a(i, j) : hermitian ? std::conj(a(j, i)) : a(j, i);
  };
}

Matrix triangle(Matrix a, bool upper, bool unit) {
  return [=](int i, int j) {
    if (i == j) return unit ? C(1) : a(i, j);
    return (upper ? i < j : i > j) ? a(i, j) : C(0);
  };
}

C product(const Matrix& a, const Matrix& b, int i, int j, int k) {
  C sum = 0;
  for (int p = 0; p < k; p++) sum += a(i, p) * b(p, j);
  return sum;
}

int position(int i, int n, int inc) { return inc > 0 ? i * inc : (n - 1 - i) * -inc; }

vector<C> taken(const vector<C>& v, int n, int inc) {
  vector<C> x(n);
  for (int i = 0; i < n; i++) x[i] = v[position(i, n, inc)];
  return x;
}

void put(vector<C>& v, const vector<C>& x, int inc) {
  for (size_t i = 0; i < x.size(); i++) v[position(i, x.size(), inc)] = x[i];
}

template <class T>
struct Data {
  vector<T> host;
  Buffer<T> device;
  explicit Data(size_t n) : Data(numbers<T>(n)) {}
  explicit Data(vector<T> values) : host(values), device(values) {}
  T* get() { return device.get(); }
  vector<C> w() { return wide(host); }
};

template <class T>
void level1() {
  for (int inc : {1, 3, -2}) {
    int n = 37;
    Data<T> x(n * 3), y(n * 3);
    auto xs = taken(x.w(), n, inc), ys = taken(y.w(), n, -inc);
    T alpha = number<T>();
    BLAS(axpy<T>(n, &alpha, x.get(), inc, y.get(), -inc));
    for (int i = 0; i < n; i++) ys[i] += C(alpha) * xs[i];
    auto want = y.w();
    put(want, ys, -inc);
    expect("axpy", y.device.host(), want);
    ys = taken(wide(y.device.host()), n, -inc);
    T result[2];
    BLAS(dotc<T>(n, x.get(), inc, y.get(), -inc, &result[0]));
    BLAS(dotu<T>(n, x.get(), inc, y.get(), -inc, &result[1]));
    C sums[2] = {};
    for (int i = 0; i < n; i++) {
      sums[0] += std::conj(xs[i]) * ys[i];
      sums[1] += xs[i] * ys[i];
    }
    expect<T>("dot", {result[0], result[1]}, {sums[0], sums[1]}, 10);
    if (inc < 0) continue;
    RealOf<T> size, norm;
    int most = 0, least = 0;
    BLAS(asum<T>(n, x.get(), inc, &size));
    BLAS(nrm2<T>(n, x.get(), inc, &norm));
    BLAS(amax<T>(n, x.get(), inc, &most));
    BLAS(amin<T>(n, x.get(), inc, &least));
    double wantSize = 0, wantNorm = 0;
    int best = 0, worst = 0;
    auto one = [&](int i) { return std::fabs(xs[i].real()) + std::fabs(xs[i].imag()); };
    for (int i = 0; i < n; i++) {
      wantSize += one(i);
      wantNorm += std::norm(xs[i]);
      if (one(i) > one(best)) best = i;
      if (one(i) < one(worst)) worst = i;
    }
    expect<RealOf<T>>("asum", {size}, {wantSize}, 10);
    expect<RealOf<T>>("nrm2", {norm}, {std::sqrt(wantNorm)}, 10);
    check.that("amax", most == best + 1 && least == worst + 1);
    BLAS(scal<T>(n, &alpha, x.get(), inc));
    want = x.w();
    for (C& v : xs) v *= C(alpha);
    put(want, xs, inc);
    expect("scal", x.device.host(), want);
    auto before = wide(x.device.host());
    BLAS(swap<T>(n, x.get(), inc, y.get(), -inc));
    expect("swap", y.device.host(), [&] { auto w = wide(y.device.host()); put(w, xs, -inc); return w; }());
    BLAS(swap<T>(n, y.get(), -inc, x.get(), inc));
    BLAS(copy<T>(n, y.get(), -inc, x.get(), inc));
    put(before, ys, inc);
    expect("copy", x.device.host(), before);
  }
  // Neither overflow nor underflow where the norm has neither.
  RealOf<T> huge = std::numeric_limits<RealOf<T>>::max() / 4, norm = 0;
  Data<T> big(vector<T>{T(huge), T(huge)});
  BLAS(nrm2<T>(2, big.get(), 1, &norm));
  check.that("nrm2 of large numbers", std::fabs(norm / huge - std::sqrt(2.0)) < 1e-6);
  int none = 7;
  BLAS(amax<T>(0, big.get(), 1, &none));
  check.that("amax of nothing", none == 0);
}

/** y = alpha a x + beta y for any of the functions: `run` calls it. */
template <class T, class Run>
void timesVector(const char* what, int rows, int columns, Matrix a, Run run) {
  for (int inc : {1, -2}) {
    for (T beta : {T(0), T(RealOf<T>(0.5))}) {
      T alpha = number<T>();
      Data<T> x(columns * 2), y(rows * 2);
      vector<T> start = y.host;
      if (beta == T(0)) start.assign(start.size(), T(NAN));
      Buffer<T> to(start);
      BLAS(run(&alpha, x.get(), -inc, &beta, to.get(), inc));
      auto xs = taken(x.w(), columns, -inc);
      auto want = wide(start);
      auto got = to.host();
      vector<C> ys(rows), seen(rows);
      for (int i = 0; i < rows; i++) {
        C sum = 0;
        for (int j = 0; j < columns; j++) sum += a(i, j) * xs[j];
        ys[i] = C(alpha) * sum + (beta == T(0) ? C(0) : C(beta) * want[position(i, rows, inc)]);
        seen[i] = got[position(i, rows, inc)];
      }
      expect(what, back<T>(seen), ys, 10);
    }
  }
}

Matrix banded(const vector<C>& v, int ld, int below, int above) {
  return [=](int i, int j) { return i - j <= below && j - i <= above ? v[above + i - j + j * ld] : C(0); };
}

Matrix packed(const vector<C>& v, int n, bool upper) {
  return [=](int i, int j) {
    int skipped = 0;
    for (int c = 0; c < j; c++) skipped += upper ? c + 1 : n - c;
    return v[skipped + (upper ? i : i - j)];
  };
}

template <class T>
void level2() {
  int m = 19, n = 13, ld = 21;
  Data<T> a(ld * 21);
  for (auto turn : OPS) {
    bool turned = turn != HIPBLAS_OP_N;
    timesVector<T>("gemv", turned ? n : m, turned ? m : n, op(turn, full(a.w(), ld)),
                   [&](T* al, T* x, int ix, T* be, T* y, int iy) { return gemv<T>(turn, m, n, al, a.get(), ld, x, ix, be, y, iy); });
    timesVector<T>("gbmv", turned ? n : m, turned ? m : n, op(turn, banded(a.w(), ld, 3, 5)),
                   [&](T* al, T* x, int ix, T* be, T* y, int iy) { return gbmv<T>(turn, m, n, 3, 5, al, a.get(), ld, x, ix, be, y, iy); });
  }
  for (auto fill : FILLS) {
    bool upper = fill == HIPBLAS_FILL_MODE_UPPER;
    auto band = [&](int k) { return banded(a.w(), ld, upper ? 0 : k, upper ? k : 0); };
    timesVector<T>("hemv", n, n, mirrored(full(a.w(), ld), upper, true),
                   [&](T* al, T* x, int ix, T* be, T* y, int iy) { return hemv<T>(fill, n, al, a.get(), ld, x, ix, be, y, iy); });
    timesVector<T>("symv", n, n, mirrored(full(a.w(), ld), upper, false),
                   [&](T* al, T* x, int ix, T* be, T* y, int iy) { return symv<T>(fill, n, al, a.get(), ld, x, ix, be, y, iy); });
    timesVector<T>("hbmv", n, n, mirrored(band(4), upper, true),
                   [&](T* al, T* x, int ix, T* be, T* y, int iy) { return hbmv<T>(fill, n, 4, al, a.get(), ld, x, ix, be, y, iy); });
    timesVector<T>("hpmv", n, n, mirrored(packed(a.w(), n, upper), upper, true),
                   [&](T* al, T* x, int ix, T* be, T* y, int iy) { return hpmv<T>(fill, n, al, a.get(), x, ix, be, y, iy); });
    for (auto turn : OPS) {
      for (auto diagonal : DIAGONALS) {
        bool unit = diagonal == HIPBLAS_DIAG_UNIT;
        // Diagonally dominant, so that the solves are well conditioned.
        vector<T> dominant = a.host;
        for (int i = 0; i < n; i++) dominant[i + i * ld] += T(RealOf<T>(8));
        vector<T> b = dominant, p = numbers<T>(n * n);
        for (int j = 0; j < n; j++) b[(upper ? 4 : 0) + j * ld] = T(RealOf<T>(9));
        for (T& v : p) v = v * T(RealOf<T>(0.25));
        int at = 0;
        for (int j = 0; j < n; j++) {
          p[upper ? at + j : at] += T(RealOf<T>(5));
          at += upper ? j + 1 : n - j;
        }
        Data<T> d(dominant), db(b), dp(p);
        struct Case {
          const char* name;
          Matrix matrix;
          std::function<hipblasStatus_t(T*, int)> times, solve;
        };
        auto bw = banded(wide(b), ld, upper ? 0 : 4, upper ? 4 : 0);
        Case cases[] = {
            {"tr", full(wide(dominant), ld), [&](T* x, int i) { return trmv<T>(fill, turn, diagonal, n, d.get(), ld, x, i); },
             [&](T* x, int i) { return trsv<T>(fill, turn, diagonal, n, d.get(), ld, x, i); }},
            {"tb", bw, [&](T* x, int i) { return tbmv<T>(fill, turn, diagonal, n, 4, db.get(), ld, x, i); },
             [&](T* x, int i) { return tbsv<T>(fill, turn, diagonal, n, 4, db.get(), ld, x, i); }},
            {"tp", packed(wide(p), n, upper), [&](T* x, int i) { return tpmv<T>(fill, turn, diagonal, n, dp.get(), x, i); },
             [&](T* x, int i) { return tpsv<T>(fill, turn, diagonal, n, dp.get(), x, i); }},
        };
        for (Case& one : cases) {
          Matrix t = op(turn, triangle(one.matrix, upper, unit));
          for (int inc : {1, -2}) {
            Data<T> x(n * 2);
            BLAS(one.times(x.get(), inc));
            auto xs = taken(x.w(), n, inc);
            vector<C> ys(n);
            for (int i = 0; i < n; i++)
              for (int j = 0; j < n; j++) ys[i] += t(i, j) * xs[j];
            auto want = x.w();
            put(want, ys, inc);
            expect(one.name + string("mv"), x.device.host(), want, 50);
            BLAS(one.solve(x.get(), inc));
            // Unit triangles of random numbers are not well conditioned.
            expect(one.name + string("sv"), x.device.host(), x.w(), unit ? 1e5 : 50);
          }
        }
      }
    }
    T alpha = number<T>();
    RealOf<T> real = RealOf<T>(0.7);
    Data<T> x(n * 2), y(n * 2);
    auto xs = taken(x.w(), n, -2), ys = taken(y.w(), n, 1);
    struct Update {
      const char* name;
      bool hermitian, two, packs;
      std::function<hipblasStatus_t(T*)> run;
    };
    Update updates[] = {
        {"syr", false, false, false, [&](T* c) { return syr<T>(fill, n, &alpha, x.get(), -2, c, ld); }},
        {"spr", false, false, true, [&](T* c) { return spr<T>(fill, n, &alpha, x.get(), -2, c); }},
        {"her", true, false, false, [&](T* c) { return her<T>(fill, n, &real, x.get(), -2, c, ld); }},
        {"hpr", true, false, true, [&](T* c) { return hpr<T>(fill, n, &real, x.get(), -2, c); }},
        {"her2", true, true, false, [&](T* c) { return her2<T>(fill, n, &alpha, x.get(), -2, y.get(), 1, c, ld); }},
        {"hpr2", true, true, true, [&](T* c) { return hpr2<T>(fill, n, &alpha, x.get(), -2, y.get(), 1, c); }},
    };
    for (Update& one : updates) {
      Data<T> c(ld * n);
      BLAS(one.run(c.get()));
      auto want = c.w();
      int at = 0;
      for (int j = 0; j < n; j++) {
        for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) {
          C& to = want[one.packs ? at++ : i + j * ld];
          auto f = [&](C v) { return one.hermitian ? std::conj(v) : v; };
          C scale = one.hermitian && !one.two ? C(real) : C(alpha);
          to += one.two ? scale * xs[i] * f(ys[j]) + f(scale) * ys[i] * f(xs[j]) : scale * xs[i] * f(xs[j]);
          if (one.hermitian && i == j) to = to.real();
        }
      }
      expect(one.name, c.device.host(), want, 10);
    }
  }
  Data<T> x(m), y(n * 2), c(ld * n);
  T alpha = number<T>();
  for (bool conjugated : {false, true}) {
    Buffer<T> to(c.host);
    BLAS(conjugated ? gerc<T>(m, n, &alpha, x.get(), 1, y.get(), -2, to.get(), ld)
                    : geru<T>(m, n, &alpha, x.get(), 1, y.get(), -2, to.get(), ld));
    auto want = c.w(), ys = taken(y.w(), n, -2);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) want[i + j * ld] += C(alpha) * C(x.host[i]) * (conjugated ? std::conj(ys[j]) : ys[j]);
    expect("ger", to.host(), want, 10);
  }
}

/** c = alpha a b + beta c in a part of c. */
vector<C> multiplied(const vector<C>& c, int ld, int m, int n, int k, C alpha, Matrix a, Matrix b, C beta, char part = 'a', bool hermitian = false) {
  vector<C> want = c;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++) {
      if ((part == 'u' && i > j) || (part == 'l' && i < j)) continue;
      C old = hermitian && i == j ? C(c[i + j * ld].real()) : c[i + j * ld];
      C& to = want[i + j * ld];
      to = alpha * product(a, b, i, j, k) + (beta == C(0) ? C(0) : beta * old);
      if (hermitian && i == j) to = to.real();
    }
  }
  return want;
}

template <class T>
void level3() {
  int shapes[][3] = {{1, 1, 1}, {5, 7, 3}, {33, 18, 40}, {140, 131, 270}};
  for (auto [m, n, k] : shapes) {
    int ld = std::max({m, n, k}) + 3;
    Data<T> a(ld * ld), b(ld * ld), c(ld * n);
    for (auto ta : OPS) {
      for (auto tb : OPS) {
        if (m > 100 && (ta == HIPBLAS_OP_T || tb != HIPBLAS_OP_C)) continue;
        T alpha = number<T>(), beta = number<T>();
        Buffer<T> to(c.host);
        BLAS(gemm<T>(ta, tb, m, n, k, &alpha, a.get(), ld, b.get(), ld, &beta, to.get(), ld));
        auto want = multiplied(c.w(), ld, m, n, k, alpha, op(ta, full(a.w(), ld)), op(tb, full(b.w(), ld)), beta);
        expect("gemm", to.host(), want, 4 * k);
      }
    }
    if (m > 100) continue;
    T alpha = number<T>(), beta = number<T>(), zero = T(0), one = T(1);
    RealOf<T> real = RealOf<T>(0.3), keep = RealOf<T>(-0.6);
    for (auto side : SIDES) {
      for (auto fill : FILLS) {
        bool left = side == HIPBLAS_SIDE_LEFT, upper = fill == HIPBLAS_FILL_MODE_UPPER;
        int order = left ? m : n;
        for (bool hermitian : {false, true}) {
          Buffer<T> to(c.host);
          BLAS(hermitian ? hemm<T>(side, fill, m, n, &alpha, a.get(), ld, b.get(), ld, &beta, to.get(), ld)
                         : symm<T>(side, fill, m, n, &alpha, a.get(), ld, b.get(), ld, &beta, to.get(), ld));
          auto x = mirrored(full(a.w(), ld), upper, hermitian), y = full(b.w(), ld);
          expect("symm", to.host(), multiplied(c.w(), ld, m, n, order, alpha, left ? x : y, left ? y : x, beta), 4 * order);
        }
        vector<T> dominant = a.host;
        for (T& v : dominant) v = v * T(RealOf<T>(1.0 / order));
        for (int i = 0; i < order; i++) dominant[i + i * ld] += T(RealOf<T>(3));
        Data<T> d(dominant);
        for (auto turn : OPS) {
          for (auto diagonal : DIAGONALS) {
            Buffer<T> to(c.host);
            auto x = op(turn, triangle(full(d.w(), ld), upper, diagonal == HIPBLAS_DIAG_UNIT)), y = full(b.w(), ld);
            BLAS(trmm<T>(side, fill, turn, diagonal, m, n, &alpha, d.get(), ld, b.get(), ld, to.get(), ld));
            expect("trmm", to.host(), multiplied(c.w(), ld, m, n, order, alpha, left ? x : y, left ? y : x, 0), 4 * order);
            // Undone by the solve, in place.
            T inverse = T(1) / alpha;
            BLAS(trsm<T>(side, fill, turn, diagonal, m, n, &inverse, d.get(), ld, to.get(), ld));
            auto want = c.w();
            for (int j = 0; j < n; j++)
              for (int i = 0; i < m; i++) want[i + j * ld] = b.w()[i + j * ld];
            expect("trsm", to.host(), want, 100 * order / std::min(1.0, std::abs(C(alpha))));
          }
        }
        if (left) {
          for (auto diagonal : DIAGONALS) {
            bool unit = diagonal == HIPBLAS_DIAG_UNIT;
            Buffer<T> inverse(vector<T>(ld * m, T(2)));
            BLAS(trtri<T>(fill, diagonal, m, d.get(), ld, inverse.get(), ld));
            auto x = triangle(full(d.w(), ld), upper, unit), y = triangle(full(wide(inverse.host()), ld), upper, false);
            vector<C> got, want;
            for (int j = 0; j < m; j++)
              for (int i = 0; i < m; i++) {
                got.push_back(product(x, y, i, j, m));
                want.push_back(i == j);
              }
            expect("trtri", back<T>(got), want, 30);
          }
        }
      }
    }
    for (auto fill : FILLS) {
      char part = fill == HIPBLAS_FILL_MODE_UPPER ? 'u' : 'l';
      for (auto turn : OPS) {
        auto x = op(turn, full(a.w(), ld)), y = op(turn, full(b.w(), ld));
        auto adjoint = [&](Matrix q) { return op(HIPBLAS_OP_C, q); };
        auto transpose = [&](Matrix q) { return op(HIPBLAS_OP_T, q); };
        if (turn != HIPBLAS_OP_T || !complex<T>) {
          Buffer<T> to(c.host);
          BLAS(herk<T>(fill, turn, n, k, &real, a.get(), ld, &keep, to.get(), ld));
          expect("herk", to.host(), multiplied(c.w(), ld, n, n, k, real, x, adjoint(x), keep, part, true), 4 * k);
          Buffer<T> two(c.host);
          BLAS(her2k<T>(fill, turn, n, k, &alpha, a.get(), ld, b.get(), ld, &keep, two.get(), ld));
          auto want = multiplied(c.w(), ld, n, n, k, alpha, x, adjoint(y), keep, part, false);
          want = multiplied(want, ld, n, n, k, std::conj(C(alpha)), y, adjoint(x), 1, part, false);
          for (int i = 0; i < n; i++) want[i + i * ld] = want[i + i * ld].real();
          expect("her2k", two.host(), want, 8 * k);
        }
        if (turn != HIPBLAS_OP_C || !complex<T>) {
          Buffer<T> to(c.host);
          BLAS(syrk<T>(fill, turn, n, k, &alpha, a.get(), ld, &beta, to.get(), ld));
          expect("syrk", to.host(), multiplied(c.w(), ld, n, n, k, alpha, x, transpose(x), beta, part), 4 * k);
          Buffer<T> other(c.host);
          BLAS(syrkx<T>(fill, turn, n, k, &alpha, a.get(), ld, b.get(), ld, &beta, other.get(), ld));
          expect("syrkx", other.host(), multiplied(c.w(), ld, n, n, k, alpha, x, transpose(y), beta, part), 4 * k);
          Buffer<T> two(c.host);
          BLAS(syr2k<T>(fill, turn, n, k, &alpha, a.get(), ld, b.get(), ld, &beta, two.get(), ld));
          auto want = multiplied(c.w(), ld, n, n, k, alpha, x, transpose(y), beta, part);
          want = multiplied(want, ld, n, n, k, alpha, y, transpose(x), 1, part);
          expect("syr2k", two.host(), want, 8 * k);
        }
        Buffer<T> to(c.host);
        BLAS(geam<T>(turn, HIPBLAS_OP_N, m, n, &alpha, a.get(), ld, &beta, b.get(), ld, to.get(), ld));
        auto want = c.w();
        for (int j = 0; j < n; j++)
          for (int i = 0; i < m; i++) want[i + j * ld] = C(alpha) * x(i, j) + C(beta) * b.w()[i + j * ld];
        expect("geam", to.host(), want);
      }
    }
    // What is multiplied by zero is not read.
    vector<T> nothing(ld * ld, T(NAN));
    Buffer<T> poison(nothing), to(nothing);
    BLAS(gemm<T>(HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &one, a.get(), ld, b.get(), ld, &zero, to.get(), ld));
    auto got = to.host();
    check.that("gemm with beta 0 and NaN", got[0] == got[0] && got[ld * (n - 1) + m - 1] == got[ld * (n - 1) + m - 1]);
    check.that("gemm leaves what is between columns", got[m] != got[m]);
    Buffer<T> same(c.host);
    BLAS(gemm<T>(HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &zero, poison.get(), ld, poison.get(), ld, &one, same.get(), ld));
    check.same("gemm with alpha 0", same.host(), c.host);
    Data<T> x(2 * ld);
    Buffer<T> scaled(c.host);
    BLAS(dgmm<T>(HIPBLAS_SIDE_RIGHT, m, n, a.get(), ld, x.get(), -2, scaled.get(), ld));
    auto want = c.w(), xs = taken(x.w(), n, -2);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) want[i + j * ld] = a.w()[i + j * ld] * xs[j];
    expect("dgmm", scaled.host(), want);
  }
}

template <class T>
vector<T*> pointers(T* first, size_t stride, int count) {
  vector<T*> all;
  for (int i = 0; i < count; i++) all.push_back(first + i * stride);
  return all;
}

template <class T>
void batches() {
  const int n = 9, count = 4, stride = n * n + 5;
  vector<T> values = numbers<T>(stride * count);
  for (int b = 0; b < count; b++)
    for (int i = 0; i < n; i++) values[b * stride + i + (n - 1 - i) * n] += T(RealOf<T>(5));  // needs pivots
  Data<T> a(values), b(stride * count), c(stride * count);
  T alpha = number<T>(), beta = number<T>();
  Buffer<T> strided(c.host), listed(c.host);
  BLAS(gemmStridedBatched<T>(HIPBLAS_OP_T, HIPBLAS_OP_N, n, n, n, &alpha, a.get(), n, stride, b.get(), n, stride, &beta,
                             strided.get(), n, stride, count));
  Buffer<T*> as(pointers(a.get(), stride, count)), bs(pointers(b.get(), stride, count)), cs(pointers(listed.get(), stride, count));
  BLAS(gemmBatched<T>(HIPBLAS_OP_T, HIPBLAS_OP_N, n, n, n, &alpha, as.get(), n, bs.get(), n, &beta, cs.get(), n, count));
  check.same("gemmBatched", listed.host(), strided.host());
  auto want = c.w();
  for (int k = 0; k < count; k++) {
    auto part = [&](Data<T>& d) {
      auto all = d.w();
      return vector<C>(all.begin() + k * stride, all.begin() + (k + 1) * stride);
    };
    auto one = multiplied(part(c), n, n, n, n, alpha, op(HIPBLAS_OP_T, full(part(a), n)), full(part(b), n), beta);
    std::copy(one.begin(), one.end(), want.begin() + k * stride);
  }
  expect("gemmStridedBatched", strided.host(), want, 100);

  // An inverse and a solution from the same factors.
  Buffer<T> factors(a.host), inverse(c.host), x(b.host);
  Buffer<int> pivots(n * count), info(count);
  Buffer<T*> fs(pointers(factors.get(), stride, count)), is(pointers(inverse.get(), stride, count)), xs(pointers(x.get(), stride, count));
  BLAS(getrfBatched<T>(n, fs.get(), n, pivots.get(), info.get(), count));
  BLAS(getriBatched<T>(n, fs.get(), n, pivots.get(), is.get(), n, info.get(), count));
  int host = -1;
  BLAS(getrsBatched<T>(HIPBLAS_OP_T, n, n, fs.get(), n, pivots.get(), xs.get(), n, &host, count));
  check.that("getrf info", info.host() == vector<int>(count) && host == 0);
  auto gotInverse = wide(inverse.host()), gotX = wide(x.host());
  for (int k = 0; k < count; k++) {
    auto part = [&](const vector<C>& all) { return full(vector<C>(all.begin() + k * stride, all.begin() + (k + 1) * stride), n); };
    double worst = 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        worst = std::max(worst, std::abs(product(part(a.w()), part(gotInverse), i, j, n) - C(i == j)));
        C back = product(op(HIPBLAS_OP_T, part(a.w())), part(gotX), i, j, n);
        worst = std::max(worst, std::abs(back - part(b.w())(i, j)));
      }
    check.that("getri and getrs", worst < 1e4 * std::numeric_limits<RealOf<T>>::epsilon());
  }
}

void mixed() {
  const int m = 17, n = 11, k = 29;
  auto halves = [&](size_t count) {
    vector<_Float16> v(count);
    for (auto& x : v) x = _Float16(noise());
    return v;
  };
  vector<_Float16> a = halves(m * k), b = halves(k * n);
  Buffer<_Float16> da(a), db(b), dh(m * n);
  Buffer<float> dc(m * n);
  float alpha = 1.5f, beta = 0;
  BLAS(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, da.get(), HIPBLAS_R_16F, m, db.get(), HIPBLAS_R_16F, k,
                     &beta, dc.get(), HIPBLAS_R_32F, m, HIPBLAS_R_32F, HIPBLAS_GEMM_DEFAULT));
  BLAS(hipblasGemmEx_v2(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, da.get(), HIP_R_16F, m, db.get(), HIP_R_16F, k, &beta,
                        dh.get(), HIP_R_16F, m, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT));
  vector<float> floats = dc.host();
  vector<_Float16> rounded = dh.host();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int p = 0; p < k; p++) sum += double(a[i + p * m]) * double(b[p + j * k]);
      check.that("GemmEx", std::fabs(floats[i + j * m] - 1.5 * sum) < 1e-5);
      check.that("GemmEx to half", double(rounded[i + j * m]) == double(_Float16(float(1.5 * sum))) ||
                                       std::fabs(double(rounded[i + j * m]) - 1.5 * sum) < 1e-3 * std::fabs(sum) + 1e-6);
    }
  vector<int8_t> p(m * k), q(k * n);
  for (auto& x : p) x = int8_t(bits(seed++));
  for (auto& x : q) x = int8_t(bits(seed++));
  Buffer<int8_t> dp(p), dq(q);
  Buffer<int> di(m * n);
  int one = 1, none = 0;
  BLAS(hipblasGemmEx_v2(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &one, dp.get(), HIP_R_8I, m, dq.get(), HIP_R_8I, k, &none,
                        di.get(), HIP_R_32I, m, HIPBLAS_COMPUTE_32I, HIPBLAS_GEMM_DEFAULT));
  vector<int> ints(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      for (int l = 0; l < k; l++) ints[i + j * m] += p[i + l * m] * q[l + j * k];
  check.same("GemmEx of bytes", di.host(), ints);
  _Float16 half = 2, norm = 0;
  Buffer<_Float16> vector_(a);
  BLAS(hipblasScalEx(handle, m, &half, HIPBLAS_R_16F, vector_.get(), HIPBLAS_R_16F, 1, HIPBLAS_R_32F));
  check.that("ScalEx", double(vector_.host()[3]) == 2 * double(a[3]));
  BLAS(hipblasNrm2Ex(handle, m, vector_.get(), HIPBLAS_R_16F, 1, &norm, HIPBLAS_R_16F, HIPBLAS_R_32F));
  double sum = 0;
  for (int i = 0; i < m; i++) sum += 4 * double(a[i]) * double(a[i]);
  check.that("Nrm2Ex", std::fabs(double(norm) - std::sqrt(sum)) < 4e-3);
}

/** Products of halves and bfloat16 in batches, and the forms of level 1 that name their types. */
template <class T>
void mixedBatches(const char* name, hipDataType half, hipblasDatatype_t old) {
  const int m = 5, n = 6, k = 7, count = 3;
  vector<T> a(m * k * count), b(k * n * count);
  for (T& x : a) x = T(float(noise()));
  for (T& x : b) x = T(float(noise()));
  Buffer<T> da(a), db(b), dr(m * n * count);
  Buffer<float> strided(m * n * count);
  float alpha = 2, beta = 0;
  BLAS(hipblasGemmStridedBatchedEx_v2(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, da.get(), half, m, m * k, db.get(),
                                      half, k, k * n, &beta, strided.get(), HIP_R_32F, m, m * n, count, HIPBLAS_COMPUTE_32F,
                                      HIPBLAS_GEMM_DEFAULT));
  Buffer<T*> as(pointers(da.get(), m * k, count)), bs(pointers(db.get(), k * n, count)), cs(pointers(dr.get(), m * n, count));
  BLAS(hipblasGemmBatchedEx_v2(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, (const void**)as.get(), half, m,
                               (const void**)bs.get(), half, k, &beta, (void**)cs.get(), half, m, count, HIPBLAS_COMPUTE_32F,
                               HIPBLAS_GEMM_DEFAULT));
  vector<float> floats = strided.host();
  vector<T> rounded = dr.host();
  for (int batch = 0; batch < count; batch++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int p = 0; p < k; p++) sum += double(float(a[batch * m * k + i + p * m])) * double(float(b[batch * k * n + p + j * k]));
        size_t at = batch * m * n + i + j * m;
        check.that(name, std::fabs(floats[at] - 2 * sum) < 1e-5);
        check.that(name, float(rounded[at]) == float(T(float(2 * sum))) || std::fabs(float(rounded[at]) - 2 * sum) < 0.01 * std::fabs(2 * sum) + 1e-3);
      }
  vector<T> x(a.begin(), a.begin() + m * k), y(b.begin(), b.begin() + m * k);
  Buffer<T> dx(x), dy(y);
  BLAS(hipblasAxpyEx(handle, m * k, &alpha, HIPBLAS_R_32F, dx.get(), old, 1, dy.get(), old, 1, HIPBLAS_R_32F));
  vector<T> got = dy.host();
  double dot = 0;
  for (int i = 0; i < m * k; i++) {
    check.that("AxpyEx", float(got[i]) == float(T(2 * float(x[i]) + float(y[i]))));
    dot += double(float(x[i])) * double(float(got[i]));
  }
  T result;
  BLAS(hipblasDotEx(handle, m * k, dx.get(), old, 1, dy.get(), old, 1, &result, old, HIPBLAS_R_32F));
  check.that("DotEx", std::fabs(float(result) - dot) <= 0.01 * std::fabs(dot) + 1e-3);
}

void rotations() {
  double a = 3, b = -4, c, s;
  BLAS(hipblasDrotg(handle, &a, &b, &c, &s));
  check.that("rotg", std::fabs(c * 3 - s * 4 - a) < 1e-14 && std::fabs(-s * 3 - c * 4) < 1e-14);
  C za(1, 2), zb(-2, 0.5), kept = za, zs;
  BLAS(hipblasZrotg(handle, as(&za), as(&zb), &c, as(&zs)));
  check.that("zrotg", std::abs(c * kept + zs * zb - za) < 1e-14 && std::abs(-std::conj(zs) * kept + c * zb) < 1e-14);
  vector<double> x = numbers<double>(5), y = numbers<double>(5);
  Buffer<double> dx(x), dy(y);
  BLAS(hipblasDrot(handle, 5, dx.get(), 1, dy.get(), 1, &a, &b));
  double d1 = 2, d2 = 3, x1 = 0.5, y1 = 1.25, param[5];
  double w = d2 * y1 * y1 + d1 * x1 * x1;
  BLAS(hipblasDrotmg(handle, &d1, &d2, &x1, &y1, param));
  check.that("rotmg", param[0] == 1 && std::fabs(d1 * x1 * x1 - w) < 1e-13);
  Buffer<double> mx(vector<double>{0.5}), my(vector<double>{1.25});
  BLAS(hipblasDrotm(handle, 1, mx.get(), 1, my.get(), 1, param));
  check.that("rotm", std::fabs(my.host()[0]) < 1e-14 && std::fabs(mx.host()[0] - x1) < 1e-14);
}

__global__ void slowly(float* to, int n, float value) {
  float sum = 0;
  for (int i = 0; i < 20000; i++) sum += float(i % 2) * 1e-30f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = value + sum;
}

void order() {
  const int n = 32;
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  BLAS(hipblasSetStream(handle, stream));
  Buffer<float> a(n * n), b(n * n), c(n * n), scalars(2), result(1);
  float two = 2, zero = 0;
  // The product waits for the kernel before it, and the kernel after it for the product.
  slowly<<<1, 64, 0, stream>>>(a.get(), n * n, 1);
  slowly<<<1, 64, 0, stream>>>(b.get(), n * n, 3);
  BLAS(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, n, n, n, &two, a.get(), n, b.get(), n, &zero, c.get(), n));
  two = 77;  // was read when the call was made
  slowly<<<1, 64, 0, stream>>>(a.get(), n * n, 5);
  float sum = 0;
  BLAS(hipblasSasum(handle, n * n, c.get(), 1, &sum));
  check.same("a product in its place", sum, 2.0f * 3 * n * n * n);
  // Scalars and results on the device are read and written when it is their turn.
  BLAS(hipblasSetPointerMode(handle, HIPBLAS_POINTER_MODE_DEVICE));
  slowly<<<1, 64, 0, stream>>>(scalars.get(), 1, 4);
  BLAS(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, n, n, n, scalars.get(), a.get(), n, b.get(), n, scalars.get() + 1, c.get(), n));
  BLAS(hipblasSasum(handle, n * n, c.get(), 1, result.get()));
  HIP(hipStreamSynchronize(stream));
  check.same("scalars on the device", result.host()[0], 4.0f * 5 * 3 * n * n * n);
  // Captured, and run twice.
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  BLAS(hipblasSaxpy(handle, n * n, scalars.get(), b.get(), 1, c.get(), 1));
  BLAS(hipblasSasum(handle, n * n, c.get(), 1, result.get()));
  HIP(hipStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  HIP(hipGraphGetNodes(graph, nullptr, &nodes));
  check.that("nodes of a graph", nodes == 2);
  check.same("captured, not run", result.host()[0], 4.0f * 5 * 3 * n * n * n);
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP(hipGraphDestroy(graph));
  for (int i = 0; i < 2; i++) HIP(hipGraphLaunch(exec, stream));
  HIP(hipStreamSynchronize(stream));
  check.same("run twice", result.host()[0], 4.0f * 5 * 3 * n * n * n + 2 * 4.0f * 3 * n * n);
  HIP(hipGraphExecDestroy(exec));
  BLAS(hipblasSetPointerMode(handle, HIPBLAS_POINTER_MODE_HOST));
  // Managed memory, and the program's own that was registered.
  float* managed;
  HIP(hipMallocManaged(reinterpret_cast<void**>(&managed), 4 * sizeof(float)));
  vector<float> own(4096, 2);
  HIP(hipHostRegister(own.data(), own.size() * sizeof(float), 0));
  for (int i = 0; i < 4; i++) managed[i] = i;
  two = 2;
  BLAS(hipblasSaxpy(handle, 4, &two, own.data(), 1, managed, 1));
  HIP(hipStreamSynchronize(stream));
  check.that("managed and registered memory", managed[0] == 4 && managed[3] == 7);
  HIP(hipHostUnregister(own.data()));
  HIP(hipFree(managed));
  BLAS(hipblasSetStream(handle, nullptr));
  HIP(hipStreamDestroy(stream));
}

void wrong() {
  Buffer<float> a(16);
  float one = 1, *p = a.get();
  auto status = [&](const char* what, hipblasStatus_t got, hipblasStatus_t want) {
    check.that(what, got == want);
  };
  auto N = HIPBLAS_OP_N;
  status("no handle", hipblasSscal(nullptr, 4, &one, p, 1), HIPBLAS_STATUS_NOT_INITIALIZED);
  status("negative size", hipblasSgemm(handle, N, N, -1, 2, 2, &one, p, 2, p, 2, &one, p, 2), HIPBLAS_STATUS_INVALID_VALUE);
  status("leading dimension", hipblasSgemm(handle, N, N, 4, 2, 2, &one, p, 3, p, 2, &one, p, 4), HIPBLAS_STATUS_INVALID_VALUE);
  status("no such operation", hipblasSgemm(handle, hipblasOperation_t(5), N, 2, 2, 2, &one, p, 2, p, 2, &one, p, 2), HIPBLAS_STATUS_INVALID_ENUM);
  status("null matrix", hipblasSgemm(handle, N, N, 2, 2, 2, &one, nullptr, 2, p, 2, &one, p, 2), HIPBLAS_STATUS_INVALID_VALUE);
  status("nothing to do", hipblasSgemm(handle, N, N, 0, 2, 2, &one, nullptr, 2, nullptr, 2, &one, nullptr, 2), HIPBLAS_STATUS_SUCCESS);
  status("increment 0", hipblasSgemv(handle, N, 2, 2, &one, p, 2, p, 0, &one, p, 1), HIPBLAS_STATUS_INVALID_VALUE);
}

template <class T>
void all() {
  level1<T>();
  level2<T>();
  level3<T>();
  batches<T>();
}

int main() {
  BLAS(hipblasCreate(&handle));
  all<float>();
  all<double>();
  all<std::complex<float>>();
  all<std::complex<double>>();
  mixed();
  mixedBatches<_Float16>("half in batches", HIP_R_16F, HIPBLAS_R_16F);
  mixedBatches<__hip_bfloat16>("bfloat16 in batches", HIP_R_16BF, HIPBLAS_R_16B);
  rotations();
  order();
  wrong();
  BLAS(hipblasDestroy(handle));
  return check.end();
}
