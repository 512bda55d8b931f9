// Argument readers for the bodies of hipBLAS functions.
#pragma once

#include <hipblas/hipblas.h>

#include <optional>

#include "../dense/entry.h"
#include "../dense/matrix.h"
#include "../library/in_order.h"
#include "../library/outcome.h"

namespace rocport::blas {

struct Handle {
  hipStream_t stream = nullptr;
  hipblasPointerMode_t pointers = HIPBLAS_POINTER_MODE_HOST;
  hipblasMath_t math = HIPBLAS_DEFAULT_MATH;
  hipblasAtomicsMode_t atomics = HIPBLAS_ATOMICS_ALLOWED;
};

using Refusal = rocport::Refusal<hipblasStatus_t>;

inline void require(bool holds, hipblasStatus_t otherwise = HIPBLAS_STATUS_INVALID_VALUE) {
  if (!holds) throw Refusal{otherwise};
}

/** op(A). */
struct Turn {
  bool transposed;
  bool conjugated;
};

/** A number that is read when the call is made, or when the work is done. */
template <class T>
class Scalar {
 public:
  Scalar(const T* at, bool now) : at_(at), value_(now && at ? std::optional<T>(*at) : std::nullopt) {}
  Wide<T> operator()() const { return widen<T>(value_ ? *value_ : *at_); }

 private:
  const T* at_;
  std::optional<T> value_;
};

/** The first elements of each of a batch. */
template <class T>
class Batch {
 public:
  Batch(Form form, void* at, int64_t stride) : form_(form), at_(at), stride_(stride) {}

  // An array of pointers is in device memory, and earlier work in the stream may write it.
  T* operator()(int64_t b) const {
    return form_ == Form::BATCHED ? static_cast<T* const*>(at_)[b] : static_cast<T*>(at_) + b * stride_;
  }

 private:
  Form form_;
  void* at_;
  int64_t stride_;
};

template <class T>
struct Vectors {
  Batch<T> batch;
  int64_t n;
  int64_t inc;
  Vector<T> operator()(int64_t b) const { return {batch(b), n, inc}; }
};

template <class T>
struct Operands {
  Batch<const T> batch;
  Layout layout;
  Turn turn = {false, false};
  Operand<T> operator()(int64_t b) const { return {batch(b), layout, turn.transposed, turn.conjugated}; }
};

template <class T>
struct Targets {
  Batch<T> batch;
  Layout layout;
  Target<T> operator()(int64_t b) const { return {batch(b), layout}; }
};

class Call {
 public:
  explicit Call(Arguments& arguments) : arguments_(arguments) {
    handle_ = arguments.pointer<Handle>();
    require(handle_ != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
  }

  Handle& handle() const { return *handle_; }
  Form form() const { return arguments_.form; }

  int64_t integer() { return arguments_.integer(); }
  int64_t later(int count) const { return arguments_.later(count); }

  /** A number of rows, columns or diagonals. */
  int64_t size() {
    int64_t n = integer();
    require(n >= 0);
    return n;
  }

  Turn turn() {
    switch (integer()) {
      case HIPBLAS_OP_N:
        return {false, false};
      case HIPBLAS_OP_T:
        return {true, false};
      case HIPBLAS_OP_C:
        return {true, true};
    }
    throw Refusal{HIPBLAS_STATUS_INVALID_ENUM};
  }

  bool upper() { return either(HIPBLAS_FILL_MODE_UPPER, HIPBLAS_FILL_MODE_LOWER); }
  bool left() { return either(HIPBLAS_SIDE_LEFT, HIPBLAS_SIDE_RIGHT); }
  bool unit() { return either(HIPBLAS_DIAG_UNIT, HIPBLAS_DIAG_NON_UNIT); }

  template <class T>
  T* pointer(bool needed = true) {
    T* at = arguments_.pointer<T>();
    if (needed && at == nullptr) null_ = true;
    return at;
  }

  /** In host or device memory, as set in the handle. */
  template <class T>
  Scalar<T> scalar() {
    return {pointer<const T>(), handle_->pointers == HIPBLAS_POINTER_MODE_HOST};
  }

  /** A result or a few numbers that are changed, in host or device memory: host memory is waited for. */
  template <class T>
  T* result() {
    if (handle_->pointers == HIPBLAS_POINTER_MODE_HOST) wait_ = true;
    return pointer<T>();
  }

  /** Numbers in a row. */
  template <class T>
  Batch<T> items() {
    void* at = pointer<void>();
    return {form(), at, stride()};
  }

  /** The same where they are changed, in host or device memory. */
  template <class T>
  Batch<T> changed() {
    void* at = result<void>();
    return {form(), at, stride()};
  }

  template <class T>
  Vectors<T> vector(int64_t n) {
    void* at = pointer<void>();
    int64_t inc = integer();
    return {{form(), at, stride()}, n, inc};
  }

  /** The same for levels 2 and 3, where an increment of 0 is an error. */
  template <class T>
  Vectors<T> strictVector(int64_t n) {
    auto vector = this->vector<T>(n);
    require(vector.inc != 0);
    return vector;
  }

  template <class T>
  Operands<T> operand(Layout layout, Turn turn = {false, false}) {
    void* at = pointer<void>();
    if (layout.storage != Storage::PACKED) layout.ld = leading(layout);
    return {{form(), at, stride()}, layout, turn};
  }

  template <class T>
  Targets<T> target(Layout layout) {
    void* at = pointer<void>();
    if (layout.storage != Storage::PACKED) layout.ld = leading(layout);
    return {{form(), at, stride()}, layout};
  }

  int64_t leading(const Layout& layout) {
    int64_t ld = integer();
    int64_t least = layout.storage == Storage::BAND ? layout.above + layout.below + 1 : layout.rows;
    require(ld >= std::max<int64_t>(1, least));
    return ld;
  }

  int64_t stride() { return form() == Form::STRIDED ? integer() : 0; }

  /** Where a function has its batch count. */
  int64_t batches() {
    if (!batches_) batches_ = form() == Form::SINGLE ? 1 : size();
    return *batches_;
  }

  /** Enqueues work(b) for each element of the batch, or nothing if there is nothing to do. */
  template <class Work>
  void run(bool something, Work work) {
    int64_t count = batches();
    if (!something || count == 0) return;
    require(!null_);
    submit([=] {
      for (int64_t b = 0; b < count; b++) work(b);
    });
  }

  void submit(std::function<void()> work) {
    hipError_t result = inOrder(handle_->stream, std::move(work));
    if (result == hipSuccess && wait_) result = hipStreamSynchronize(handle_->stream);
    require(result == hipSuccess, HIPBLAS_STATUS_INTERNAL_ERROR);
  }

 private:
  Arguments& arguments_;
  Handle* handle_;
  bool null_ = false;
  bool wait_ = false;
  std::optional<int64_t> batches_;

  bool either(int64_t yes, int64_t no) {
    int64_t value = integer();
    require(value == yes || value == no, HIPBLAS_STATUS_INVALID_ENUM);
    return value == yes;
  }
};

/** The status of what a call does. */
template <class Body>
hipblasStatus_t guarded(Body body) noexcept {
  return outcome(HIPBLAS_STATUS_SUCCESS, HIPBLAS_STATUS_ALLOC_FAILED, HIPBLAS_STATUS_INTERNAL_ERROR, body);
}

}  // namespace rocport::blas

namespace rocport {

inline hipblasStatus_t entered(void (*body)(blas::Call&), Arguments& arguments) {
  return blas::guarded([&] {
    blas::Call call(arguments);
    body(call);
  });
}

namespace blas {

/** The hipDataType of a type: rocblas_datatype, and hipblasDatatype_t before hipBLAS 3, have numbers of their own. */
inline int64_t dataType(int64_t number) {
  switch (number) {
    case 150: return HIP_R_16F;
    case 151: return HIP_R_32F;
    case 152: return HIP_R_64F;
    case 153: return HIP_C_16F;
    case 154: return HIP_C_32F;
    case 155: return HIP_C_64F;
    case 160: return HIP_R_8I;
    case 161: return HIP_R_8U;
    case 162: return HIP_R_32I;
    case 163: return HIP_R_32U;
    case 168: return HIP_R_16BF;
    case 169: return HIP_C_16BF;
  }
  return number;
}

}  // namespace blas

}  // namespace rocport

// Defines all versions of a name: hipBLAS has int and int64_t, and two kinds of complex types.
#define VERSIONS(name, form, ...)        \
  ENTRY(name, form, __VA_ARGS__)         \
  ENTRY(name##_64, form, __VA_ARGS__)    \
  ENTRY(name##_v2, form, __VA_ARGS__)    \
  ENTRY(name##_v2_64, form, __VA_ARGS__)

#define FORMS(name, ...)                                             \
  VERSIONS(name, rocport::Form::SINGLE, __VA_ARGS__)                 \
  VERSIONS(name##Batched, rocport::Form::BATCHED, __VA_ARGS__)       \
  VERSIONS(name##StridedBatched, rocport::Form::STRIDED, __VA_ARGS__)

#define REAL(name, body)                  \
  FORMS(hipblasS##name, body<float>)      \
  FORMS(hipblasD##name, body<double>)

#define COMPLEX(name, body)               \
  FORMS(hipblasC##name, body<rocport::Complex<float>>) \
  FORMS(hipblasZ##name, body<rocport::Complex<double>>)

#define ALL(name, body) REAL(name, body) COMPLEX(name, body)

// Functions whose last letter of the type comes first: Scasum, Dznrm2, Icamax.
#define ALL_NAMED(s, d, c, z, body)                 \
  FORMS(hipblas##s, body<float>)                    \
  FORMS(hipblas##d, body<double>)                   \
  FORMS(hipblas##c, body<rocport::Complex<float>>)  \
  FORMS(hipblas##z, body<rocport::Complex<double>>)
