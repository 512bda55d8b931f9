// The generic interface's operations.
#include "descriptors.h"

struct hipsparseSpGEMMDescr {
  std::shared_ptr<rocport::sparse::Rows<rocport::Z>> product;
};
struct hipsparseSpSVDescr {};
struct hipsparseSpSMDescr {};

namespace rocport::sparse {
namespace {

const Matrix& matrix(Call& call) {
  const Matrix& made = matrixOf(call.pointer<void>());
  require(made.format != Format::BLOCKED_ELL, HIPSPARSE_STATUS_NOT_SUPPORTED);
  return made;
}

const Dense& dense(Call& call) { return denseOf(call.pointer<void>()); }
const DenseVector& vector(Call& call) { return vectorOf(call.pointer<void>()); }
const SparseVector& sparseVector(Call& call) { return sparseVectorOf(call.pointer<void>()); }

hipDataType computeType(int64_t argument) {
  auto type = static_cast<hipDataType>(argument);
  require(Values::known(type), HIPSPARSE_STATUS_NOT_SUPPORTED);
  return type;
}

/** A scalar whose type is given by a later argument. */
struct Untyped {
  void* at;
  Scalar as(Call& call, hipDataType type) const { return {{at, type}, call.hostPointers()}; }
};

Untyped untyped(Call& call) {
  void* at = call.pointer<void>();
  require(at != nullptr);
  return {at};
}

int64_t rowsAfter(const Matrix& a, Turn turn) { return turn.transposed ? a.columns : a.rows; }
int64_t columnsAfter(const Matrix& a, Turn turn) { return turn.transposed ? a.rows : a.columns; }
int64_t rowsAfter(const Dense& a, Turn turn) { return turn.transposed ? a.columns : a.rows; }
int64_t columnsAfter(const Dense& a, Turn turn) { return turn.transposed ? a.rows : a.columns; }

/** The triangle that op(A) has. */
bool upperAfter(const Matrix& a, Turn turn) { return a.upper != turn.transposed; }

void axpby(Call& call) {
  auto alpha = untyped(call);
  SparseVector x = sparseVector(call);
  auto beta = untyped(call);
  DenseVector y = vector(call);
  require(x.size == y.size);
  auto type = y.values.type;
  Scalar a = alpha.as(call, type);
  Scalar b = beta.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      W scale = b.get<W>();
      for (int64_t i = 0; i < y.size; i++) {
        y.values.set(i, scaled(scale, [&] { return y.values.get<W>(i); }));
      }
      for (int64_t k = 0; k < x.count; k++) {
        int64_t i = x.indices[k] - x.base;
        y.values.set(i, a.get<W>() * x.values.get<W>(k) + y.values.get<W>(i));
      }
    });
  });
}

void gather(Call& call) {
  DenseVector y = vector(call);
  SparseVector x = sparseVector(call);
  require(x.size == y.size);
  call.run([=] {
    for (int64_t k = 0; k < x.count; k++) x.values.set(k, y.values.get<Z>(x.indices[k] - x.base));
  });
}

void scatter(Call& call) {
  SparseVector x = sparseVector(call);
  DenseVector y = vector(call);
  require(x.size == y.size);
  call.run([=] {
    for (int64_t k = 0; k < x.count; k++) y.values.set(x.indices[k] - x.base, x.values.get<Z>(k));
  });
}

void rot(Call& call) {
  auto cosine = untyped(call);
  auto sine = untyped(call);
  SparseVector x = sparseVector(call);
  DenseVector y = vector(call);
  require(x.size == y.size);
  auto type = x.values.type;
  Scalar c = cosine.as(call, type);
  Scalar s = sine.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      for (int64_t k = 0; k < x.count; k++) {
        int64_t i = x.indices[k] - x.base;
        W a = x.values.get<W>(k);
        W b = y.values.get<W>(i);
        x.values.set(k, c.get<W>() * a + s.get<W>() * b);
        y.values.set(i, c.get<W>() * b - s.get<W>() * a);
      }
    });
  });
}

void dotBuffer(Call& call) {
  call.skip(5);
  call.bufferSize<size_t>();
}

void dot(Call& call) {
  Turn turn = call.turn();
  SparseVector x = sparseVector(call);
  DenseVector y = vector(call);
  require(x.size == y.size);
  void* at = call.result<void>();
  auto type = computeType(call.integer());
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      W sum = W(0);
      for (int64_t k = 0; k < x.count; k++) {
        W value = x.values.get<W>(k);
        if (turn.conjugated) value = conjugate(value);
        sum += value * y.values.get<W>(x.indices[k] - x.base);
      }
      Values{at, type}.set(0, sum);
    });
  });
}

/** op, alpha, A, x, beta, y, type, algorithm. */
void mvBuffer(Call& call) {
  call.skip(8);
  call.bufferSize<size_t>();
}

void nothing(Call&) {}

void mv(Call& call) {
  Turn turn = call.turn();
  auto alpha = untyped(call);
  Matrix a = matrix(call);
  DenseVector x = vector(call);
  auto beta = untyped(call);
  DenseVector y = vector(call);
  auto type = computeType(call.integer());
  require(x.size == columnsAfter(a, turn) && y.size == rowsAfter(a, turn));
  Scalar first = alpha.as(call, type);
  Scalar second = beta.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      multiply(rowsOf<W>(a, turn), first.get<W>(), x.values, second.get<W>(), y.values);
    });
  });
}

void mmBuffer(Call& call) {
  call.skip(9);
  call.bufferSize<size_t>();
}

void mm(Call& call) {
  Turn turnA = call.turn();
  Turn turnB = call.turn();
  auto alpha = untyped(call);
  Matrix a = matrix(call);
  Dense b = dense(call);
  auto beta = untyped(call);
  Dense c = dense(call);
  auto type = computeType(call.integer());
  require(rowsAfter(a, turnA) == c.rows && columnsAfter(a, turnA) == rowsAfter(b, turnB) &&
          columnsAfter(b, turnB) == c.columns);
  Scalar first = alpha.as(call, type);
  Scalar second = beta.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      for (int64_t i = 0; i < c.batches; i++) {
        auto rows = rowsOf<W>(a.batches > 1 ? a.batch(i) : a, turnA);
        multiply(rows, first.get<W>(), b.batches > 1 ? b.batch(i) : b, turnB, second.get<W>(),
                 c.batch(i));
      }
    });
  });
}

void sddmm(Call& call) {
  Turn turnA = call.turn();
  Turn turnB = call.turn();
  auto alpha = untyped(call);
  Dense a = dense(call);
  Dense b = dense(call);
  auto beta = untyped(call);
  Matrix c = matrix(call);
  auto type = computeType(call.integer());
  int64_t inner = columnsAfter(a, turnA);
  require(rowsAfter(a, turnA) == c.rows && inner == rowsAfter(b, turnB) &&
          columnsAfter(b, turnB) == c.columns);
  Scalar first = alpha.as(call, type);
  Scalar second = beta.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      W scale = second.get<W>();
      for (int64_t batch = 0; batch < c.batches; batch++) {
        Matrix to = c.batch(batch);
        Dense left = a.batch(batch);
        Dense right = b.batch(batch);
        elements(to, [&](int64_t row, int64_t column, int64_t k) {
          W sum = W(0);
          for (int64_t i = 0; i < inner; i++) {
            sum += left.get<W>(row, i, turnA) * right.get<W>(i, column, turnB);
          }
          W old = scaled(scale, [&] { return to.values.get<W>(k); });
          to.values.set(k, first.get<W>() * sum + old);
        });
      }
    });
  });
}

void toDenseBuffer(Call& call) {
  call.skip(3);
  call.bufferSize<size_t>();
}

void toDense(Call& call) {
  Matrix a = matrix(call);
  Dense b = dense(call);
  require(a.rows == b.rows && a.columns == b.columns);
  call.run([=] {
    for (int64_t i = 0; i < b.rows; i++) {
      for (int64_t j = 0; j < b.columns; j++) b.set(i, j, Z());
    }
    elements(a, [&](int64_t r, int64_t c, int64_t k) { b.set(r, c, a.values.get<Z>(k)); });
  });
}

Rows<Z> nonZeros(const Dense& a) {
  Made<Z> made(a.rows, a.columns);
  for (int64_t i = 0; i < a.rows; i++) {
    for (int64_t j = 0; j < a.columns; j++) {
      Z value = a.get<Z>(i, j);
      if (value != Z(0)) made.add(j, value);
    }
    made.endRow();
  }
  return made.all();
}

/** Counts what is not 0, which the program then makes room for. */
void fromDenseAnalysis(Call& call) {
  Dense a = dense(call);
  Matrix& b = const_cast<Matrix&>(matrix(call));
  require(a.rows == b.rows && a.columns == b.columns);
  call.runNow([&] {
    Rows<Z> found = nonZeros(a);
    b.count = found.count();
    Matrix offsets = b;
    offsets.indices.at = nullptr;
    offsets.values.at = nullptr;
    if (b.format == Format::CSR || b.format == Format::CSC) write(found, offsets);
  });
}

void fromDense(Call& call) {
  Dense a = dense(call);
  Matrix b = matrix(call);
  require(a.rows == b.rows && a.columns == b.columns);
  call.run([=] { write(nonZeros(a), b); });
}

/** Returns the size if there is no buffer yet; otherwise the program continues. */
bool asksForSize(Call& call) {
  size_t& size = call.object<size_t>();
  if (call.pointer<void>() != nullptr) return false;
  size = 256;
  return true;
}

void gemmEstimate(Call& call) {
  call.skip(10);
  asksForSize(call);
}

struct Gemm {
  Turn turnA;
  Turn turnB;
  void* alpha = nullptr;
  Matrix a;
  Matrix b;
  void* beta = nullptr;
  Matrix* c = nullptr;
  hipDataType type = HIP_C_64F;
  hipsparseSpGEMMDescr* descriptor = nullptr;

  Scalar scalar(Call& call, void* at) const { return {{at, type}, call.hostPointers()}; }
};

/** scaled: whether the call has alpha, beta and a type. */
Gemm gemmOf(Call& call, bool scaled) {
  Gemm gemm;
  gemm.turnA = call.turn();
  gemm.turnB = call.turn();
  if (scaled) gemm.alpha = untyped(call).at;
  gemm.a = matrix(call);
  gemm.b = matrix(call);
  if (scaled) gemm.beta = untyped(call).at;
  gemm.c = const_cast<Matrix*>(&matrix(call));
  if (scaled) gemm.type = computeType(call.integer());
  call.skip();
  gemm.descriptor = &call.object<hipsparseSpGEMMDescr>();
  require(rowsAfter(gemm.a, gemm.turnA) == gemm.c->rows &&
          columnsAfter(gemm.a, gemm.turnA) == rowsAfter(gemm.b, gemm.turnB) &&
          columnsAfter(gemm.b, gemm.turnB) == gemm.c->columns);
  return gemm;
}

Rows<Z> productOf(const Gemm& gemm, Z alpha) {
  return product(rowsOf<Z>(gemm.a, gemm.turnA), rowsOf<Z>(gemm.b, gemm.turnB), alpha);
}

/** The product waits in the descriptor until there is room for it. */
void gemmMake(Call& call, const Gemm& gemm, const Scalar* alpha) {
  call.runNow([&] {
    Z factor = alpha ? alpha->get<Z>() : Z(1);
    gemm.descriptor->product = std::make_shared<Rows<Z>>(productOf(gemm, factor));
    gemm.c->count = gemm.descriptor->product->count();
  });
}

void gemmCompute(Call& call) {
  Gemm gemm = gemmOf(call, true);
  if (asksForSize(call)) return;
  Scalar alpha = gemm.scalar(call, gemm.alpha);
  gemmMake(call, gemm, &alpha);
}

void gemmCopy(Call& call) {
  Gemm gemm = gemmOf(call, true);
  auto made = gemm.descriptor->product;
  require(made != nullptr);
  Scalar beta = gemm.scalar(call, gemm.beta);
  Matrix c = *gemm.c;
  call.run([=] {
    Z scale = beta.get<Z>();
    if (scale != Z(0)) {
      // C holds the pattern that the product has.
      Rows<Z> old = rowsOf<Z>(c);
      old.sort();
      write(sum(*made, Z(1), old, scale), c);
    } else {
      write(*made, c);
    }
  });
}

void gemmReuseEstimate(Call& call) {
  call.skip(7);
  asksForSize(call);
}

void gemmReuseCount(Call& call) {
  Gemm gemm = gemmOf(call, false);
  bool size = asksForSize(call);
  for (int i = 0; i < 2; i++) size = asksForSize(call) || size;
  if (!size) gemmMake(call, gemm, nullptr);
}

/** Offsets and columns; the numbers come with each computation. */
void gemmReuseCopy(Call& call) {
  Gemm gemm = gemmOf(call, false);
  if (asksForSize(call)) return;
  auto made = gemm.descriptor->product;
  require(made != nullptr);
  Matrix c = *gemm.c;
  c.values.at = nullptr;
  call.run([=] { write(*made, c); });
}

void gemmReuseCompute(Call& call) {
  Gemm gemm = gemmOf(call, true);
  Scalar alpha = gemm.scalar(call, gemm.alpha);
  Scalar beta = gemm.scalar(call, gemm.beta);
  Matrix c = *gemm.c;
  gemm.c = nullptr;
  call.run([=] {
    Rows<Z> made = productOf(gemm, alpha.get<Z>());
    Z scale = beta.get<Z>();
    for (int64_t k = 0; k < made.count(); k++) {
      c.values.set(k, made.value[k] + scaled(scale, [&] { return c.values.get<Z>(k); }));
    }
  });
}

void svBuffer(Call& call) {
  call.skip(8);
  call.bufferSize<size_t>();
}

void sv(Call& call) {
  Turn turn = call.turn();
  auto alpha = untyped(call);
  Matrix a = matrix(call);
  DenseVector x = vector(call);
  DenseVector y = vector(call);
  auto type = computeType(call.integer());
  require(a.rows == a.columns && x.size == a.rows && y.size == a.rows);
  Scalar factor = alpha.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      solve(
          rowsOf<W>(a, turn), upperAfter(a, turn), a.unit,
          [&](int64_t r) { return factor.get<W>() * x.values.get<W>(r); },
          [&](int64_t r, W value) { y.values.set(r, value); });
    });
  });
}

void smBuffer(Call& call) {
  call.skip(9);
  call.bufferSize<size_t>();
}

void sm(Call& call) {
  Turn turnA = call.turn();
  Turn turnB = call.turn();
  auto alpha = untyped(call);
  Matrix a = matrix(call);
  Dense b = dense(call);
  Dense c = dense(call);
  auto type = computeType(call.integer());
  require(a.rows == a.columns && rowsAfter(b, turnB) == a.rows && c.rows == a.rows &&
          columnsAfter(b, turnB) == c.columns);
  Scalar factor = alpha.as(call, type);
  call.run([=] {
    inWide(isComplex(type), [&](auto zero) {
      using W = decltype(zero);
      auto rows = rowsOf<W>(a, turnA);
      // C may be the same memory as B.
      std::vector<W> right(c.rows * c.columns);
      for (int64_t j = 0; j < c.columns; j++) {
        for (int64_t r = 0; r < c.rows; r++) right[j * c.rows + r] = b.get<W>(r, j, turnB);
      }
      for (int64_t j = 0; j < c.columns; j++) {
        solve(
            rows, upperAfter(a, turnA), a.unit,
            [&](int64_t r) { return factor.get<W>() * right[j * c.rows + r]; },
            [&](int64_t r, W value) { c.set(r, j, value); });
      }
    });
  });
}

template <class T>
hipsparseStatus_t created(T** to) {
  return guarded([&] {
    require(to != nullptr);
    *to = new T;
  });
}

}  // namespace
}  // namespace rocport::sparse

using namespace rocport;
using namespace rocport::sparse;

extern "C" {

hipsparseStatus_t hipsparseSpGEMM_createDescr(hipsparseSpGEMMDescr_t* to) { return created(to); }
hipsparseStatus_t hipsparseSpSV_createDescr(hipsparseSpSVDescr_t* to) { return created(to); }
hipsparseStatus_t hipsparseSpSM_createDescr(hipsparseSpSMDescr_t* to) { return created(to); }

hipsparseStatus_t hipsparseSpGEMM_destroyDescr(hipsparseSpGEMMDescr_t descriptor) {
  delete descriptor;
  return HIPSPARSE_STATUS_SUCCESS;
}

hipsparseStatus_t hipsparseSpSV_destroyDescr(hipsparseSpSVDescr_t descriptor) {
  delete descriptor;
  return HIPSPARSE_STATUS_SUCCESS;
}

hipsparseStatus_t hipsparseSpSM_destroyDescr(hipsparseSpSMDescr_t descriptor) {
  delete descriptor;
  return HIPSPARSE_STATUS_SUCCESS;
}

}  // extern "C"

// Analyses and preprocessing have nothing to prepare here: the computations do all their work.
ONE(Axpby, axpby)
ONE(Gather, gather)
ONE(Scatter, scatter)
ONE(Rot, rot)
ONE(SpVV_bufferSize, dotBuffer)
ONE(SpVV, dot)
ONE(SpMV_bufferSize, mvBuffer)
ONE(SpMV_preprocess, nothing)
ONE(SpMV, mv)
ONE(SpMM_bufferSize, mmBuffer)
ONE(SpMM_preprocess, nothing)
ONE(SpMM, mm)
ONE(SDDMM_bufferSize, mmBuffer)
ONE(SDDMM_preprocess, nothing)
ONE(SDDMM, sddmm)
ONE(SparseToDense_bufferSize, toDenseBuffer)
ONE(SparseToDense, toDense)
ONE(DenseToSparse_bufferSize, toDenseBuffer)
ONE(DenseToSparse_analysis, fromDenseAnalysis)
ONE(DenseToSparse_convert, fromDense)
ONE(SpGEMM_workEstimation, gemmEstimate)
ONE(SpGEMM_compute, gemmCompute)
ONE(SpGEMM_copy, gemmCopy)
ONE(SpGEMMreuse_workEstimation, gemmReuseEstimate)
ONE(SpGEMMreuse_nnz, gemmReuseCount)
ONE(SpGEMMreuse_copy, gemmReuseCopy)
ONE(SpGEMMreuse_compute, gemmReuseCompute)
ONE(SpSV_bufferSize, svBuffer)
ONE(SpSV_analysis, nothing)
ONE(SpSV_solve, sv)
ONE(SpSM_bufferSize, smBuffer)
ONE(SpSM_analysis, nothing)
ONE(SpSM_solve, sm)
