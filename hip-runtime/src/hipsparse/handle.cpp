// Handles, descriptions of matrices, and the state of solvers.
#include <hipsparse/hipsparse-version.h>

#include <cstdio>

#include "call.h"

using namespace rocport;
using namespace rocport::sparse;

namespace {

Handle& of(hipsparseHandle_t handle) {
  require(handle != nullptr, HIPSPARSE_STATUS_NOT_INITIALIZED);
  return *static_cast<Handle*>(handle);
}

Description& of(hipsparseMatDescr_t description, int) {
  require(description != nullptr);
  return *static_cast<Description*>(description);
}

const char* nameOf(hipsparseStatus_t status) {
  switch (status) {
#define NAME(name) \
  case name:       \
    return #name;
    NAME(HIPSPARSE_STATUS_SUCCESS)
    NAME(HIPSPARSE_STATUS_NOT_INITIALIZED)
    NAME(HIPSPARSE_STATUS_ALLOC_FAILED)
    NAME(HIPSPARSE_STATUS_INVALID_VALUE)
    NAME(HIPSPARSE_STATUS_ARCH_MISMATCH)
    NAME(HIPSPARSE_STATUS_MAPPING_ERROR)
    NAME(HIPSPARSE_STATUS_EXECUTION_FAILED)
    NAME(HIPSPARSE_STATUS_INTERNAL_ERROR)
    NAME(HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED)
    NAME(HIPSPARSE_STATUS_ZERO_PIVOT)
    NAME(HIPSPARSE_STATUS_NOT_SUPPORTED)
    NAME(HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES)
#undef NAME
  }
  return "HIPSPARSE_STATUS_UNKNOWN";
}

template <class T>
hipsparseStatus_t created(void** to) {
  return guarded([&] {
    require(to != nullptr);
    *to = new T;
  });
}

template <class T>
hipsparseStatus_t destroyed(const void* object) {
  delete static_cast<const T*>(object);
  return HIPSPARSE_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

hipsparseStatus_t hipsparseCreate(hipsparseHandle_t* handle) {
  return guarded([&] {
    require(handle != nullptr);
    int device = 0;
    require(hipGetDevice(&device) == hipSuccess, HIPSPARSE_STATUS_NOT_INITIALIZED);
    *handle = new Handle;
  });
}

hipsparseStatus_t hipsparseDestroy(hipsparseHandle_t handle) {
  return guarded([&] {
    (void)hipStreamSynchronize(of(handle).stream);
    delete &of(handle);
  });
}

const char* hipsparseGetErrorName(hipsparseStatus_t status) { return nameOf(status); }

const char* hipsparseGetErrorString(hipsparseStatus_t status) { return nameOf(status); }

hipsparseStatus_t hipsparseGetVersion(hipsparseHandle_t handle, int* version) {
  return guarded([&] {
    of(handle);
    require(version != nullptr);
    *version = hipsparseVersionMajor * 100000 + hipsparseVersionMinor * 100 + hipsparseVersionPatch;
  });
}

hipsparseStatus_t hipsparseSetStream(hipsparseHandle_t handle, hipStream_t stream) {
  return guarded([&] { of(handle).stream = stream; });
}

hipsparseStatus_t hipsparseGetStream(hipsparseHandle_t handle, hipStream_t* stream) {
  return guarded([&] {
    require(stream != nullptr);
    *stream = of(handle).stream;
  });
}

hipsparseStatus_t hipsparseSetPointerMode(hipsparseHandle_t handle, hipsparsePointerMode_t mode) {
  return guarded([&] {
    require(mode == HIPSPARSE_POINTER_MODE_HOST || mode == HIPSPARSE_POINTER_MODE_DEVICE);
    of(handle).pointers = mode;
  });
}

hipsparseStatus_t hipsparseGetPointerMode(hipsparseHandle_t handle, hipsparsePointerMode_t* mode) {
  return guarded([&] {
    require(mode != nullptr);
    *mode = of(handle).pointers;
  });
}

hipsparseStatus_t hipsparseCreateMatDescr(hipsparseMatDescr_t* description) {
  return created<Description>(description);
}

hipsparseStatus_t hipsparseDestroyMatDescr(hipsparseMatDescr_t description) {
  return destroyed<Description>(description);
}

hipsparseStatus_t hipsparseCopyMatDescr(hipsparseMatDescr_t to, const hipsparseMatDescr_t from) {
  return guarded([&] { of(to, 0) = of(from, 0); });
}

hipsparseStatus_t hipsparseSetMatType(hipsparseMatDescr_t description, hipsparseMatrixType_t type) {
  return guarded([&] {
    require(type >= HIPSPARSE_MATRIX_TYPE_GENERAL && type <= HIPSPARSE_MATRIX_TYPE_TRIANGULAR);
    of(description, 0).type = type;
  });
}

hipsparseStatus_t hipsparseSetMatFillMode(hipsparseMatDescr_t description,
                                          hipsparseFillMode_t fill) {
  return guarded([&] {
    require(fill == HIPSPARSE_FILL_MODE_LOWER || fill == HIPSPARSE_FILL_MODE_UPPER);
    of(description, 0).fill = fill;
  });
}

hipsparseStatus_t hipsparseSetMatDiagType(hipsparseMatDescr_t description,
                                          hipsparseDiagType_t diagonal) {
  return guarded([&] {
    require(diagonal == HIPSPARSE_DIAG_TYPE_NON_UNIT || diagonal == HIPSPARSE_DIAG_TYPE_UNIT);
    of(description, 0).diagonal = diagonal;
  });
}

hipsparseStatus_t hipsparseSetMatIndexBase(hipsparseMatDescr_t description,
                                           hipsparseIndexBase_t base) {
  return guarded([&] {
    require(base == HIPSPARSE_INDEX_BASE_ZERO || base == HIPSPARSE_INDEX_BASE_ONE);
    of(description, 0).base = base;
  });
}

hipsparseMatrixType_t hipsparseGetMatType(const hipsparseMatDescr_t description) {
  return description ? of(description, 0).type : HIPSPARSE_MATRIX_TYPE_GENERAL;
}

hipsparseFillMode_t hipsparseGetMatFillMode(const hipsparseMatDescr_t description) {
  return description ? of(description, 0).fill : HIPSPARSE_FILL_MODE_LOWER;
}

hipsparseDiagType_t hipsparseGetMatDiagType(const hipsparseMatDescr_t description) {
  return description ? of(description, 0).diagonal : HIPSPARSE_DIAG_TYPE_NON_UNIT;
}

hipsparseIndexBase_t hipsparseGetMatIndexBase(const hipsparseMatDescr_t description) {
  return description ? of(description, 0).base : HIPSPARSE_INDEX_BASE_ZERO;
}

// Each has its own type in the headers and is an Info here.
#define INFO(Name, name)                                                        \
  hipsparseStatus_t hipsparseCreate##Name##Info(name##Info_t* info) {           \
    return created<Info>(reinterpret_cast<void**>(info));                       \
  }                                                                             \
  hipsparseStatus_t hipsparseDestroy##Name##Info(name##Info_t info) {           \
    return destroyed<Info>(info);                                               \
  }

INFO(Bsrsv2, bsrsv2)
INFO(Bsrsm2, bsrsm2)
INFO(Bsrilu02, bsrilu02)
INFO(Bsric02, bsric02)
INFO(Csrsv2, csrsv2)
INFO(Csrsm2, csrsm2)
INFO(Csrilu02, csrilu02)
INFO(Csric02, csric02)
INFO(Csrgemm2, csrgemm2)

}  // extern "C"

namespace rocport::sparse {
namespace {

/** Waits for the work that may find a bad row. */
void zeroPivot(Call& call) {
  auto pivot = call.object<Info>().pivot;
  int* position = call.result<int>();
  call.runNow([=] { *position = static_cast<int>(*pivot); });
  require(*pivot < 0, HIPSPARSE_STATUS_ZERO_PIVOT);
}

template <class T>
void boost(Call& call) {
  Info& info = call.object<Info>();
  info.boost = call.integer() != 0;
  info.tolerance = call.pointer<const double>();
  info.boosted = call.values<T>();
  require(!info.boost || (info.tolerance && info.boosted.at));
}

}  // namespace
}  // namespace rocport::sparse

ONE(Xcsrsv2_zeroPivot, zeroPivot)
ONE(Xcsrsm2_zeroPivot, zeroPivot)
ONE(Xcsrilu02_zeroPivot, zeroPivot)
ONE(Xcsric02_zeroPivot, zeroPivot)
ONE(Xbsrsv2_zeroPivot, zeroPivot)
ONE(Xbsrsm2_zeroPivot, zeroPivot)
ONE(Xbsrilu02_zeroPivot, zeroPivot)
ONE(Xbsric02_zeroPivot, zeroPivot)
TYPES(csrilu02_numericBoost, boost)
TYPES(bsrilu02_numericBoost, boost)
