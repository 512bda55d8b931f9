// Argument readers for the bodies of hipSOLVER functions.
#pragma once

#include <hipsolver/hipsolver.h>

#include <optional>

#include "../dense/entry.h"
#include "../dense/matrix.h"
#include "../library/in_order.h"
#include "../library/outcome.h"

namespace rocport::solver {

struct Handle {
  hipStream_t stream = nullptr;
  hipsolverDeterministicMode_t mode = HIPSOLVER_DETERMINISTIC_RESULTS;
};

using Refusal = rocport::Refusal<hipsolverStatus_t>;

inline void require(bool holds, hipsolverStatus_t otherwise = HIPSOLVER_STATUS_INVALID_VALUE) {
  if (!holds) throw Refusal{otherwise};
}

/** A matrix in device memory. */
template <class T>
struct Place {
  T* data;
  int64_t rows;
  int64_t columns;
  int64_t ld;

  T& operator()(int64_t i, int64_t j) const { return data[i + j * ld]; }

  Dense<Wide<T>> read() const { return read(rows, columns); }

  Dense<Wide<T>> read(int64_t m, int64_t n) const {
    return Dense<Wide<T>>::of(m, n, [this](int64_t i, int64_t j) { return widen<T>((*this)(i, j)); });
  }

  /** The lower triangle of a hermitian matrix, from the triangle that holds it. */
  Dense<Wide<T>> lower(bool upper) const {
    return Dense<Wide<T>>::of(rows, rows, [=](int64_t i, int64_t j) {
      if (i < j) return Wide<T>(0.0);
      return upper ? conjugate(widen<T>((*this)(j, i))) : widen<T>((*this)(i, j));
    });
  }

  void write(const Dense<Wide<T>>& from) const {
    for (int64_t j = 0; j < from.columns; j++) {
      for (int64_t i = 0; i < from.rows; i++) (*this)(i, j) = narrow<T>(from(i, j));
    }
  }

  /** The other way round: one triangle from a lower one. */
  void writeLower(const Dense<Wide<T>>& from, bool upper) const {
    for (int64_t j = 0; j < rows; j++) {
      for (int64_t i = j; i < rows; i++) {
        (upper ? (*this)(j, i) : (*this)(i, j)) = narrow<T>(upper ? conjugate(from(i, j)) : from(i, j));
      }
    }
  }
};

template <class T, class W>
void writeAll(const std::vector<W>& from, T* to) {
  for (size_t i = 0; i < from.size(); i++) to[i] = narrow<T>(from[i]);
}

template <class T>
std::vector<Wide<T>> readAll(const T* from, int64_t n) {
  std::vector<Wide<T>> all(n);
  for (int64_t i = 0; i < n; i++) all[i] = widen<T>(from[i]);
  return all;
}

class Call {
 public:
  explicit Call(Arguments& arguments) : arguments_(arguments) {
    handle_ = arguments.pointer<Handle>();
    require(handle_ != nullptr, HIPSOLVER_STATUS_NOT_INITIALIZED);
  }

  int64_t integer() { return arguments_.integer(); }
  double real() { return arguments_.real(); }
  void skip(int count) {
    while (count-- > 0) integer();
  }

  int64_t size() {
    int64_t n = integer();
    require(n >= 0);
    return n;
  }

  template <class T>
  T* pointer(bool needed = true) {
    T* at = arguments_.pointer<T>();
    if (needed && at == nullptr) null_ = true;
    return at;
  }

  template <class T>
  Place<T> matrix(int64_t rows, int64_t columns, bool needed = true) {
    T* at = pointer<T>(needed);
    int64_t ld = integer();
    require(!needed || ld >= std::max<int64_t>(1, rows));
    return {at, rows, columns, ld};
  }

  hipblasOperation_t operation() {
    int64_t value = integer();
    require(value >= HIPBLAS_OP_N && value <= HIPBLAS_OP_C, HIPSOLVER_STATUS_INVALID_ENUM);
    return static_cast<hipblasOperation_t>(value);
  }

  bool upper() { return either(HIPBLAS_FILL_MODE_UPPER, HIPBLAS_FILL_MODE_LOWER); }
  bool left() { return either(HIPBLAS_SIDE_LEFT, HIPBLAS_SIDE_RIGHT); }
  bool vectors() { return either(HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_MODE_NOVECTOR); }

  /** Enqueues work in the handle's stream, if there is something to do. */
  void run(bool something, std::function<void()> work) {
    if (!something) return;
    require(!null_);
    require(inOrder(handle_->stream, std::move(work)) == hipSuccess, HIPSOLVER_STATUS_INTERNAL_ERROR);
  }

  /** For results in host memory. */
  void wait() { require(hipStreamSynchronize(handle_->stream) == hipSuccess, HIPSOLVER_STATUS_INTERNAL_ERROR); }

 private:
  Arguments& arguments_;
  Handle* handle_;
  bool null_ = false;

  bool either(int64_t yes, int64_t no) {
    int64_t value = integer();
    require(value == yes || value == no, HIPSOLVER_STATUS_INVALID_ENUM);
    return value == yes;
  }
};

/** The status of what a call does. */
template <class Body>
hipsolverStatus_t guarded(Body body) noexcept {
  return outcome(HIPSOLVER_STATUS_SUCCESS, HIPSOLVER_STATUS_ALLOC_FAILED, HIPSOLVER_STATUS_INTERNAL_ERROR, body);
}

/** Where a function tells the size of a work area, which none of them needs: one element, as 0 is an error to some. */
template <int before, class Size>
void workSize(Call& call) {
  call.skip(before);
  Size* size = call.pointer<Size>();
  require(size != nullptr);
  *size = 1;
}

}  // namespace rocport::solver

namespace rocport {

inline hipsolverStatus_t entered(void (*body)(solver::Call&), Arguments& arguments) {
  return solver::guarded([&] {
    solver::Call call(arguments);
    body(call);
  });
}

}  // namespace rocport

#define PLAIN(name, ...) ENTRY(name, rocport::Form::SINGLE, __VA_ARGS__)

// One name, in four types; real and complex ones may be called differently.
#define TYPES(face, real, complex, body)                        \
  PLAIN(hipsolver##face##S##real, body<float>)                  \
  PLAIN(hipsolver##face##D##real, body<double>)                 \
  PLAIN(hipsolver##face##C##complex, body<rocport::Complex<float>>) \
  PLAIN(hipsolver##face##Z##complex, body<rocport::Complex<double>>)

#define SIZES(face, real, complex, before)                                       \
  PLAIN(hipsolver##face##S##real##_bufferSize, workSize<before, int>)            \
  PLAIN(hipsolver##face##D##real##_bufferSize, workSize<before, int>)            \
  PLAIN(hipsolver##face##C##complex##_bufferSize, workSize<before, int>)         \
  PLAIN(hipsolver##face##Z##complex##_bufferSize, workSize<before, int>)

// Both interfaces, if they have the same arguments; the work size follows after so many.
#define BOTH(real, complex, body, before)                                \
  TYPES(, real, complex, body) TYPES(Dn, real, complex, body)            \
  SIZES(, real, complex, before) SIZES(Dn, real, complex, before)
