// hipSPARSE's older functions and mixed types against dense arithmetic on the host
#include <hipsparse/hipsparse.h>

#include <complex>

#include "../kernels/check.h"

#define SPARSE(call)                                                                                \
  do {                                                                                              \
    hipsparseStatus_t sparse_status = (call);                                                       \
    if (sparse_status != HIPSPARSE_STATUS_SUCCESS) {                                                \
      printf("FAIL %s:%d hipSPARSE %s\n", __FILE_NAME__, __LINE__, hipsparseGetErrorName(sparse_status)); \
      exit(1);                                                                                      \
    }                                                                                               \
  } while (0)

using Complex = std::complex<double>;
Check check;
hipsparseHandle_t handle;

template <class T>
struct Of;
template <>
struct Of<float> {
  static constexpr hipDataType type = HIP_R_32F;
  static float make(Complex c) { return c.real(); }
};
template <>
struct Of<double> {
  static constexpr hipDataType type = HIP_R_64F;
  static double make(Complex c) { return c.real(); }
};
template <>
struct Of<std::complex<float>> {
  static constexpr hipDataType type = HIP_C_32F;
  static std::complex<float> make(Complex c) { return std::complex<float>(c); }
};
template <>
struct Of<std::complex<double>> {
  static constexpr hipDataType type = HIP_C_64F;
  static Complex make(Complex c) { return c; }
};

struct Host {
  int m, n;
  std::vector<Complex> a;  // by columns
  Host(int m, int n) : m(m), n(n), a(m * n) {}
  Complex& operator()(int i, int j) { return a[i + j * m]; }
  Complex operator()(int i, int j) const { return a[i + j * m]; }
  Host op(hipsparseOperation_t o) const {
    if (o == HIPSPARSE_OPERATION_NON_TRANSPOSE) return *this;
    Host t(n, m);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        t(j, i) = o == HIPSPARSE_OPERATION_TRANSPOSE ? (*this)(i, j) : std::conj((*this)(i, j));
    return t;
  }
};

Host operator*(const Host& a, const Host& b) {
  Host c(a.m, b.n);
  for (int i = 0; i < a.m; i++)
    for (int j = 0; j < b.n; j++)
      for (int k = 0; k < a.n; k++) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/** Small numbers, exact in every type. */
template <class T>
Complex number(uint32_t i) {
  double re = int(bits(i) % 9) - 4, im = int(bits(i + 77777) % 7) - 3;
  return Complex(Of<T>::make(Complex(re == 0 ? 1 : re, im)));
}

template <class T>
Host random(int m, int n, uint32_t seed, double fill) {
  Host h(m, n);
  for (int i = 0; i < m * n; i++)
    if (unit(seed + i) < fill) h.a[i] = number<T>(seed + 3 * i);
  return h;
}

template <class T>
std::vector<T> typed(const std::vector<Complex>& v) {
  std::vector<T> t;
  for (Complex c : v) t.push_back(Of<T>::make(c));
  return t;
}

template <class T>
void close(const char* what, const std::vector<T>& got, const std::vector<Complex>& want, double eps = 1e-5) {
  double worst = got.size() == want.size() ? 0 : 1e300, size = 1;
  for (size_t i = 0; i < want.size() && i < got.size(); i++) {
    double off = std::abs(Complex(got[i]) - want[i]);
    worst = off <= worst ? worst : off;
    size = std::max(size, std::abs(want[i]));
    if (off != off) worst = 1e300;
  }
  if (!(worst <= eps * size)) printf("%s: off by %g of %g\n", what, worst, size);
  check.that(what, worst <= eps * size);
}

/** A matrix on the device in CSR, CSC (of the transposed lines) or COO. */
template <class T, class I>
struct Sparse {
  std::vector<I> offsets, rows, columns;
  std::vector<T> values;
  Sparse(const Host& h, int base, bool byColumns = false) {
    int lines = byColumns ? h.n : h.m, others = byColumns ? h.m : h.n;
    offsets.push_back(base);
    for (int l = 0; l < lines; l++) {
      for (int o = 0; o < others; o++) {
        Complex c = byColumns ? h(o, l) : h(l, o);
        if (c == 0.0) continue;
        rows.push_back(l + base);
        columns.push_back(o + base);
        values.push_back(Of<T>::make(c));
      }
      offsets.push_back(I(values.size()) + base);
    }
  }
};

constexpr auto N = HIPSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto TURNED = HIPSPARSE_OPERATION_TRANSPOSE;
constexpr auto POLICY = HIPSPARSE_SOLVE_POLICY_NO_LEVEL;

hipsparseMatDescr_t plain, lowerUnit, upper;

/** A matrix of doubles in CSR, from 0. */
struct Csr {
  Host host;
  Sparse<double, int> sparse;
  int count;
  Buffer<int> offsets, columns;
  Buffer<double> values;
  explicit Csr(const Host& h)
      : host(h), sparse(h, 0), count(sparse.values.size()), offsets(sparse.offsets), columns(sparse.columns), values(sparse.values) {}
};

void vectors() {
  using C = std::complex<float>;
  std::vector<C> xs = {{1, 2}, {3, -1}}, ys = {{1, 1}, {2, 0}, {0, 3}, {4, 4}};
  Buffer<int> at(std::vector<int>{2, 4});
  Buffer<C> x(xs), y(ys);
  auto* hx = reinterpret_cast<hipComplex*>(x.get());
  auto* hy = reinterpret_cast<hipComplex*>(y.get());
  auto one = HIPSPARSE_INDEX_BASE_ONE;
  C dot, alpha(2, 1);
  SPARSE(hipsparseCdoti(handle, 2, hx, at.get(), hy, reinterpret_cast<hipComplex*>(&dot), one));
  close("doti", std::vector<C>{dot}, {Complex(xs[0] * ys[1] + xs[1] * ys[3])});
  SPARSE(hipsparseCdotci(handle, 2, hx, at.get(), hy, reinterpret_cast<hipComplex*>(&dot), one));
  close("dotci", std::vector<C>{dot}, {Complex(std::conj(xs[0]) * ys[1] + std::conj(xs[1]) * ys[3])});
  SPARSE(hipsparseCaxpyi(handle, 2, reinterpret_cast<hipComplex*>(&alpha), hx, at.get(), hy, one));
  ys[1] += alpha * xs[0];
  ys[3] += alpha * xs[1];
  close("axpyi", y.host(), std::vector<Complex>(ys.begin(), ys.end()));
  SPARSE(hipsparseCgthrz(handle, 2, hy, hx, at.get(), one));
  close("gthrz", x.host(), {ys[1], ys[3]});
  close("gthrz zeroes", y.host(), {ys[0], 0, ys[2], 0});
  SPARSE(hipsparseCsctr(handle, 2, hx, at.get(), hy, one));
  close("sctr", y.host(), std::vector<Complex>(ys.begin(), ys.end()));
  Buffer<double> a(std::vector<double>{1, 2}), b(std::vector<double>{5, 6, 7, 8});
  double c = 0.6, s = 0.8;
  SPARSE(hipsparseDroti(handle, 2, a.get(), at.get(), b.get(), &c, &s, one));
  close("roti x", a.host(), {0.6 * 1 + 0.8 * 6, 0.6 * 2 + 0.8 * 8}, 1e-15);
  close("roti y", b.host(), {5, 0.6 * 6 - 0.8 * 1, 7, 0.6 * 8 - 0.8 * 2}, 1e-15);
}

void products() {
  Csr a(random<double>(8, 6, 1, 0.4)), b(random<double>(6, 7, 2, 0.4));
  double alpha = 2, beta = -1;
  for (auto turn : {N, TURNED}) {
    for (auto turnB : {N, TURNED}) {
      Host left = a.host.op(turn), right = random<double>(left.n, 3, 3, 1), c = random<double>(left.m, 3, 4, 1);
      Host stored = right.op(turnB);
      Buffer<double> db(typed<double>(stored.a)), dc(typed<double>(c.a));
      SPARSE(hipsparseDcsrmm2(handle, turn, turnB, 8, 3, 6, a.count, &alpha, plain, a.values.get(), a.offsets.get(),
                              a.columns.get(), db.get(), stored.m, &beta, dc.get(), c.m));
      Host want = left * right;
      for (size_t i = 0; i < want.a.size(); i++) want.a[i] = 2.0 * want.a[i] - c.a[i];
      close("csrmm2", dc.host(), want.a, 1e-14);
    }
  }
  Buffer<int> offsets(9);
  int count = 0;
  SPARSE(hipsparseXcsrgemmNnz(handle, N, N, 8, 7, 6, plain, a.count, a.offsets.get(), a.columns.get(), plain, b.count,
                              b.offsets.get(), b.columns.get(), plain, offsets.get(), &count));
  Buffer<int> columns(count);
  Buffer<double> values(count), dense(8 * 7);
  SPARSE(hipsparseDcsrgemm(handle, N, N, 8, 7, 6, plain, a.count, a.values.get(), a.offsets.get(), a.columns.get(), plain, b.count,
                           b.values.get(), b.offsets.get(), b.columns.get(), plain, values.get(), offsets.get(), columns.get()));
  SPARSE(hipsparseDcsr2dense(handle, 8, 7, plain, values.get(), offsets.get(), columns.get(), dense.get(), 8));
  close("csrgemm", dense.host(), (a.host * b.host).a, 1e-14);

  // the pattern of a product, and its numbers twice
  hipsparseSpMatDescr_t left, right, product;
  auto wide = HIPSPARSE_INDEX_32I;
  auto zeroBase = HIPSPARSE_INDEX_BASE_ZERO;
  SPARSE(hipsparseCreateCsr(&left, 8, 6, a.count, a.offsets.get(), a.columns.get(), a.values.get(), wide, wide, zeroBase, HIP_R_64F));
  SPARSE(hipsparseCreateCsr(&right, 6, 7, b.count, b.offsets.get(), b.columns.get(), b.values.get(), wide, wide, zeroBase, HIP_R_64F));
  SPARSE(hipsparseCreateCsr(&product, 8, 7, 0, offsets.get(), nullptr, nullptr, wide, wide, zeroBase, HIP_R_64F));
  hipsparseSpGEMMDescr_t gemm;
  SPARSE(hipsparseSpGEMM_createDescr(&gemm));
  auto alg = HIPSPARSE_SPGEMM_DEFAULT;
  size_t s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
  Buffer<char> work(4096);
  SPARSE(hipsparseSpGEMMreuse_workEstimation(handle, N, N, left, right, product, alg, gemm, &s1, nullptr));
  SPARSE(hipsparseSpGEMMreuse_workEstimation(handle, N, N, left, right, product, alg, gemm, &s1, work.get()));
  SPARSE(hipsparseSpGEMMreuse_nnz(handle, N, N, left, right, product, alg, gemm, &s2, nullptr, &s3, nullptr, &s4, nullptr));
  SPARSE(hipsparseSpGEMMreuse_nnz(handle, N, N, left, right, product, alg, gemm, &s2, work.get(), &s3, work.get(), &s4, work.get()));
  int64_t m, n, found;
  SPARSE(hipsparseSpMatGetSize(product, &m, &n, &found));
  check.same("same pattern", found, int64_t(count));
  SPARSE(hipsparseCsrSetPointers(product, offsets.get(), columns.get(), values.get()));
  SPARSE(hipsparseSpGEMMreuse_copy(handle, N, N, left, right, product, alg, gemm, &s5, nullptr));
  SPARSE(hipsparseSpGEMMreuse_copy(handle, N, N, left, right, product, alg, gemm, &s5, work.get()));
  for (double factor : {1.0, -3.0}) {
    double zero = 0;
    HIP(hipMemset(values.get(), 0xff, count * sizeof(double)));  // NaN, which 0 times does not keep
    SPARSE(hipsparseSpGEMMreuse_compute(handle, N, N, &factor, left, right, &zero, product, HIP_R_64F, alg, gemm));
    SPARSE(hipsparseDcsr2dense(handle, 8, 7, plain, values.get(), offsets.get(), columns.get(), dense.get(), 8));
    Host want = a.host * b.host;
    for (auto& v : want.a) v *= factor;
    close("SpGEMMreuse", dense.host(), want.a, 1e-14);
  }
  SPARSE(hipsparseSpGEMM_destroyDescr(gemm));
}

void solvers() {
  constexpr int n = 8, block = 2, nb = n / block;
  Host full(n, n), solution = random<double>(n, 2, 5, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) full(i, j) = i == j ? 40.0 : double(bits(i * n + j) % 5) - 2 + 0.5;
  Host right = full * solution;
  Csr a(full);
  double one = 1;
  int position = 0;
  // what is full has a complete factorization, by elements and by blocks
  csrilu02Info_t lu;
  csrsm2Info_t sm;
  SPARSE(hipsparseCreateCsrilu02Info(&lu));
  SPARSE(hipsparseCreateCsrsm2Info(&sm));
  SPARSE(hipsparseDcsrilu02(handle, n, a.count, plain, a.values.get(), a.offsets.get(), a.columns.get(), lu, POLICY, nullptr));
  Buffer<double> x(typed<double>(right.a));
  for (auto description : {lowerUnit, upper})
    SPARSE(hipsparseDcsrsm2_solve(handle, 0, N, N, n, 2, a.count, &one, description, a.values.get(), a.offsets.get(),
                                  a.columns.get(), x.get(), n, sm, POLICY, nullptr));
  close("csrsm2", x.host(), solution.a, 1e-12);
  SPARSE(hipsparseXcsrsm2_zeroPivot(handle, sm, &position));

  Csr again(full);
  for (auto direction : {HIPSPARSE_DIRECTION_ROW, HIPSPARSE_DIRECTION_COLUMN}) {
    Buffer<int> offsets(nb + 1), columns(nb * nb);
    Buffer<double> values(n * n), z(n), y(n), f(std::vector<double>(typed<double>(std::vector<Complex>(right.a.begin(), right.a.begin() + n))));
    SPARSE(hipsparseDcsr2bsr(handle, direction, n, n, plain, again.values.get(), again.offsets.get(), again.columns.get(), block,
                             plain, values.get(), offsets.get(), columns.get()));
    bsrilu02Info_t info;
    bsrsv2Info_t sv;
    SPARSE(hipsparseCreateBsrilu02Info(&info));
    SPARSE(hipsparseCreateBsrsv2Info(&sv));
    SPARSE(hipsparseDbsrilu02(handle, direction, nb, nb * nb, plain, values.get(), offsets.get(), columns.get(), block, info, POLICY, nullptr));
    SPARSE(hipsparseXbsrilu02_zeroPivot(handle, info, &position));
    SPARSE(hipsparseDbsrsv2_solve(handle, direction, N, nb, nb * nb, &one, lowerUnit, values.get(), offsets.get(), columns.get(),
                                  block, sv, f.get(), z.get(), POLICY, nullptr));
    SPARSE(hipsparseDbsrsv2_solve(handle, direction, N, nb, nb * nb, &one, upper, values.get(), offsets.get(), columns.get(), block,
                                  sv, z.get(), y.get(), POLICY, nullptr));
    close("bsrilu02", y.host(), std::vector<Complex>(solution.a.begin(), solution.a.begin() + n), 1e-12);
  }

  // three diagonals that need exchanges of rows, batches apart and batches interleaved
  constexpr int m = 9, batches = 3;
  for (bool interleaved : {false, true}) {
    int step = interleaved ? batches : 1, apart = interleaved ? 1 : m + 2;
    size_t all = interleaved ? m * batches : (m + 2) * batches;
    std::vector<double> dl(all, 77), d(all, 77), du(all, 77), f(all, 77);
    std::vector<Complex> want(all, 77);
    for (int b = 0; b < batches; b++)
      for (int i = 0; i < m; i++) {
        int k = b * apart + i * step;
        dl[k] = i > 0 ? 1 + b : 0;
        d[k] = interleaved && i % 2 == 0 ? 0.001 : 9;
        du[k] = i + 1 < m ? 2 + b : 0;
        want[k] = double(bits(k) % 9) - 4;
      }
    for (int b = 0; b < batches; b++)
      for (int i = 0; i < m; i++) {
        int k = b * apart + i * step;
        f[k] = d[k] * want[k].real() + (i > 0 ? dl[k] * want[k - step].real() : 0) + (i + 1 < m ? du[k] * want[k + step].real() : 0);
      }
    Buffer<double> l(dl), c(d), u(du), g(f);
    if (interleaved)
      SPARSE(hipsparseDgtsvInterleavedBatch(handle, 0, m, l.get(), c.get(), u.get(), g.get(), batches, nullptr));
    else
      SPARSE(hipsparseDgtsv2StridedBatch(handle, m, l.get(), c.get(), u.get(), g.get(), batches, m + 2, nullptr));
    close(interleaved ? "gtsvInterleavedBatch" : "gtsv2StridedBatch", g.host(), want, 1e-9);
  }
}

/** Bytes times bytes to integers; batches of dense matrices. */
void mixed() {
  Host a = random<double>(5, 4, 11, 0.5), x = random<double>(4, 1, 12, 1);
  Sparse<double, int> csr(a, 0);
  std::vector<int8_t> small(csr.values.begin(), csr.values.end()), xs;
  for (Complex c : x.a) xs.push_back(int8_t(c.real()));
  Buffer<int> offsets(csr.offsets), columns(csr.columns), y(5);
  Buffer<int8_t> values(small), dx(xs);
  hipsparseSpMatDescr_t matrix;
  hipsparseDnVecDescr_t vx, vy;
  auto wide = HIPSPARSE_INDEX_32I;
  SPARSE(hipsparseCreateCsr(&matrix, 5, 4, small.size(), offsets.get(), columns.get(), values.get(), wide, wide, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_8I));
  SPARSE(hipsparseCreateDnVec(&vx, 4, dx.get(), HIP_R_8I));
  SPARSE(hipsparseCreateDnVec(&vy, 5, y.get(), HIP_R_32I));
  int one = 1, zero = 0;
  SPARSE(hipsparseSpMV(handle, N, &one, matrix, vx, &zero, vy, HIP_R_32I, HIPSPARSE_SPMV_ALG_DEFAULT, nullptr));
  auto got = y.host();
  close("bytes", std::vector<double>(got.begin(), got.end()), (a * x).a, 0);

  Buffer<double> dv(csr.values);
  Host b1 = random<double>(4, 2, 13, 1), b2 = random<double>(4, 2, 14, 1);
  auto both = b1.a;
  both.insert(both.end(), b2.a.begin(), b2.a.end());
  Buffer<double> b(typed<double>(both)), c(20);
  hipsparseDnMatDescr_t mb, mc;
  SPARSE(hipsparseCreateDnMat(&mb, 4, 2, 4, b.get(), HIP_R_64F, HIPSPARSE_ORDER_COL));
  SPARSE(hipsparseCreateDnMat(&mc, 5, 2, 5, c.get(), HIP_R_64F, HIPSPARSE_ORDER_COL));
  SPARSE(hipsparseDnMatSetStridedBatch(mb, 2, 8));
  SPARSE(hipsparseDnMatSetStridedBatch(mc, 2, 10));
  SPARSE(hipsparseCreateCsr(&matrix, 5, 4, small.size(), offsets.get(), columns.get(), dv.get(), wide, wide, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_64F));
  double alpha = 1, beta = 0;
  SPARSE(hipsparseSpMM(handle, N, N, &alpha, matrix, mb, &beta, mc, HIP_R_64F, HIPSPARSE_SPMM_ALG_DEFAULT, nullptr));
  auto want = (a * b1).a, second = (a * b2).a;
  want.insert(want.end(), second.begin(), second.end());
  close("batches", c.host(), want, 1e-15);
}

int main() {
  SPARSE(hipsparseCreate(&handle));
  for (auto* description : {&plain, &lowerUnit, &upper}) SPARSE(hipsparseCreateMatDescr(description));
  SPARSE(hipsparseSetMatDiagType(lowerUnit, HIPSPARSE_DIAG_TYPE_UNIT));
  SPARSE(hipsparseSetMatFillMode(upper, HIPSPARSE_FILL_MODE_UPPER));
  vectors();
  products();
  solvers();
  mixed();
  SPARSE(hipsparseDestroy(handle));
  return check.end();
}
