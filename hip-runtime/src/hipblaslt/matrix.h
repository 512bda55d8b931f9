// Matrices in memory as a layout describes them, and scalars as a pointer mode does.
#pragma once

#include "../dense/product.h"
#include "descriptors.h"

namespace rocport::lt {

struct Matrix {
  char* data;
  Type type;
  Shape layout;

  /** A matrix of a type that the GPU has, stored by columns, or by rows if that is possible. */
  static Matrix of(const void* data, const Shape& layout, bool rowsAllowed) {
    auto type = supported(layout.type);
    require(type.has_value(), HIPBLAS_STATUS_NOT_SUPPORTED);
    bool byColumns = layout.order == HIPBLASLT_ORDER_COL;
    if (layout.order == HIPBLASLT_ORDER_ROW && !rowsAllowed) {
      refuse("matrices by rows in a product: hipBLASLt 7.1 computes as if they were stored by columns");
    }
    require(byColumns || layout.order == HIPBLASLT_ORDER_ROW, HIPBLAS_STATUS_NOT_SUPPORTED);
    require(layout.ld >= static_cast<int64_t>(byColumns ? layout.rows : layout.columns) && layout.batches > 0);
    return {static_cast<char*>(const_cast<void*>(data)), *type, layout};
  }

  double get(int64_t b, int64_t i, int64_t j) const { return type.real(data, place(b, i, j)); }
  void set(int64_t b, int64_t i, int64_t j, double value) const { type.setReal(data, place(b, i, j), fitting(value)); }

  /** What op makes of a matrix of the batch. */
  Factor factor(int64_t b, bool transposed) const {
    return rocport::factor<double>([matrix = *this, b, transposed](int64_t i, int64_t j) {
      return transposed ? matrix.get(b, j, i) : matrix.get(b, i, j);
    });
  }

 private:
  int64_t place(int64_t b, int64_t i, int64_t j) const {
    return b * layout.stride + (layout.order == HIPBLASLT_ORDER_COL ? i + j * layout.ld : i * layout.ld + j);
  }

  /** Integers are rounded to nearest, and those of 8 bits saturate. */
  double fitting(double value) const {
    if (type.kind == Kind::INT8) return std::max(-128.0, std::min(127.0, std::nearbyint(value)));
    return type.kind == Kind::INT32 ? std::nearbyint(value) : value;
  }
};

inline bool isTransposed(int32_t turn) {
  require(turn == HIPBLAS_OP_N || turn == HIPBLAS_OP_T || turn == HIPBLAS_OP_C);
  return turn != HIPBLAS_OP_N;
}

/** A number, or one for each row, that is read when the call is made or when the work is done. */
class Scalar {
 public:
  Scalar(const void* at, Type type, bool onHost, bool perRow = false)
      : at_(at), type_(type), onHost_(onHost), perRow_(perRow) {
    if (onHost && at) value_ = type.real(at, 0);
  }

  double operator()(int64_t row = 0) const { return onHost_ ? value_ : type_.real(at_, perRow_ ? row : 0); }

 private:
  const void* at_;
  Type type_;
  bool onHost_;
  bool perRow_;
  double value_ = 0;
};

}  // namespace rocport::lt
