// Argument readers for the bodies of hipSPARSE functions.
#pragma once

#include <hipsparse/hipsparse.h>

#include <memory>

#include "../dense/entry.h"
#include "../library/in_order.h"
#include "../library/outcome.h"
#include "algebra.h"

namespace rocport::sparse {

struct Handle {
  hipStream_t stream = nullptr;
  hipsparsePointerMode_t pointers = HIPSPARSE_POINTER_MODE_HOST;
};

struct Description {
  hipsparseMatrixType_t type = HIPSPARSE_MATRIX_TYPE_GENERAL;
  hipsparseFillMode_t fill = HIPSPARSE_FILL_MODE_LOWER;
  hipsparseDiagType_t diagonal = HIPSPARSE_DIAG_TYPE_NON_UNIT;
  hipsparseIndexBase_t base = HIPSPARSE_INDEX_BASE_ZERO;
};

/** What a solver or a factorization leaves: the first bad row. The work in a stream holds it. */
struct Info {
  std::shared_ptr<int64_t> pivot = std::make_shared<int64_t>(-1);
  bool boost = false;
  const double* tolerance = nullptr;
  Values boosted;
};

using Refusal = rocport::Refusal<hipsparseStatus_t>;

inline void require(bool holds, hipsparseStatus_t otherwise = HIPSPARSE_STATUS_INVALID_VALUE) {
  if (!holds) throw Refusal{otherwise};
}

template <class T>
constexpr hipDataType typeOf() {
  if constexpr (std::is_same_v<T, float>) return HIP_R_32F;
  if constexpr (std::is_same_v<T, double>) return HIP_R_64F;
  if constexpr (std::is_same_v<T, Complex<float>>) return HIP_C_32F;
  return HIP_C_64F;
}

/** A number that is read when the call is made, or when the work is done. */
class Scalar {
 public:
  Scalar(Values at, bool now) : at_(at), now_(now) {
    if (now && at.at) value_ = at.get<Z>(0);
  }

  template <class W>
  W get() const {
    Z value = now_ ? value_ : at_.get<Z>(0);
    if constexpr (IsComplex<W>::value) {
      return value;
    } else {
      return value.re;
    }
  }

 private:
  Values at_;
  bool now_;
  Z value_;
};

inline Turn turnOf(int64_t operation) {
  require(operation >= HIPSPARSE_OPERATION_NON_TRANSPOSE &&
          operation <= HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  return {operation != HIPSPARSE_OPERATION_NON_TRANSPOSE,
          operation == HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

class Call {
 public:
  explicit Call(Arguments& arguments) : arguments_(arguments) {
    handle_ = arguments.pointer<Handle>();
    require(handle_ != nullptr, HIPSPARSE_STATUS_NOT_INITIALIZED);
  }

  Handle& handle() const { return *handle_; }
  bool hostPointers() const { return handle_->pointers == HIPSPARSE_POINTER_MODE_HOST; }

  int64_t integer() { return arguments_.integer(); }
  double real() { return arguments_.real(); }
  void skip(int count = 1) {
    for (int i = 0; i < count; i++) arguments_.integer();
  }

  int64_t size() {
    int64_t n = integer();
    require(n >= 0);
    return n;
  }

  Turn turn() { return turnOf(integer()); }

  /** Whether blocks are stored row after row, or rows are counted. */
  bool byRows() {
    int64_t direction = integer();
    require(direction == HIPSPARSE_DIRECTION_ROW || direction == HIPSPARSE_DIRECTION_COLUMN);
    return direction == HIPSPARSE_DIRECTION_ROW;
  }

  int base() {
    int64_t value = integer();
    require(value == HIPSPARSE_INDEX_BASE_ZERO || value == HIPSPARSE_INDEX_BASE_ONE);
    return static_cast<int>(value);
  }

  template <class T>
  T* pointer() {
    return arguments_.pointer<T>();
  }

  template <class T>
  T& object() {
    T* at = pointer<T>();
    require(at != nullptr);
    return *at;
  }

  template <class T>
  Values values() {
    return {pointer<void>(), typeOf<T>()};
  }

  Indices indices() { return {pointer<void>(), false}; }

  Scalar scalar(hipDataType type) {
    Values at{pointer<void>(), type};
    require(at.at != nullptr);
    return {at, hostPointers()};
  }

  template <class T>
  Scalar scalar() {
    return scalar(typeOf<T>());
  }

  /** A result in host or device memory, as set in the handle: waits for the work if it is host memory. */
  template <class T>
  T* result() {
    if (hostPointers()) wait_ = true;
    T* at = pointer<T>();
    require(at != nullptr);
    return at;
  }

  /** A matrix with a description, values, offsets and indices in this order. */
  template <class T>
  Matrix csr(int64_t rows, int64_t columns, int64_t count) {
    const Description& description = object<Description>();
    Matrix made = described(description, rows, columns, count);
    made.values = values<T>();
    made.offsets = indices();
    made.indices = indices();
    return made;
  }

  Matrix described(const Description& description, int64_t rows, int64_t columns, int64_t count) {
    Matrix made;
    made.rows = rows;
    made.columns = columns;
    made.count = count;
    made.base = description.base;
    made.upper = description.fill == HIPSPARSE_FILL_MODE_UPPER;
    made.unit = description.diagonal == HIPSPARSE_DIAG_TYPE_UNIT;
    made.type = description.type;
    return made;
  }

  /** The sizes of blocks come after the arrays. */
  void blocks(Matrix& matrix, bool byRows, int64_t height, int64_t width) {
    require(height > 0 && width > 0);
    matrix.format = Format::BSR;
    matrix.rowMajorBlocks = byRows;
    matrix.blockRows = height;
    matrix.blockColumns = width;
    matrix.rows *= height;
    matrix.columns *= width;
  }

  /** Puts work into the stream; a result for the host is waited for. */
  void run(Work work) {
    hipError_t error = inOrder(handle_->stream, std::move(work));
    if (error == hipSuccess && wait_) error = hipStreamSynchronize(handle_->stream);
    require(error == hipSuccess, HIPSPARSE_STATUS_INTERNAL_ERROR);
  }

  /** Does work after all that the stream holds, and waits for it. */
  void runNow(const Work& work) {
    require(inOrderNow(handle_->stream, work) == hipSuccess, HIPSPARSE_STATUS_INTERNAL_ERROR);
  }

  /** Buffers are not needed, but a program may interpret the size as a sign of success. */
  template <class Size>
  void bufferSize() {
    object<Size>() = 256;
  }

 private:
  Arguments& arguments_;
  Handle* handle_;
  bool wait_ = false;
};

/** The status of what a call does. */
template <class Body>
hipsparseStatus_t guarded(Body body) noexcept {
  return outcome(HIPSPARSE_STATUS_SUCCESS, HIPSPARSE_STATUS_ALLOC_FAILED, HIPSPARSE_STATUS_INTERNAL_ERROR, body);
}

}  // namespace rocport::sparse

namespace rocport {

inline hipsparseStatus_t entered(void (*body)(sparse::Call&), Arguments& arguments) {
  return sparse::guarded([&] {
    sparse::Call call(arguments);
    body(call);
  });
}

}  // namespace rocport

// NAME(letter) defines a function for each number type.
#define TYPES(name, body)                                           \
  ENTRY(hipsparseS##name, Form::SINGLE, body<float>)                \
  ENTRY(hipsparseD##name, Form::SINGLE, body<double>)               \
  ENTRY(hipsparseC##name, Form::SINGLE, body<Complex<float>>)       \
  ENTRY(hipsparseZ##name, Form::SINGLE, body<Complex<double>>)
#define REAL_TYPES(name, body)                       \
  ENTRY(hipsparseS##name, Form::SINGLE, body<float>) \
  ENTRY(hipsparseD##name, Form::SINGLE, body<double>)
#define ONE(name, body) ENTRY(hipsparse##name, Form::SINGLE, body)
