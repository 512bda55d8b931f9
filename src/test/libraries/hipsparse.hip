// hipSPARSE against dense arithmetic on the host: formats, bases, index widths, types, transposes
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

constexpr hipsparseOperation_t OPS[] = {HIPSPARSE_OPERATION_NON_TRANSPOSE, HIPSPARSE_OPERATION_TRANSPOSE,
                                        HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <class T, class I>
void generic(int base) {
  constexpr auto type = Of<T>::type;
  constexpr auto width = sizeof(I) == 8 ? HIPSPARSE_INDEX_64I : HIPSPARSE_INDEX_32I;
  auto indexBase = static_cast<hipsparseIndexBase_t>(base);
  int m = 13, n = 9;
  Host a = random<T>(m, n, 10 + base, 0.4);
  Sparse<T, I> csr(a, base), csc(a, base, true);
  Buffer<I> offsets(csr.offsets), rows(csr.rows), columns(csr.columns), cscOffsets(csc.offsets), cscRows(csc.columns);
  Buffer<T> values(csr.values), cscValues(csc.values);
  int64_t count = csr.values.size();
  hipsparseSpMatDescr_t forms[3];
  SPARSE(hipsparseCreateCsr(&forms[0], m, n, count, offsets.get(), columns.get(), values.get(), width, width, indexBase, type));
  SPARSE(hipsparseCreateCsc(&forms[1], m, n, count, cscOffsets.get(), cscRows.get(), cscValues.get(), width, width, indexBase, type));
  SPARSE(hipsparseCreateCoo(&forms[2], m, n, count, rows.get(), columns.get(), values.get(), width, indexBase, type));
  T alpha = Of<T>::make({2, 1}), beta = Of<T>::make({-1, 2}), zero = T(0), one = T(1);
  for (auto form : forms)
    for (auto op : OPS) {
      Host turned = a.op(op);
      Host x = random<T>(turned.n, 1, 500, 1), y = random<T>(turned.m, 1, 600, 1);
      Buffer<T> dx(typed<T>(x.a)), dy(typed<T>(y.a));
      hipsparseDnVecDescr_t vx, vy;
      SPARSE(hipsparseCreateDnVec(&vx, turned.n, dx.get(), type));
      SPARSE(hipsparseCreateDnVec(&vy, turned.m, dy.get(), type));
      size_t bytes = 0;
      SPARSE(hipsparseSpMV_bufferSize(handle, op, &alpha, form, vx, &beta, vy, type, HIPSPARSE_SPMV_ALG_DEFAULT, &bytes));
      Buffer<char> work(bytes);
      SPARSE(hipsparseSpMV(handle, op, &alpha, form, vx, &beta, vy, type, HIPSPARSE_SPMV_ALG_DEFAULT, work.get()));
      Host want = turned * x;
      for (int i = 0; i < want.m; i++) want(i, 0) = Complex(alpha) * want(i, 0) + Complex(beta) * y(i, 0);
      close("SpMV", dy.host(), want.a);
      for (auto opB : OPS)
        for (auto order : {HIPSPARSE_ORDER_COL, HIPSPARSE_ORDER_ROW}) {
          int k = 4, br = opB ? k : turned.n, bc = opB ? turned.n : k;
          Host b = random<T>(br, bc, 700, 1), c = random<T>(turned.m, k, 800, 1);
          auto arranged = [&](const Host& h) { return typed<T>(order == HIPSPARSE_ORDER_COL ? h.a : h.op(HIPSPARSE_OPERATION_TRANSPOSE).a); };
          Buffer<T> db(arranged(b)), dc(arranged(c));
          hipsparseDnMatDescr_t mb, mc;
          SPARSE(hipsparseCreateDnMat(&mb, br, bc, order == HIPSPARSE_ORDER_COL ? br : bc, db.get(), type, order));
          SPARSE(hipsparseCreateDnMat(&mc, turned.m, k, order == HIPSPARSE_ORDER_COL ? turned.m : k, dc.get(), type, order));
          SPARSE(hipsparseSpMM(handle, op, opB, &alpha, form, mb, &beta, mc, type, HIPSPARSE_SPMM_ALG_DEFAULT, work.get()));
          Host product = turned * b.op(opB);
          for (size_t i = 0; i < product.a.size(); i++) product.a[i] = Complex(alpha) * product.a[i] + Complex(beta) * c.a[i];
          auto got = dc.host();
          close("SpMM", std::vector<Complex>(got.begin(), got.end()),
                order == HIPSPARSE_ORDER_COL ? product.a : product.op(HIPSPARSE_OPERATION_TRANSPOSE).a);
          SPARSE(hipsparseDestroyDnMat(mb));
          SPARSE(hipsparseDestroyDnMat(mc));
        }
      SPARSE(hipsparseDestroyDnVec(vx));
      SPARSE(hipsparseDestroyDnVec(vy));
    }

  // to dense and back
  Buffer<T> dense(m * n);
  hipsparseDnMatDescr_t full;
  SPARSE(hipsparseCreateDnMat(&full, m, n, m, dense.get(), type, HIPSPARSE_ORDER_COL));
  for (auto form : forms) {
    HIP(hipMemset(dense.get(), 0x55, m * n * sizeof(T)));
    SPARSE(hipsparseSparseToDense(handle, form, full, HIPSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    close("SparseToDense", dense.host(), a.a);
  }
  Buffer<I> newOffsets(m + 1), newColumns(count);
  Buffer<T> newValues(count);
  hipsparseSpMatDescr_t back;
  SPARSE(hipsparseCreateCsr(&back, m, n, 0, newOffsets.get(), nullptr, nullptr, width, width, indexBase, type));
  SPARSE(hipsparseDenseToSparse_analysis(handle, full, back, HIPSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
  int64_t r, c, found;
  SPARSE(hipsparseSpMatGetSize(back, &r, &c, &found));
  check.same("non-zeros", found, count);
  SPARSE(hipsparseCsrSetPointers(back, newOffsets.get(), newColumns.get(), newValues.get()));
  SPARSE(hipsparseDenseToSparse_convert(handle, full, back, HIPSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
  check.same("offsets", newOffsets.host(), csr.offsets);
  check.same("columns", newColumns.host(), csr.columns);
  check.same("values", newValues.host(), csr.values);
  SPARSE(hipsparseDestroySpMat(back));

  // a product of two sparse matrices
  Host b = random<T>(n, 7, 900, 0.4);
  Sparse<T, I> csrB(b, base);
  Buffer<I> bOffsets(csrB.offsets), bColumns(csrB.columns), pOffsets(m + 1);
  Buffer<T> bValues(csrB.values);
  hipsparseSpMatDescr_t right, product;
  SPARSE(hipsparseCreateCsr(&right, n, 7, csrB.values.size(), bOffsets.get(), bColumns.get(), bValues.get(), width, width, indexBase, type));
  SPARSE(hipsparseCreateCsr(&product, m, 7, 0, pOffsets.get(), nullptr, nullptr, width, width, indexBase, type));
  hipsparseSpGEMMDescr_t gemm;
  SPARSE(hipsparseSpGEMM_createDescr(&gemm));
  auto N = HIPSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  SPARSE(hipsparseSpGEMM_workEstimation(handle, N, N, &alpha, forms[0], right, &zero, product, type, HIPSPARSE_SPGEMM_DEFAULT, gemm, &bytes, nullptr));
  Buffer<char> first(bytes);
  SPARSE(hipsparseSpGEMM_workEstimation(handle, N, N, &alpha, forms[0], right, &zero, product, type, HIPSPARSE_SPGEMM_DEFAULT, gemm, &bytes, first.get()));
  SPARSE(hipsparseSpGEMM_compute(handle, N, N, &alpha, forms[0], right, &zero, product, type, HIPSPARSE_SPGEMM_DEFAULT, gemm, &bytes, nullptr));
  Buffer<char> second(bytes);
  SPARSE(hipsparseSpGEMM_compute(handle, N, N, &alpha, forms[0], right, &zero, product, type, HIPSPARSE_SPGEMM_DEFAULT, gemm, &bytes, second.get()));
  SPARSE(hipsparseSpMatGetSize(product, &r, &c, &found));
  Buffer<I> pColumns(found);
  Buffer<T> pValues(found);
  SPARSE(hipsparseCsrSetPointers(product, pOffsets.get(), pColumns.get(), pValues.get()));
  SPARSE(hipsparseSpGEMM_copy(handle, N, N, &alpha, forms[0], right, &zero, product, type, HIPSPARSE_SPGEMM_DEFAULT, gemm));
  Buffer<T> productDense(m * 7);
  hipsparseDnMatDescr_t fullProduct;
  SPARSE(hipsparseCreateDnMat(&fullProduct, m, 7, m, productDense.get(), type, HIPSPARSE_ORDER_COL));
  SPARSE(hipsparseSparseToDense(handle, product, fullProduct, HIPSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
  Host want = a * b;
  for (auto& v : want.a) v *= Complex(alpha);
  close("SpGEMM", productDense.host(), want.a);
  SPARSE(hipsparseSpGEMM_destroyDescr(gemm));

  // a dense product at the places of a sparse matrix
  Host left = random<T>(m, 5, 910, 1), wide = random<T>(5, n, 920, 1);
  Buffer<T> dl(typed<T>(left.a)), dw(typed<T>(wide.a));
  hipsparseDnMatDescr_t ml, mw;
  SPARSE(hipsparseCreateDnMat(&ml, m, 5, m, dl.get(), type, HIPSPARSE_ORDER_COL));
  SPARSE(hipsparseCreateDnMat(&mw, 5, n, 5, dw.get(), type, HIPSPARSE_ORDER_COL));
  SPARSE(hipsparseSDDMM(handle, N, N, &alpha, ml, mw, &beta, forms[0], type, HIPSPARSE_SDDMM_ALG_DEFAULT, nullptr));
  SPARSE(hipsparseSparseToDense(handle, forms[0], full, HIPSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
  Host sampled = left * wide;
  for (size_t i = 0; i < sampled.a.size(); i++)
    sampled.a[i] = a.a[i] == 0.0 ? 0 : Complex(alpha) * sampled.a[i] + Complex(beta) * a.a[i];
  close("SDDMM", dense.host(), sampled.a);

  // sparse vectors
  std::vector<I> places = {I(1 + base), I(4 + base), I(6 + base)};
  Host v = random<T>(3, 1, 930, 1), w = random<T>(8, 1, 940, 1);
  Buffer<I> dp(places);
  Buffer<T> dv(typed<T>(v.a)), dw8(typed<T>(w.a));
  hipsparseSpVecDescr_t sv;
  hipsparseDnVecDescr_t dv8;
  SPARSE(hipsparseCreateSpVec(&sv, 8, 3, dp.get(), dv.get(), width, indexBase, type));
  SPARSE(hipsparseCreateDnVec(&dv8, 8, dw8.get(), type));
  T dot = zero;
  SPARSE(hipsparseSpVV(handle, HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE, sv, dv8, &dot, type, nullptr));
  Complex sum = 0;
  for (int k = 0; k < 3; k++) sum += std::conj(v(k, 0)) * w(int(places[k]) - base, 0);
  close("SpVV", std::vector<T>{dot}, {sum});
  SPARSE(hipsparseAxpby(handle, &alpha, sv, &beta, dv8));
  for (auto& x : w.a) x *= Complex(beta);
  for (int k = 0; k < 3; k++) w(int(places[k]) - base, 0) += Complex(alpha) * v(k, 0);
  close("Axpby", dw8.host(), w.a);
  SPARSE(hipsparseGather(handle, dv8, sv));
  close("Gather", dv.host(), {w.a[1], w.a[4], w.a[6]});
  SPARSE(hipsparseDnVecSetValues(dv8, dense.get()));
  SPARSE(hipsparseScatter(handle, sv, dv8));
  close("Scatter", std::vector<T>{dense.host()[4]}, {w.a[4]});

  // triangles
  Host square = random<T>(11, 11, 950, 0.5);
  for (int i = 0; i < 11; i++) square(i, i) = Of<T>::make({8.0 + i, 1});
  Sparse<T, I> csrS(square, base);
  Buffer<I> sOffsets(csrS.offsets), sColumns(csrS.columns);
  Buffer<T> sValues(csrS.values);
  hipsparseSpMatDescr_t triangle;
  SPARSE(hipsparseCreateCsr(&triangle, 11, 11, csrS.values.size(), sOffsets.get(), sColumns.get(), sValues.get(), width, width, indexBase, type));
  for (auto fill : {HIPSPARSE_FILL_MODE_LOWER, HIPSPARSE_FILL_MODE_UPPER})
    for (auto diagonal : {HIPSPARSE_DIAG_TYPE_NON_UNIT, HIPSPARSE_DIAG_TYPE_UNIT})
      for (auto op : OPS) {
        SPARSE(hipsparseSpMatSetAttribute(triangle, HIPSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        SPARSE(hipsparseSpMatSetAttribute(triangle, HIPSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
        Host t(11, 11);
        for (int i = 0; i < 11; i++)
          for (int j = 0; j < 11; j++)
            if (i == j) t(i, j) = diagonal == HIPSPARSE_DIAG_TYPE_UNIT ? 1.0 : square(i, j);
            else if ((j > i) == (fill == HIPSPARSE_FILL_MODE_UPPER)) t(i, j) = square(i, j) / 16.0;
        std::vector<T> scaled = csrS.values;
        for (size_t k = 0; k < scaled.size(); k++)
          if (csrS.rows[k] != csrS.columns[k]) scaled[k] = Of<T>::make(Complex(scaled[k]) / 16.0);
        Buffer<T> dt(scaled);
        SPARSE(hipsparseSpMatSetValues(triangle, dt.get()));
        Host x = random<T>(11, 3, 960, 1), f = t.op(op) * x;
        Buffer<T> df(typed<T>(f.a)), dx(33);
        hipsparseDnMatDescr_t mf, mx;
        SPARSE(hipsparseCreateDnMat(&mf, 11, 3, 11, df.get(), type, HIPSPARSE_ORDER_COL));
        SPARSE(hipsparseCreateDnMat(&mx, 11, 3, 11, dx.get(), type, HIPSPARSE_ORDER_COL));
        hipsparseSpSMDescr_t sm;
        SPARSE(hipsparseSpSM_createDescr(&sm));
        SPARSE(hipsparseSpSM_bufferSize(handle, op, N, &one, triangle, mf, mx, type, HIPSPARSE_SPSM_ALG_DEFAULT, sm, &bytes));
        SPARSE(hipsparseSpSM_analysis(handle, op, N, &one, triangle, mf, mx, type, HIPSPARSE_SPSM_ALG_DEFAULT, sm, first.get()));
        SPARSE(hipsparseSpSM_solve(handle, op, N, &one, triangle, mf, mx, type, HIPSPARSE_SPSM_ALG_DEFAULT, sm, first.get()));
        close("SpSM", dx.host(), x.a, 1e-4);
        SPARSE(hipsparseSpSM_destroyDescr(sm));
        hipsparseSpSVDescr_t solver;
        hipsparseDnVecDescr_t vf, vx;
        SPARSE(hipsparseCreateDnVec(&vf, 11, df.get(), type));
        SPARSE(hipsparseCreateDnVec(&vx, 11, dx.get() + 11, type));
        SPARSE(hipsparseSpSV_createDescr(&solver));
        SPARSE(hipsparseSpSV_solve(handle, op, &one, triangle, vf, vx, type, HIPSPARSE_SPSV_ALG_DEFAULT, solver));
        Host again = x;
        for (int i = 0; i < 11; i++) again(i, 1) = x(i, 0);
        close("SpSV", dx.host(), again.a, 1e-4);
        SPARSE(hipsparseSpSV_destroyDescr(solver));
      }
}

void arrays(int base) {
  hipsparseMatDescr_t description;
  SPARSE(hipsparseCreateMatDescr(&description));
  SPARSE(hipsparseSetMatIndexBase(description, static_cast<hipsparseIndexBase_t>(base)));
  auto indexBase = static_cast<hipsparseIndexBase_t>(base);
  int m = 10, n = 8;
  Host a = random<double>(m, n, 40, 0.4);
  Sparse<double, int> csr(a, base), csc(a, base, true);
  int count = csr.values.size();
  Buffer<int> offsets(csr.offsets), columns(csr.columns), rows(count), offsetsAgain(m + 1);
  Buffer<double> values(csr.values);
  SPARSE(hipsparseXcsr2coo(handle, offsets.get(), count, m, rows.get(), indexBase));
  check.same("csr2coo", rows.host(), csr.rows);
  SPARSE(hipsparseXcoo2csr(handle, rows.get(), count, m, offsetsAgain.get(), indexBase));
  check.same("coo2csr", offsetsAgain.host(), csr.offsets);
  Buffer<int> cscOffsets(n + 1), cscRows(count);
  Buffer<double> cscValues(count);
  SPARSE(hipsparseCsr2cscEx2(handle, m, n, count, values.get(), offsets.get(), columns.get(), cscValues.get(), cscOffsets.get(),
                             cscRows.get(), HIP_R_64F, HIPSPARSE_ACTION_NUMERIC, indexBase, HIPSPARSE_CSR2CSC_ALG1, nullptr));
  check.same("csc offsets", cscOffsets.host(), csc.offsets);
  check.same("csc rows", cscRows.host(), csc.columns);
  check.same("csc values", cscValues.host(), csc.values);
  Buffer<double> dense(m * n);
  SPARSE(hipsparseDcsc2dense(handle, m, n, description, cscValues.get(), cscRows.get(), cscOffsets.get(), dense.get(), m));
  close("csc2dense", dense.host(), a.a, 0);
  SPARSE(hipsparseDcsr2dense(handle, m, n, description, values.get(), offsets.get(), columns.get(), dense.get(), m));
  close("csr2dense", dense.host(), a.a, 0);
  Buffer<int> perRow(m);
  int total = 0;
  SPARSE(hipsparseDnnz(handle, HIPSPARSE_DIRECTION_ROW, m, n, description, dense.get(), m, perRow.get(), &total));
  check.same("nnz", total, count);
  Buffer<int> o2(m + 1), c2(count);
  Buffer<double> v2(count);
  SPARSE(hipsparseDdense2csr(handle, m, n, description, dense.get(), m, perRow.get(), v2.get(), o2.get(), c2.get()));
  check.same("dense2csr", c2.host(), csr.columns);
  check.same("dense2csr", v2.host(), csr.values);

  // products, with a pointer of the device for alpha
  Host x = random<double>(n, 1, 50, 1), y = random<double>(m, 1, 60, 1);
  Buffer<double> dx(typed<double>(x.a)), dy(typed<double>(y.a)), scalars(std::vector<double>{2, -1});
  SPARSE(hipsparseSetPointerMode(handle, HIPSPARSE_POINTER_MODE_DEVICE));
  SPARSE(hipsparseDcsrmv(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, m, n, count, scalars.get(), description, values.get(),
                         offsets.get(), columns.get(), dx.get(), scalars.get() + 1, dy.get()));
  SPARSE(hipsparseSetPointerMode(handle, HIPSPARSE_POINTER_MODE_HOST));
  Host want = a * x;
  for (int i = 0; i < m; i++) want(i, 0) = 2.0 * want(i, 0) - y(i, 0);
  close("csrmv", dy.host(), want.a, 1e-14);

  // blocks and back
  for (auto direction : {HIPSPARSE_DIRECTION_ROW, HIPSPARSE_DIRECTION_COLUMN}) {
    int block = 2, blocks = 0, mb = m / block, nb = n / block;
    Buffer<int> bo(mb + 1);
    SPARSE(hipsparseXcsr2bsrNnz(handle, direction, m, n, description, offsets.get(), columns.get(), block, description, bo.get(), &blocks));
    Buffer<int> bc(blocks);
    Buffer<double> bv(blocks * block * block);
    SPARSE(hipsparseDcsr2bsr(handle, direction, m, n, description, values.get(), offsets.get(), columns.get(), block, description,
                             bv.get(), bo.get(), bc.get()));
    double one = 1, zero = 0;
    SPARSE(hipsparseDbsrmv(handle, direction, HIPSPARSE_OPERATION_NON_TRANSPOSE, mb, nb, blocks, &one, description, bv.get(),
                           bo.get(), bc.get(), block, dx.get(), &zero, dy.get()));
    close("bsrmv", dy.host(), (a * x).a, 1e-14);
    Buffer<int> eo(m + 1), ec(blocks * 4);
    Buffer<double> ev(blocks * 4);
    SPARSE(hipsparseDbsr2csr(handle, direction, mb, nb, description, bv.get(), bo.get(), bc.get(), block, description, ev.get(), eo.get(), ec.get()));
    SPARSE(hipsparseDcsr2dense(handle, m, n, description, ev.get(), eo.get(), ec.get(), dense.get(), m));
    close("bsr2csr", dense.host(), a.a, 0);
  }

  // sorting
  std::vector<int> mixed = csr.columns, order(count), offs = csr.offsets;
  for (int r = 0; r < m; r++) std::reverse(mixed.begin() + offs[r] - base, mixed.begin() + offs[r + 1] - base);
  Buffer<int> dm(mixed), p(count);
  SPARSE(hipsparseCreateIdentityPermutation(handle, count, p.get()));
  SPARSE(hipsparseXcsrsort(handle, m, n, count, description, offsets.get(), dm.get(), p.get(), nullptr));
  check.same("csrsort", dm.host(), csr.columns);
  order = p.host();
  for (int k = 0; k < count; k++) check.same("permutation", mixed[order[k]], csr.columns[k]);
  std::vector<int> rr(csr.rows.rbegin(), csr.rows.rend()), rc(csr.columns.rbegin(), csr.columns.rend());
  Buffer<int> dr(rr), dc(rc);
  SPARSE(hipsparseXcoosortByRow(handle, m, n, count, dr.get(), dc.get(), p.get(), nullptr));
  check.same("coosort", dr.host(), csr.rows);
  check.same("coosort", dc.host(), csr.columns);

  // a sum
  Host b = random<double>(m, n, 70, 0.3);
  Sparse<double, int> csrB(b, base);
  Buffer<int> bo(csrB.offsets), bc(csrB.columns), so(m + 1);
  Buffer<double> bv(csrB.values);
  int sumCount = 0, countB = csrB.values.size();
  double alpha = 2, beta = -3;
  SPARSE(hipsparseXcsrgeam2Nnz(handle, m, n, description, count, offsets.get(), columns.get(), description, countB, bo.get(),
                               bc.get(), description, so.get(), &sumCount, nullptr));
  Buffer<int> sc(sumCount);
  Buffer<double> sv(sumCount);
  SPARSE(hipsparseDcsrgeam2(handle, m, n, &alpha, description, count, values.get(), offsets.get(), columns.get(), &beta, description,
                            countB, bv.get(), bo.get(), bc.get(), description, sv.get(), so.get(), sc.get(), nullptr));
  SPARSE(hipsparseDcsr2dense(handle, m, n, description, sv.get(), so.get(), sc.get(), dense.get(), m));
  Host sum(m, n);
  for (size_t i = 0; i < sum.a.size(); i++) sum.a[i] = 2.0 * a.a[i] - 3.0 * b.a[i];
  close("csrgeam2", dense.host(), sum.a, 1e-14);

  // a tridiagonal matrix: its incomplete factorizations are complete
  constexpr int size = 12;
  Host t(size, size);
  for (int i = 0; i < size; i++) {
    t(i, i) = 4.0 + i % 3;
    if (i > 0) t(i, i - 1) = t(i - 1, i) = -1.0;
  }
  Sparse<double, int> csrT(t, base);
  int countT = csrT.values.size();
  Buffer<int> to(csrT.offsets), tc(csrT.columns);
  Host solution = random<double>(size, 1, 80, 1), right = t * solution;
  hipsparseMatDescr_t lower, upper;
  SPARSE(hipsparseCreateMatDescr(&lower));
  SPARSE(hipsparseCreateMatDescr(&upper));
  SPARSE(hipsparseSetMatIndexBase(lower, indexBase));
  SPARSE(hipsparseSetMatIndexBase(upper, indexBase));
  SPARSE(hipsparseSetMatFillMode(upper, HIPSPARSE_FILL_MODE_UPPER));
  csrsv2Info_t solve;
  SPARSE(hipsparseCreateCsrsv2Info(&solve));
  double one = 1;
  auto policy = HIPSPARSE_SOLVE_POLICY_NO_LEVEL;
  auto N = HIPSPARSE_OPERATION_NON_TRANSPOSE;
  int position = 7;
  for (bool cholesky : {false, true}) {
    Buffer<double> tv(csrT.values), f(typed<double>(right.a)), z(size), got(size);
    if (cholesky) {
      csric02Info_t info;
      SPARSE(hipsparseCreateCsric02Info(&info));
      SPARSE(hipsparseDcsric02_analysis(handle, size, countT, description, tv.get(), to.get(), tc.get(), info, policy, nullptr));
      SPARSE(hipsparseDcsric02(handle, size, countT, description, tv.get(), to.get(), tc.get(), info, policy, nullptr));
      SPARSE(hipsparseXcsric02_zeroPivot(handle, info, &position));
      SPARSE(hipsparseDestroyCsric02Info(info));
    } else {
      csrilu02Info_t info;
      SPARSE(hipsparseCreateCsrilu02Info(&info));
      SPARSE(hipsparseDcsrilu02_analysis(handle, size, countT, description, tv.get(), to.get(), tc.get(), info, policy, nullptr));
      SPARSE(hipsparseDcsrilu02(handle, size, countT, description, tv.get(), to.get(), tc.get(), info, policy, nullptr));
      SPARSE(hipsparseXcsrilu02_zeroPivot(handle, info, &position));
      SPARSE(hipsparseDestroyCsrilu02Info(info));
    }
    check.same("no zero pivot", position, -1);
    SPARSE(hipsparseSetMatDiagType(lower, cholesky ? HIPSPARSE_DIAG_TYPE_NON_UNIT : HIPSPARSE_DIAG_TYPE_UNIT));
    SPARSE(hipsparseDcsrsv2_solve(handle, N, size, countT, &one, lower, tv.get(), to.get(), tc.get(), solve, f.get(), z.get(), policy, nullptr));
    SPARSE(hipsparseDcsrsv2_solve(handle, cholesky ? HIPSPARSE_OPERATION_TRANSPOSE : N, size, countT, &one, cholesky ? lower : upper,
                                  tv.get(), to.get(), tc.get(), solve, z.get(), got.get(), policy, nullptr));
    close(cholesky ? "csric02" : "csrilu02", got.host(), solution.a, 1e-12);
  }
  std::vector<double> holed = csrT.values;
  holed[0] = 0;
  Buffer<double> hv(holed), f(size), z(size);
  SPARSE(hipsparseSetMatDiagType(upper, HIPSPARSE_DIAG_TYPE_NON_UNIT));
  SPARSE(hipsparseDcsrsv2_solve(handle, N, size, countT, &one, upper, hv.get(), to.get(), tc.get(), solve, f.get(), z.get(), policy, nullptr));
  check.that("zero pivot", hipsparseXcsrsv2_zeroPivot(handle, solve, &position) == HIPSPARSE_STATUS_ZERO_PIVOT);
  check.same("its row", position, base);

  std::vector<double> dl(size, -1), d(size), du(size, -1);
  for (int i = 0; i < size; i++) d[i] = t(i, i).real();
  dl[0] = du[size - 1] = 99;
  Buffer<double> l(dl), dd(d), u(du), g(typed<double>(right.a)), h(typed<double>(right.a));
  SPARSE(hipsparseDgtsv2(handle, size, 1, l.get(), dd.get(), u.get(), g.get(), size, nullptr));
  close("gtsv2", g.host(), solution.a, 1e-12);
  SPARSE(hipsparseDgtsv2_nopivot(handle, size, 1, l.get(), dd.get(), u.get(), h.get(), size, nullptr));
  close("gtsv2_nopivot", h.host(), solution.a, 1e-12);
}

__global__ void slowly(double* x, int n, int rounds) {
  float sum = 0;
  for (int r = 0; r < rounds; r++) sum += __sinf(float(r)) * 0.0f;
  if (threadIdx.x < n) x[threadIdx.x] = threadIdx.x + 1 + sum;
}

/** A product reads what a slow kernel writes, in a stream and in a graph. */
void streams() {
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  SPARSE(hipsparseSetStream(handle, stream));
  Host a = random<double>(6, 5, 15, 0.6), x(5, 1);
  for (int i = 0; i < 5; i++) x(i, 0) = i + 1;
  Sparse<double, int> csr(a, 0);
  Buffer<int> offsets(csr.offsets), columns(csr.columns);
  Buffer<double> values(csr.values), dx(5), dy(6);
  hipsparseSpMatDescr_t matrix;
  hipsparseDnVecDescr_t vx, vy;
  SPARSE(hipsparseCreateCsr(&matrix, 6, 5, csr.values.size(), offsets.get(), columns.get(), values.get(), HIPSPARSE_INDEX_32I,
                            HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_64F));
  SPARSE(hipsparseCreateDnVec(&vx, 5, dx.get(), HIP_R_64F));
  SPARSE(hipsparseCreateDnVec(&vy, 6, dy.get(), HIP_R_64F));
  double one = 1, zero = 0;
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  slowly<<<1, 64, 0, stream>>>(dx.get(), 5, 20000);
  SPARSE(hipsparseSpMV(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vx, &zero, vy, HIP_R_64F, HIPSPARSE_SPMV_ALG_DEFAULT, nullptr));
  HIP(hipStreamEndCapture(stream, &graph));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  SPARSE(hipsparseDestroySpMat(matrix));
  for (int i = 0; i < 2; i++) {
    HIP(hipMemset(dx.get(), 0, 40));
    HIP(hipStreamSynchronize(nullptr));
    HIP(hipGraphLaunch(exec, stream));
    HIP(hipStreamSynchronize(stream));
    close("graph", dy.host(), (a * x).a, 1e-14);
  }
  SPARSE(hipsparseSetStream(handle, nullptr));
}

int main() {
  SPARSE(hipsparseCreate(&handle));
  generic<float, int>(0);
  generic<double, int64_t>(1);
  generic<std::complex<float>, int>(1);
  generic<std::complex<double>, int>(0);
  arrays(0);
  arrays(1);
  streams();
  check.that("no handle", hipsparseSetStream(nullptr, nullptr) == HIPSPARSE_STATUS_NOT_INITIALIZED);
  check.that("no matrix", hipsparseDestroyMatDescr(nullptr) == HIPSPARSE_STATUS_SUCCESS);
  SPARSE(hipsparseDestroy(handle));
  return check.end();
}
