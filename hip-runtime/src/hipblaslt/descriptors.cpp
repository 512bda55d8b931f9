// The descriptors of hipBLASLt: creation, and attributes by number.
#include "descriptors.h"

#include <cstddef>
#include <cstring>

namespace rocport::lt {
namespace {

/** A member that an attribute stands for. */
struct Attribute {
  int number;
  size_t offset;
  size_t size;
};

#define ATTRIBUTE(number, type, member) {number, offsetof(type, member), sizeof(type::member)}

constexpr Attribute LAYOUT[] = {
    ATTRIBUTE(0, Shape, batches), ATTRIBUTE(1, Shape, stride), ATTRIBUTE(2, Shape, type),
    ATTRIBUTE(3, Shape, order),   ATTRIBUTE(4, Shape, rows),   ATTRIBUTE(5, Shape, columns),
    ATTRIBUTE(6, Shape, ld),
};

// The numbers after 13 have no name in older headers.
constexpr Attribute PRODUCT[] = {
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_TRANSA, Product, turnA),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_TRANSB, Product, turnB),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_EPILOGUE, Product, epilogue),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_BIAS_POINTER, Product, bias),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Product, biasType),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER, Product, a.at),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, Product, b.at),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER, Product, scaleC),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER, Product, scaleD),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, Product, scaleAux),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Product, aux),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Product, auxLd),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Product, auxStride),
    ATTRIBUTE(HIPBLASLT_MATMUL_DESC_POINTER_MODE, Product, pointers),
    ATTRIBUTE(14, Product, largest),    // AMAX_D_POINTER
    ATTRIBUTE(22, Product, auxType),    // EPILOGUE_AUX_DATA_TYPE
    ATTRIBUTE(31, Product, a.mode),     // A_SCALE_MODE
    ATTRIBUTE(32, Product, b.mode),     // B_SCALE_MODE
    ATTRIBUTE(100, Product, inputA),    // COMPUTE_INPUT_TYPE_A_EXT
    ATTRIBUTE(101, Product, inputB),    // COMPUTE_INPUT_TYPE_B_EXT
    ATTRIBUTE(102, Product, argument0),  // EPILOGUE_ACT_ARG0_EXT
    ATTRIBUTE(103, Product, argument1),  // EPILOGUE_ACT_ARG1_EXT
};

constexpr Attribute PREFERENCE[] = {
    ATTRIBUTE(HIPBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search),
    ATTRIBUTE(HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, workspace),
};

constexpr Attribute TRANSFORM[] = {
    ATTRIBUTE(0, Transform, scaleType),
    ATTRIBUTE(1, Transform, pointers),
    ATTRIBUTE(2, Transform, turnA),
    ATTRIBUTE(3, Transform, turnB),
};

template <size_t n>
const Attribute& found(const Attribute (&all)[n], int number) {
  for (const Attribute& one : all) {
    if (one.number == number) return one;
  }
  throw Refusal<hipblasStatus_t>{HIPBLAS_STATUS_INVALID_VALUE};
}

template <class Object, class Opaque, size_t n>
hipblasStatus_t set(const Attribute (&all)[n], Opaque* opaque, int number, const void* from, size_t size) {
  return guarded([&] {
    Object& object = of<Object>(opaque);
    const Attribute& attribute = found(all, number);
    require(from != nullptr && size >= attribute.size);
    memcpy(reinterpret_cast<char*>(&object) + attribute.offset, from, attribute.size);
  });
}

template <class Object, class Opaque, size_t n>
hipblasStatus_t get(const Attribute (&all)[n], Opaque* opaque, int number, void* to, size_t size, size_t* written) {
  return guarded([&] {
    Object& object = of<Object>(opaque);
    const Attribute& attribute = found(all, number);
    require(written != nullptr || size != 0);
    if (written) *written = attribute.size;
    if (size == 0) return;
    require(to != nullptr && size >= attribute.size);
    memcpy(to, reinterpret_cast<const char*>(&object) + attribute.offset, attribute.size);
  });
}

template <class Object, class Opaque>
hipblasStatus_t create(Opaque** opaque, Object object) {
  return guarded([&] {
    require(opaque != nullptr);
    *opaque = reinterpret_cast<Opaque*>(new Object(object));
  });
}

template <class Object, class Opaque>
hipblasStatus_t destroy(Opaque* opaque) {
  return guarded([&] { delete &of<Object>(opaque); });
}

}  // namespace

std::optional<Kind> computed(int32_t compute) {
  switch (compute) {
    case HIPBLAS_COMPUTE_64F:
    case HIPBLAS_COMPUTE_64F_PEDANTIC:
      return Kind::DOUBLE;
    case HIPBLAS_COMPUTE_32I:
    case HIPBLAS_COMPUTE_32I_PEDANTIC:
      return Kind::INT32;
    case HIPBLAS_COMPUTE_32F:
    case HIPBLAS_COMPUTE_32F_PEDANTIC:
    case HIPBLAS_COMPUTE_32F_FAST_16F:
    case HIPBLAS_COMPUTE_32F_FAST_16BF:
    case HIPBLAS_COMPUTE_32F_FAST_TF32:
    case 100:  // FAST_8F_FNUZ
    case 101:  // FAST_8BF_FNUZ
    case 102:  // FAST_8F8BF_FNUZ
    case 103:  // FAST_8BF8F_FNUZ
      return Kind::FLOAT;
  }
  return std::nullopt;
}

std::optional<Type> supported(int32_t number) {
  auto type = typeOf(number);
  if (!type || type->complex) return std::nullopt;
  bool ocp = type->kind == Kind::E4M3 || type->kind == Kind::E5M2;
  bool fnuz = type->kind == Kind::E4M3_FNUZ || type->kind == Kind::E5M2_FNUZ;
  if (!ocp && !fnuz) return type;
  int device = 0;
  hipDeviceProp_t properties;
  require(hipGetDevice(&device) == hipSuccess && hipGetDeviceProperties(&properties, device) == hipSuccess,
          HIPBLAS_STATUS_INTERNAL_ERROR);
  std::string gpu = properties.gcnArchName;
  bool old = gpu.rfind("gfx90a", 0) == 0 || gpu.rfind("gfx10", 0) == 0 || gpu.rfind("gfx11", 0) == 0;
  if (old || fnuz != (gpu.rfind("gfx942", 0) == 0)) return std::nullopt;
  return type;
}

}  // namespace rocport::lt

using namespace rocport::lt;

extern "C" {

hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t* layout, hipDataType type, uint64_t rows,
                                            uint64_t columns, int64_t ld) {
  Shape made;
  made.type = type;
  made.rows = rows;
  made.columns = columns;
  made.ld = ld;
  return create(layout, made);
}

hipblasStatus_t hipblasLtMatrixLayoutDestroy(const hipblasLtMatrixLayout_t layout) { return destroy<Shape>(layout); }

hipblasStatus_t hipblasLtMatrixLayoutSetAttribute(hipblasLtMatrixLayout_t layout,
                                                  hipblasLtMatrixLayoutAttribute_t attribute, const void* from,
                                                  size_t size) {
  return set<Shape>(LAYOUT, layout, attribute, from, size);
}

hipblasStatus_t hipblasLtMatrixLayoutGetAttribute(hipblasLtMatrixLayout_t layout,
                                                  hipblasLtMatrixLayoutAttribute_t attribute, void* to, size_t size,
                                                  size_t* written) {
  return get<Shape>(LAYOUT, layout, attribute, to, size, written);
}

hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t* product, hipblasComputeType_t compute,
                                          hipDataType scaleType) {
  Product made;
  made.compute = compute;
  made.scaleType = scaleType;
  return computed(compute) ? create(product, made) : HIPBLAS_STATUS_INVALID_VALUE;
}

hipblasStatus_t hipblasLtMatmulDescDestroy(const hipblasLtMatmulDesc_t product) { return destroy<Product>(product); }

hipblasStatus_t hipblasLtMatmulDescSetAttribute(hipblasLtMatmulDesc_t product,
                                                hipblasLtMatmulDescAttributes_t attribute, const void* from,
                                                size_t size) {
  return set<Product>(PRODUCT, product, attribute, from, size);
}

hipblasStatus_t hipblasLtMatmulDescGetAttribute(hipblasLtMatmulDesc_t product,
                                                hipblasLtMatmulDescAttributes_t attribute, void* to, size_t size,
                                                size_t* written) {
  return get<Product>(PRODUCT, product, attribute, to, size, written);
}

hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t* preference) {
  return create(preference, Preference());
}

hipblasStatus_t hipblasLtMatmulPreferenceDestroy(const hipblasLtMatmulPreference_t preference) {
  return destroy<Preference>(preference);
}

hipblasStatus_t hipblasLtMatmulPreferenceSetAttribute(hipblasLtMatmulPreference_t preference,
                                                      hipblasLtMatmulPreferenceAttributes_t attribute,
                                                      const void* from, size_t size) {
  return set<Preference>(PREFERENCE, preference, attribute, from, size);
}

hipblasStatus_t hipblasLtMatmulPreferenceGetAttribute(hipblasLtMatmulPreference_t preference,
                                                      hipblasLtMatmulPreferenceAttributes_t attribute, void* to,
                                                      size_t size, size_t* written) {
  return get<Preference>(PREFERENCE, preference, attribute, to, size, written);
}

hipblasStatus_t hipblasLtMatrixTransformDescCreate(hipblasLtMatrixTransformDesc_t* transform, hipDataType scaleType) {
  Transform made;
  made.scaleType = scaleType;
  return create(transform, made);
}

hipblasStatus_t hipblasLtMatrixTransformDescDestroy(hipblasLtMatrixTransformDesc_t transform) {
  return destroy<Transform>(transform);
}

hipblasStatus_t hipblasLtMatrixTransformDescSetAttribute(hipblasLtMatrixTransformDesc_t transform,
                                                         hipblasLtMatrixTransformDescAttributes_t attribute,
                                                         const void* from, size_t size) {
  return set<Transform>(TRANSFORM, transform, attribute, from, size);
}

hipblasStatus_t hipblasLtMatrixTransformDescGetAttribute(hipblasLtMatrixTransformDesc_t transform,
                                                         hipblasLtMatrixTransformDescAttributes_t attribute, void* to,
                                                         size_t size, size_t* written) {
  return get<Transform>(TRANSFORM, transform, attribute, to, size, written);
}

}  // extern "C"
