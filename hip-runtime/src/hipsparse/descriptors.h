// Descriptors of the generic interface.
#pragma once

#include "call.h"

namespace rocport::sparse {

struct SparseVector {
  int64_t size;
  int64_t count;
  Indices indices;
  Values values;
  int base;
};

struct DenseVector {
  int64_t size;
  Values values;
};

template <class T>
const T& described(const void* descriptor) {
  require(descriptor != nullptr);
  return *static_cast<const T*>(descriptor);
}

inline const Matrix& matrixOf(const void* descriptor) { return described<Matrix>(descriptor); }
inline Matrix& changeable(void* descriptor) {
  return const_cast<Matrix&>(described<Matrix>(descriptor));
}
inline const SparseVector& sparseVectorOf(const void* descriptor) {
  return described<SparseVector>(descriptor);
}
inline const DenseVector& vectorOf(const void* descriptor) {
  return described<DenseVector>(descriptor);
}
inline const Dense& denseOf(const void* descriptor) { return described<Dense>(descriptor); }

}  // namespace rocport::sparse
