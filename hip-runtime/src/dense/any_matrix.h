// Matrices whose element type is an argument of a call.
#pragma once

#include "product.h"
#include "type.h"

namespace rocport {

/** Columns of elements, ld apart. */
struct AnyMatrix {
  Type type;
  char* data;
  int64_t ld;

  char* at(int64_t i, int64_t j) const { return data + (i + j * ld) * type.size(); }
  Z get(int64_t i, int64_t j) const { return type.get(at(i, j)); }
  void set(int64_t i, int64_t j, Z value) const { type.set(at(i, j), value); }

  Factor factor(bool transposed, bool conjugated) const {
    auto element = [matrix = *this, transposed, conjugated](int64_t i, int64_t j) {
      Z value = transposed ? matrix.get(j, i) : matrix.get(i, j);
      return conjugated ? conjugate(value) : value;
    };
    if (type.complex) return rocport::factor<Z>(element);
    // The imaginary planes of real matrices would only double the work.
    return rocport::factor<double>([element](int64_t i, int64_t j) { return element(i, j).re; });
  }
};

}  // namespace rocport
