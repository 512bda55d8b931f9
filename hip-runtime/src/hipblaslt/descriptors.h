// What the descriptors of hipBLASLt hold.
#pragma once

#include <hipblaslt/hipblaslt.h>

#include <cstdio>
#include <optional>

#include "../dense/type.h"
#include "../library/outcome.h"

namespace rocport::lt {

inline void require(bool holds, hipblasStatus_t otherwise = HIPBLAS_STATUS_INVALID_VALUE) {
  if (!holds) throw Refusal<hipblasStatus_t>{otherwise};
}

/** Refuses what AMD's library accepts and computes in another way than cuBLASLt, with a line that says how. */
[[noreturn]] inline void refuse(const char* what) {
  fprintf(stderr, "rocport: libhipblaslt: %s\n", what);
  throw Refusal<hipblasStatus_t>{HIPBLAS_STATUS_NOT_SUPPORTED};
}

/** The status of what a call does. */
template <class Body>
hipblasStatus_t guarded(Body body) noexcept {
  return outcome(HIPBLAS_STATUS_SUCCESS, HIPBLAS_STATUS_ALLOC_FAILED, HIPBLAS_STATUS_INTERNAL_ERROR, body);
}

/** No hipDataType. */
constexpr int32_t NO_TYPE = 255;

struct Shape {
  int32_t batches = 1;
  int64_t stride = 0;
  int32_t type = NO_TYPE;
  int32_t order = HIPBLASLT_ORDER_COL;
  uint64_t rows = 0;
  uint64_t columns = 0;
  int64_t ld = 0;
};

/** How a scale factor is stored. */
constexpr int32_t SCALAR_SCALE = 0;
constexpr int32_t ROW_SCALES = 3;

struct Scale {
  const float* at = nullptr;
  int32_t mode = SCALAR_SCALE;
};

struct Product {
  int32_t compute = HIPBLAS_COMPUTE_32F;
  int32_t scaleType = HIP_R_32F;
  int32_t turnA = HIPBLAS_OP_N;
  int32_t turnB = HIPBLAS_OP_N;
  uint32_t epilogue = HIPBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  int32_t biasType = NO_TYPE;
  Scale a, b;
  const float* scaleC = nullptr;
  const float* scaleD = nullptr;
  const float* scaleAux = nullptr;
  void* aux = nullptr;
  int64_t auxLd = 0;
  int64_t auxStride = 0;
  int32_t auxType = NO_TYPE;
  int32_t pointers = HIPBLASLT_POINTER_MODE_HOST;
  float* largest = nullptr;
  int32_t inputA = NO_TYPE;
  int32_t inputB = NO_TYPE;
  float argument0 = 0;
  float argument1 = 0;
};

struct Preference {
  uint32_t search = 0;
  uint64_t workspace = 0;
};

struct Transform {
  int32_t scaleType = HIP_R_32F;
  int32_t pointers = HIPBLASLT_POINTER_MODE_HOST;
  int32_t turnA = HIPBLAS_OP_N;
  int32_t turnB = HIPBLAS_OP_N;
};

/** What an opaque pointer of the interface points to. */
template <class Object, class Opaque>
Object& of(Opaque* opaque) {
  require(opaque != nullptr);
  return *reinterpret_cast<Object*>(opaque);
}

/** What a hipblasComputeType_t computes in at least, if it is one of hipBLASLt. */
std::optional<Kind> computed(int32_t compute);

/** The type of a hipDataType that the GPU has: gfx942 has the 8-bit types of AMD, later GPUs those of the OCP. */
std::optional<Type> supported(int32_t number);

}  // namespace rocport::lt
