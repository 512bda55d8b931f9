// Tensors of MIOpen: a type, sizes and strides. All arithmetic is done in double precision and rounded once.
#pragma once

#include <miopen/miopen.h>
#include <miopen/version.h>

#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "../dense/parallel.h"
#include "../dense/type.h"
#include "../library/in_order.h"
#include "../library/outcome.h"

namespace rocport::dnn {

inline void require(bool holds, miopenStatus_t otherwise = miopenStatusBadParm) {
  if (!holds) throw Refusal<miopenStatus_t>{otherwise};
}

/** Refuses what MIOpen has and this library lacks, with a line that names it. */
[[noreturn]] inline void lacking(const char* what) {
  fprintf(stderr, "rocport: libMIOpen: %s is not implemented\n", what);
  throw Refusal<miopenStatus_t>{miopenStatusNotImplemented};
}

/** The status of what a call does. */
template <class Body>
miopenStatus_t guarded(Body body) noexcept {
  return outcome(miopenStatusSuccess, miopenStatusAllocFailed, miopenStatusInternalError, body);
}

struct Handle {
  hipStream_t stream = nullptr;
  /** Convolutions for which an algorithm was looked for. */
  std::set<std::string> found;

  void run(Work work, Written written) {
    require(inOrder(stream, std::move(work), std::move(written)) == hipSuccess, miopenStatusInternalError);
  }
};

/** What an opaque pointer of the interface points to. */
template <class Object, class Opaque>
Object& of(Opaque* opaque) {
  require(opaque != nullptr);
  return *reinterpret_cast<Object*>(opaque);
}

template <class Object, class Opaque>
miopenStatus_t create(Opaque** opaque, Object object = {}) {
  return guarded([&] {
    require(opaque != nullptr);
    *opaque = reinterpret_cast<Opaque*>(new Object(std::move(object)));
  });
}

template <class Object, class Opaque>
miopenStatus_t destroy(Opaque* opaque) {
  return guarded([&] { delete &of<Object>(opaque); });
}

/** The type of a miopenDataType_t. */
inline Type typeOf(miopenDataType_t number) {
  switch (number) {
    case miopenHalf:
      return {Kind::HALF};
    case miopenFloat:
      return {Kind::FLOAT};
    case miopenInt32:
      return {Kind::INT32};
    case miopenInt8:
      return {Kind::INT8};
    case miopenBFloat16:
      return {Kind::BFLOAT};
    case miopenDouble:
      return {Kind::DOUBLE};
    case miopenInt64:
      return {Kind::INT64};
    default:
      lacking("this data type");
  }
}

using Sizes = std::vector<int64_t>;

/** Values in the order of the indices, whatever their order in memory is. */
using Values = std::vector<double>;

struct Tensor {
  miopenDataType_t type = miopenFloat;
  Sizes sizes;
  Sizes strides;

  /** Strides of a tensor whose last index changes fastest. */
  static Sizes packed(const Sizes& sizes) {
    Sizes strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    return strides;
  }

  int64_t count() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>()); }

  /** Elements from the first to the last in memory. */
  int64_t span() const {
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); i++) last += (sizes[i] - 1) * strides[i];
    return last + 1;
  }

  /** Calls a function with the number and the place in memory of each element. */
  template <class Do>
  void each(Do act) const {
    Sizes index(sizes.size(), 0);
    int64_t place = 0, n = count();
    for (int64_t i = 0; i < n; i++) {
      act(i, place);
      for (size_t d = sizes.size(); d-- > 0;) {
        place += strides[d];
        if (++index[d] < sizes[d]) break;
        place -= index[d] * strides[d];
        index[d] = 0;
      }
    }
  }

  Values read(const void* from) const {
    Type element = typeOf(type);
    Values values(count());
    each([&](int64_t i, int64_t place) { values[i] = element.real(from, place); });
    return values;
  }

  /** alpha times the values, plus beta times what is there. */
  void write(void* to, const Values& values, double alpha = 1, double beta = 0) const {
    Type element = typeOf(type);
    bool rounds = type == miopenInt8 || type == miopenInt32;
    each([&](int64_t i, int64_t place) {
      double value = alpha * values[i] + (beta == 0 ? 0 : beta * element.real(to, place));
      element.setReal(to, place, rounds ? std::nearbyint(value) : value);
    });
  }
};

/** alpha and beta, which are floats: whether they are doubles for tensors of doubles is not known. */
struct Blend {
  double alpha;
  double beta;

  static Blend of(const void* alpha, const void* beta, const Tensor& tensor) {
    require(alpha != nullptr && beta != nullptr);
    if (tensor.type == miopenDouble) lacking("alpha and beta of tensors of doubles");
    return {*static_cast<const float*>(alpha), *static_cast<const float*>(beta)};
  }

  /** Where MIOpen takes no other values. */
  static void requireNone(const void* alpha, const void* beta) {
    require(alpha != nullptr && beta != nullptr);
    require(*static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0);
  }
};

/** One value for each index of another tensor, of which some sizes may be 1: the number of its element. */
class Broadcast {
 public:
  Broadcast(const Tensor& from, const Tensor& to) : sizes_(to.sizes), strides_(Tensor::packed(from.sizes)) {
    require(from.sizes.size() == to.sizes.size());
    for (size_t i = 0; i < sizes_.size(); i++) {
      require(from.sizes[i] == to.sizes[i] || from.sizes[i] == 1);
      if (from.sizes[i] == 1) strides_[i] = 0;
    }
  }

  int64_t operator()(int64_t i) const {
    int64_t at = 0;
    for (size_t d = sizes_.size(); d-- > 0;) {
      at += i % sizes_[d] * strides_[d];
      i /= sizes_[d];
    }
    return at;
  }

 private:
  Sizes sizes_;
  Sizes strides_;
};

struct Activation {
  miopenActivationMode_t mode = miopenActivationPASTHRU;
  double alpha = 0;
  double beta = 0;
  double gamma = 0;

  double operator()(double x) const;
  /** The derivative at x, where y is the value. */
  double derivative(double x, double y) const;
};

}  // namespace rocport::dnn
