// The generic interface's descriptors of vectors and matrices.
#include "descriptors.h"

using namespace rocport::sparse;

namespace {

Indices indicesOf(const void* at, hipsparseIndexType_t type) {
  require(type == HIPSPARSE_INDEX_32I || type == HIPSPARSE_INDEX_64I,
          HIPSPARSE_STATUS_NOT_SUPPORTED);
  return {const_cast<void*>(at), type == HIPSPARSE_INDEX_64I};
}

Values valuesOf(const void* at, hipDataType type) {
  require(Values::known(type), HIPSPARSE_STATUS_NOT_SUPPORTED);
  return {const_cast<void*>(at), type};
}

int baseOf(hipsparseIndexBase_t base) {
  require(base == HIPSPARSE_INDEX_BASE_ZERO || base == HIPSPARSE_INDEX_BASE_ONE);
  return base;
}

hipsparseIndexType_t typeOf(const Indices& indices) {
  return indices.wide ? HIPSPARSE_INDEX_64I : HIPSPARSE_INDEX_32I;
}

/** Writes what the program asks for. */
template <class T, class V>
void give(T* to, V value) {
  require(to != nullptr);
  if constexpr (std::is_pointer_v<T>) {
    *to = const_cast<T>(static_cast<const std::remove_const_t<std::remove_pointer_t<T>>*>(value));
  } else {
    *to = static_cast<T>(value);
  }
}

template <class D>
hipsparseStatus_t made(D* to, Matrix matrix) {
  require(to != nullptr && matrix.rows >= 0 && matrix.columns >= 0 && matrix.count >= 0);
  *to = reinterpret_cast<D>(new Matrix(matrix));
  return HIPSPARSE_STATUS_SUCCESS;
}

template <class D>
hipsparseStatus_t createCompressed(D* to, Format format, int64_t rows, int64_t columns,
                                   int64_t count, const void* offsets, const void* indices,
                                   const void* values, hipsparseIndexType_t offsetType,
                                   hipsparseIndexType_t indexType, hipsparseIndexBase_t base,
                                   hipDataType type) {
  return guarded([&] {
    Matrix matrix;
    matrix.format = format;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.count = count;
    matrix.offsets = indicesOf(offsets, offsetType);
    matrix.indices = indicesOf(indices, indexType);
    matrix.values = valuesOf(values, type);
    matrix.base = baseOf(base);
    made(to, matrix);
  });
}

template <class D>
hipsparseStatus_t createEll(D* to, int64_t rows, int64_t columns, int64_t block, int64_t ellColumns,
                            const void* indices, const void* values, hipsparseIndexType_t indexType,
                            hipsparseIndexBase_t base, hipDataType type) {
  return guarded([&] {
    require(block > 0 && ellColumns >= 0);
    Matrix matrix;
    matrix.format = Format::BLOCKED_ELL;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.blockRows = matrix.blockColumns = block;
    matrix.ellColumns = ellColumns;
    matrix.count = rows * ellColumns;
    matrix.indices = indicesOf(indices, indexType);
    matrix.values = valuesOf(values, type);
    matrix.base = baseOf(base);
    made(to, matrix);
  });
}

/** The parts that all formats have. */
template <class P>
void giveMatrix(const Matrix& matrix, int64_t* rows, int64_t* columns, int64_t* count, P* indices,
                P* values, hipsparseIndexBase_t* base, hipDataType* type) {
  give(rows, matrix.rows);
  give(columns, matrix.columns);
  give(count, matrix.count);
  give(indices, matrix.indices.at);
  give(values, matrix.values.at);
  give(base, matrix.base);
  give(type, matrix.values.type);
}

template <class P>
hipsparseStatus_t getCompressed(const void* descriptor, Format format, int64_t* rows,
                                int64_t* columns, int64_t* count, P* offsets, P* indices, P* values,
                                hipsparseIndexType_t* offsetType, hipsparseIndexType_t* indexType,
                                hipsparseIndexBase_t* base, hipDataType* type) {
  return guarded([&] {
    const Matrix& matrix = matrixOf(descriptor);
    require(matrix.format == format);
    giveMatrix(matrix, rows, columns, count, indices, values, base, type);
    give(offsets, matrix.offsets.at);
    give(offsetType, typeOf(matrix.offsets));
    give(indexType, typeOf(matrix.indices));
  });
}

template <class P>
hipsparseStatus_t getCoo(const void* descriptor, int64_t* rows, int64_t* columns, int64_t* count,
                         P* rowIndices, P* indices, P* values, hipsparseIndexType_t* indexType,
                         hipsparseIndexBase_t* base, hipDataType* type) {
  hipsparseIndexType_t same;
  return getCompressed(descriptor, Format::COO, rows, columns, count, rowIndices, indices, values,
                       &same, indexType, base, type);
}

template <class P>
hipsparseStatus_t getEll(const void* descriptor, int64_t* rows, int64_t* columns, int64_t* block,
                         int64_t* ellColumns, P* indices, P* values,
                         hipsparseIndexType_t* indexType, hipsparseIndexBase_t* base,
                         hipDataType* type) {
  return guarded([&] {
    const Matrix& matrix = matrixOf(descriptor);
    require(matrix.format == Format::BLOCKED_ELL);
    int64_t count;
    giveMatrix(matrix, rows, columns, &count, indices, values, base, type);
    give(block, matrix.blockRows);
    give(ellColumns, matrix.ellColumns);
    give(indexType, typeOf(matrix.indices));
  });
}

hipsparseStatus_t setPointers(void* descriptor, Format format, void* offsets, void* indices,
                              void* values) {
  return guarded([&] {
    Matrix& matrix = changeable(descriptor);
    require(matrix.format == format);
    matrix.offsets.at = offsets;
    matrix.indices.at = indices;
    matrix.values.at = values;
  });
}

hipsparseStatus_t setBatches(void* descriptor, int count, int64_t offsetsStride,
                             int64_t valuesStride) {
  return guarded([&] {
    require(count > 0 && offsetsStride >= 0 && valuesStride >= 0);
    Matrix& matrix = changeable(descriptor);
    matrix.batches = count;
    matrix.offsetsStride = offsetsStride;
    matrix.valuesStride = valuesStride;
  });
}

template <class D>
hipsparseStatus_t createSparseVector(D* to, int64_t size, int64_t count, const void* indices,
                                     const void* values, hipsparseIndexType_t indexType,
                                     hipsparseIndexBase_t base, hipDataType type) {
  return guarded([&] {
    require(to != nullptr && size >= 0 && count >= 0 && count <= size);
    *to = new SparseVector{size, count, indicesOf(indices, indexType), valuesOf(values, type),
                           baseOf(base)};
  });
}

template <class P>
hipsparseStatus_t getSparseVector(const void* descriptor, int64_t* size, int64_t* count, P* indices,
                                  P* values, hipsparseIndexType_t* indexType,
                                  hipsparseIndexBase_t* base, hipDataType* type) {
  return guarded([&] {
    const auto& vector = sparseVectorOf(descriptor);
    give(size, vector.size);
    give(count, vector.count);
    give(indices, vector.indices.at);
    give(values, vector.values.at);
    give(indexType, typeOf(vector.indices));
    give(base, vector.base);
    give(type, vector.values.type);
  });
}

template <class D>
hipsparseStatus_t createVector(D* to, int64_t size, const void* values, hipDataType type) {
  return guarded([&] {
    require(to != nullptr && size >= 0);
    *to = new DenseVector{size, valuesOf(values, type)};
  });
}

template <class P>
hipsparseStatus_t getVector(const void* descriptor, int64_t* size, P* values, hipDataType* type) {
  return guarded([&] {
    const auto& vector = vectorOf(descriptor);
    give(size, vector.size);
    give(values, vector.values.at);
    give(type, vector.values.type);
  });
}

template <class D>
hipsparseStatus_t createDense(D* to, int64_t rows, int64_t columns, int64_t ld, const void* values,
                              hipDataType type, hipsparseOrder_t order) {
  return guarded([&] {
    require(to != nullptr && rows >= 0 && columns >= 0);
    require(order == HIPSPARSE_ORDER_COL || order == HIPSPARSE_ORDER_ROW);
    bool rowMajor = order == HIPSPARSE_ORDER_ROW;
    require(ld >= (rowMajor ? columns : rows));
    *to = new Dense{rows, columns, ld, valuesOf(values, type), rowMajor, 1, 0};
  });
}

template <class P>
hipsparseStatus_t getDense(const void* descriptor, int64_t* rows, int64_t* columns, int64_t* ld,
                           P* values, hipDataType* type, hipsparseOrder_t* order) {
  return guarded([&] {
    const Dense& dense = denseOf(descriptor);
    give(rows, dense.rows);
    give(columns, dense.columns);
    give(ld, dense.ld);
    give(values, dense.values.at);
    give(type, dense.values.type);
    give(order, dense.rowMajor ? HIPSPARSE_ORDER_ROW : HIPSPARSE_ORDER_COL);
  });
}

template <class D, class P>
hipsparseStatus_t getValues(const D& object, P* values) {
  return guarded([&] { give(values, object().values.at); });
}

}  // namespace

extern "C" {

#define CREATORS(Const, C)                                                                         \
  hipsparseStatus_t hipsparseCreate##Const##Csr(                                                   \
      hipsparse##Const##SpMatDescr_t* to, int64_t rows, int64_t columns, int64_t count,            \
      C void* offsets, C void* indices, C void* values, hipsparseIndexType_t offsetType,           \
      hipsparseIndexType_t indexType, hipsparseIndexBase_t base, hipDataType type) {               \
    return createCompressed(to, Format::CSR, rows, columns, count, offsets, indices, values,       \
                            offsetType, indexType, base, type);                                    \
  }                                                                                                \
  hipsparseStatus_t hipsparseCreate##Const##Csc(                                                   \
      hipsparse##Const##SpMatDescr_t* to, int64_t rows, int64_t columns, int64_t count,            \
      C void* offsets, C void* indices, C void* values, hipsparseIndexType_t offsetType,           \
      hipsparseIndexType_t indexType, hipsparseIndexBase_t base, hipDataType type) {               \
    return createCompressed(to, Format::CSC, rows, columns, count, offsets, indices, values,       \
                            offsetType, indexType, base, type);                                    \
  }                                                                                                \
  hipsparseStatus_t hipsparseCreate##Const##Coo(                                                   \
      hipsparse##Const##SpMatDescr_t* to, int64_t rows, int64_t columns, int64_t count,            \
      C void* rowIndices, C void* indices, C void* values, hipsparseIndexType_t indexType,         \
      hipsparseIndexBase_t base, hipDataType type) {                                               \
    return createCompressed(to, Format::COO, rows, columns, count, rowIndices, indices, values,    \
                            indexType, indexType, base, type);                                     \
  }                                                                                                \
  hipsparseStatus_t hipsparseCreate##Const##BlockedEll(                                            \
      hipsparse##Const##SpMatDescr_t* to, int64_t rows, int64_t columns, int64_t block,            \
      int64_t ellColumns, C void* indices, C void* values, hipsparseIndexType_t indexType,         \
      hipsparseIndexBase_t base, hipDataType type) {                                               \
    return createEll(to, rows, columns, block, ellColumns, indices, values, indexType, base, type); \
  }                                                                                                \
  hipsparseStatus_t hipsparseCreate##Const##SpVec(                                                 \
      hipsparse##Const##SpVecDescr_t* to, int64_t size, int64_t count, C void* indices,            \
      C void* values, hipsparseIndexType_t indexType, hipsparseIndexBase_t base,                   \
      hipDataType type) {                                                                          \
    return createSparseVector(to, size, count, indices, values, indexType, base, type);            \
  }                                                                                                \
  hipsparseStatus_t hipsparseCreate##Const##DnVec(hipsparse##Const##DnVecDescr_t* to,              \
                                                  int64_t size, C void* values,                    \
                                                  hipDataType type) {                              \
    return createVector(to, size, values, type);                                                   \
  }                                                                                                \
  hipsparseStatus_t hipsparseCreate##Const##DnMat(                                                 \
      hipsparse##Const##DnMatDescr_t* to, int64_t rows, int64_t columns, int64_t ld,               \
      C void* values, hipDataType type, hipsparseOrder_t order) {                                  \
    return createDense(to, rows, columns, ld, values, type, order);                                \
  }

CREATORS(, )
CREATORS(Const, const)

#define GETTERS(Const, C, D)                                                                       \
  hipsparseStatus_t hipsparse##Const##CsrGet(                                                      \
      D##SpMatDescr_t descriptor, int64_t* rows, int64_t* columns, int64_t* count,                 \
      C void** offsets, C void** indices, C void** values, hipsparseIndexType_t* offsetType,       \
      hipsparseIndexType_t* indexType, hipsparseIndexBase_t* base, hipDataType* type) {            \
    return getCompressed(descriptor, Format::CSR, rows, columns, count, offsets, indices, values,  \
                         offsetType, indexType, base, type);                                       \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##CscGet(                                                      \
      D##SpMatDescr_t descriptor, int64_t* rows, int64_t* columns, int64_t* count,                 \
      C void** offsets, C void** indices, C void** values, hipsparseIndexType_t* offsetType,       \
      hipsparseIndexType_t* indexType, hipsparseIndexBase_t* base, hipDataType* type) {            \
    return getCompressed(descriptor, Format::CSC, rows, columns, count, offsets, indices, values,  \
                         offsetType, indexType, base, type);                                       \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##CooGet(                                                      \
      D##SpMatDescr_t descriptor, int64_t* rows, int64_t* columns, int64_t* count,                 \
      C void** rowIndices, C void** indices, C void** values, hipsparseIndexType_t* indexType,     \
      hipsparseIndexBase_t* base, hipDataType* type) {                                             \
    return getCoo(descriptor, rows, columns, count, rowIndices, indices, values, indexType, base,  \
                  type);                                                                           \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##BlockedEllGet(                                               \
      D##SpMatDescr_t descriptor, int64_t* rows, int64_t* columns, int64_t* block,                 \
      int64_t* ellColumns, C void** indices, C void** values, hipsparseIndexType_t* indexType,     \
      hipsparseIndexBase_t* base, hipDataType* type) {                                             \
    return getEll(descriptor, rows, columns, block, ellColumns, indices, values, indexType, base,  \
                  type);                                                                           \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##SpVecGet(                                                    \
      D##SpVecDescr_t descriptor, int64_t* size, int64_t* count, C void** indices,                 \
      C void** values, hipsparseIndexType_t* indexType, hipsparseIndexBase_t* base,                \
      hipDataType* type) {                                                                         \
    return getSparseVector(descriptor, size, count, indices, values, indexType, base, type);       \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##SpVecGetValues(D##SpVecDescr_t descriptor,                   \
                                                     C void** values) {                            \
    return getValues([&]() -> auto& { return sparseVectorOf(descriptor); }, values);               \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##DnVecGet(D##DnVecDescr_t descriptor, int64_t* size,          \
                                               C void** values, hipDataType* type) {               \
    return getVector(descriptor, size, values, type);                                              \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##DnVecGetValues(D##DnVecDescr_t descriptor,                   \
                                                     C void** values) {                            \
    return getValues([&]() -> auto& { return vectorOf(descriptor); }, values);                     \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##DnMatGet(D##DnMatDescr_t descriptor, int64_t* rows,          \
                                               int64_t* columns, int64_t* ld, C void** values,     \
                                               hipDataType* type, hipsparseOrder_t* order) {       \
    return getDense(descriptor, rows, columns, ld, values, type, order);                           \
  }                                                                                                \
  hipsparseStatus_t hipsparse##Const##DnMatGetValues(D##DnMatDescr_t descriptor,                   \
                                                     C void** values) {                            \
    return getValues([&]() -> auto& { return denseOf(descriptor); }, values);                      \
  }

GETTERS(, , const hipsparse)
GETTERS(Const, const, hipsparseConst)

hipsparseStatus_t hipsparseCreateCooAoS(hipsparseSpMatDescr_t* to, int64_t rows, int64_t columns,
                                        int64_t count, void* pairs, void* values,
                                        hipsparseIndexType_t indexType, hipsparseIndexBase_t base,
                                        hipDataType type) {
  return createCompressed(to, Format::COO_PAIRS, rows, columns, count, nullptr, pairs, values,
                          indexType, indexType, base, type);
}

hipsparseStatus_t hipsparseCooAoSGet(const hipsparseSpMatDescr_t descriptor, int64_t* rows,
                                     int64_t* columns, int64_t* count, void** pairs, void** values,
                                     hipsparseIndexType_t* indexType, hipsparseIndexBase_t* base,
                                     hipDataType* type) {
  void* none;
  hipsparseIndexType_t same;
  return getCompressed(descriptor, Format::COO_PAIRS, rows, columns, count, &none, pairs, values,
                       &same, indexType, base, type);
}

hipsparseStatus_t hipsparseSpMatGetValues(hipsparseSpMatDescr_t descriptor, void** values) {
  return getValues([&]() -> auto& { return matrixOf(descriptor); }, values);
}

hipsparseStatus_t hipsparseConstSpMatGetValues(hipsparseConstSpMatDescr_t descriptor,
                                               const void** values) {
  return getValues([&]() -> auto& { return matrixOf(descriptor); }, values);
}

hipsparseStatus_t hipsparseDestroySpMat(hipsparseConstSpMatDescr_t descriptor) {
  delete reinterpret_cast<const Matrix*>(descriptor);
  return HIPSPARSE_STATUS_SUCCESS;
}

hipsparseStatus_t hipsparseDestroySpVec(hipsparseConstSpVecDescr_t descriptor) {
  delete static_cast<const SparseVector*>(descriptor);
  return HIPSPARSE_STATUS_SUCCESS;
}

hipsparseStatus_t hipsparseDestroyDnVec(hipsparseConstDnVecDescr_t descriptor) {
  delete static_cast<const DenseVector*>(descriptor);
  return HIPSPARSE_STATUS_SUCCESS;
}

hipsparseStatus_t hipsparseDestroyDnMat(hipsparseConstDnMatDescr_t descriptor) {
  delete static_cast<const Dense*>(descriptor);
  return HIPSPARSE_STATUS_SUCCESS;
}

hipsparseStatus_t hipsparseCsrSetPointers(hipsparseSpMatDescr_t descriptor, void* offsets,
                                          void* indices, void* values) {
  return setPointers(descriptor, Format::CSR, offsets, indices, values);
}

hipsparseStatus_t hipsparseCscSetPointers(hipsparseSpMatDescr_t descriptor, void* offsets,
                                          void* indices, void* values) {
  return setPointers(descriptor, Format::CSC, offsets, indices, values);
}

hipsparseStatus_t hipsparseCooSetPointers(hipsparseSpMatDescr_t descriptor, void* rowIndices,
                                          void* indices, void* values) {
  return setPointers(descriptor, Format::COO, rowIndices, indices, values);
}

hipsparseStatus_t hipsparseSpMatGetSize(hipsparseConstSpMatDescr_t descriptor, int64_t* rows,
                                        int64_t* columns, int64_t* count) {
  return guarded([&] {
    const Matrix& matrix = matrixOf(descriptor);
    give(rows, matrix.rows);
    give(columns, matrix.columns);
    give(count, matrix.count);
  });
}

hipsparseStatus_t hipsparseSpMatGetFormat(hipsparseConstSpMatDescr_t descriptor,
                                          hipsparseFormat_t* format) {
  return guarded([&] {
    switch (matrixOf(descriptor).format) {
      case Format::CSR:
        return give(format, HIPSPARSE_FORMAT_CSR);
      case Format::CSC:
        return give(format, HIPSPARSE_FORMAT_CSC);
      case Format::COO:
        return give(format, HIPSPARSE_FORMAT_COO);
      case Format::COO_PAIRS:
        return give(format, HIPSPARSE_FORMAT_COO_AOS);
      default:
        return give(format, HIPSPARSE_FORMAT_BLOCKED_ELL);
    }
  });
}

hipsparseStatus_t hipsparseSpMatGetIndexBase(hipsparseConstSpMatDescr_t descriptor,
                                             hipsparseIndexBase_t* base) {
  return guarded([&] { give(base, matrixOf(descriptor).base); });
}

hipsparseStatus_t hipsparseSpVecGetIndexBase(const hipsparseConstSpVecDescr_t descriptor,
                                             hipsparseIndexBase_t* base) {
  return guarded([&] { give(base, sparseVectorOf(descriptor).base); });
}

hipsparseStatus_t hipsparseSpMatSetValues(hipsparseSpMatDescr_t descriptor, void* values) {
  return guarded([&] { changeable(descriptor).values.at = values; });
}

hipsparseStatus_t hipsparseSpVecSetValues(hipsparseSpVecDescr_t descriptor, void* values) {
  return guarded([&] { const_cast<SparseVector&>(sparseVectorOf(descriptor)).values.at = values; });
}

hipsparseStatus_t hipsparseDnVecSetValues(hipsparseDnVecDescr_t descriptor, void* values) {
  return guarded([&] { const_cast<DenseVector&>(vectorOf(descriptor)).values.at = values; });
}

hipsparseStatus_t hipsparseDnMatSetValues(hipsparseDnMatDescr_t descriptor, void* values) {
  return guarded([&] { const_cast<Dense&>(denseOf(descriptor)).values.at = values; });
}

hipsparseStatus_t hipsparseSpMatGetStridedBatch(hipsparseConstSpMatDescr_t descriptor, int* count) {
  return guarded([&] { give(count, matrixOf(descriptor).batches); });
}

hipsparseStatus_t hipsparseSpMatSetStridedBatch(hipsparseSpMatDescr_t descriptor, int count) {
  return setBatches(descriptor, count, 0, 0);
}

hipsparseStatus_t hipsparseCooSetStridedBatch(hipsparseSpMatDescr_t descriptor, int count,
                                              int64_t stride) {
  return setBatches(descriptor, count, stride, stride);
}

hipsparseStatus_t hipsparseCsrSetStridedBatch(hipsparseSpMatDescr_t descriptor, int count,
                                              int64_t offsetsStride, int64_t valuesStride) {
  return setBatches(descriptor, count, offsetsStride, valuesStride);
}

hipsparseStatus_t hipsparseDnMatGetStridedBatch(hipsparseConstDnMatDescr_t descriptor, int* count,
                                                int64_t* stride) {
  return guarded([&] {
    give(count, denseOf(descriptor).batches);
    give(stride, denseOf(descriptor).stride);
  });
}

hipsparseStatus_t hipsparseDnMatSetStridedBatch(hipsparseDnMatDescr_t descriptor, int count,
                                                int64_t stride) {
  return guarded([&] {
    require(count > 0 && stride >= 0);
    auto& dense = const_cast<Dense&>(denseOf(descriptor));
    dense.batches = count;
    dense.stride = stride;
  });
}

hipsparseStatus_t hipsparseSpMatGetAttribute(hipsparseConstSpMatDescr_t descriptor,
                                             hipsparseSpMatAttribute_t attribute, void* data,
                                             size_t size) {
  return guarded([&] {
    const Matrix& matrix = matrixOf(descriptor);
    require(data != nullptr && size == sizeof(int));
    int value = 0;
    if (attribute == HIPSPARSE_SPMAT_FILL_MODE) {
      value = matrix.upper ? HIPSPARSE_FILL_MODE_UPPER : HIPSPARSE_FILL_MODE_LOWER;
    } else {
      require(attribute == HIPSPARSE_SPMAT_DIAG_TYPE);
      value = matrix.unit ? HIPSPARSE_DIAG_TYPE_UNIT : HIPSPARSE_DIAG_TYPE_NON_UNIT;
    }
    memcpy(data, &value, sizeof value);
  });
}

hipsparseStatus_t hipsparseSpMatSetAttribute(hipsparseSpMatDescr_t descriptor,
                                             hipsparseSpMatAttribute_t attribute, const void* data,
                                             size_t size) {
  return guarded([&] {
    Matrix& matrix = changeable(descriptor);
    require(data != nullptr && size == sizeof(int));
    int value = 0;
    memcpy(&value, data, sizeof value);
    if (attribute == HIPSPARSE_SPMAT_FILL_MODE) {
      matrix.upper = value == HIPSPARSE_FILL_MODE_UPPER;
    } else {
      require(attribute == HIPSPARSE_SPMAT_DIAG_TYPE);
      matrix.unit = value == HIPSPARSE_DIAG_TYPE_UNIT;
    }
  });
}

}  // extern "C"
