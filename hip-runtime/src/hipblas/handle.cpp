// Handles, settings, and copies between host and device.
#include "call.h"

using namespace rocport::blas;

namespace {

Handle& of(hipblasHandle_t handle) {
  require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
  return *static_cast<Handle*>(handle);
}

void check(hipError_t result) { require(result == hipSuccess, HIPBLAS_STATUS_MAPPING_ERROR); }

/** Copies rows of elements, each so many bytes apart. */
void copy(int64_t rows, int64_t width, const void* from, int64_t fromPitch, void* to, int64_t toPitch,
          hipMemcpyKind kind, hipStream_t stream, bool wait) {
  if (rows == 0 || width == 0) return;
  require(from != nullptr && to != nullptr);
  check(hipMemcpy2DAsync(to, toPitch, from, fromPitch, width, rows, kind, stream));
  if (wait) check(hipStreamSynchronize(stream));
}

void vector(int n, int size, const void* x, int incx, void* y, int incy, hipMemcpyKind kind, hipStream_t stream,
            bool wait) {
  require(n >= 0 && size > 0 && incx > 0 && incy > 0);
  copy(n, size, x, int64_t(incx) * size, y, int64_t(incy) * size, kind, stream, wait);
}

void matrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb, hipMemcpyKind kind,
            hipStream_t stream, bool wait) {
  require(rows >= 0 && columns >= 0 && size > 0 && lda >= rows && ldb >= rows && lda > 0 && ldb > 0);
  copy(columns, int64_t(rows) * size, a, int64_t(lda) * size, b, int64_t(ldb) * size, kind, stream, wait);
}

}  // namespace

extern "C" {

hipblasStatus_t hipblasCreate(hipblasHandle_t* handle) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
    int device = 0;
    require(hipGetDevice(&device) == hipSuccess, HIPBLAS_STATUS_NOT_INITIALIZED);
    *handle = new Handle;
  });
}

hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  return guarded([&] {
    Handle* mine = &of(handle);
    (void)hipStreamSynchronize(mine->stream);
    delete mine;
  });
}

hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream) {
  return guarded([&] { of(handle).stream = stream; });
}

hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t* stream) {
  return guarded([&] {
    Handle& mine = of(handle);
    require(stream != nullptr);
    *stream = mine.stream;
  });
}

hipblasStatus_t hipblasSetPointerMode(hipblasHandle_t handle, hipblasPointerMode_t mode) {
  return guarded([&] {
    Handle& mine = of(handle);
    require(mode == HIPBLAS_POINTER_MODE_HOST || mode == HIPBLAS_POINTER_MODE_DEVICE, HIPBLAS_STATUS_INVALID_ENUM);
    mine.pointers = mode;
  });
}

hipblasStatus_t hipblasGetPointerMode(hipblasHandle_t handle, hipblasPointerMode_t* mode) {
  return guarded([&] {
    Handle& mine = of(handle);
    require(mode != nullptr);
    *mode = mine.pointers;
  });
}

// The allowed precision of products has no effect: they always have the highest precision.
hipblasStatus_t hipblasSetMathMode(hipblasHandle_t handle, hipblasMath_t mode) {
  return guarded([&] { of(handle).math = mode; });
}

hipblasStatus_t hipblasGetMathMode(hipblasHandle_t handle, hipblasMath_t* mode) {
  return guarded([&] {
    Handle& mine = of(handle);
    require(mode != nullptr);
    *mode = mine.math;
  });
}

hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t mode) {
  return guarded([&] { of(handle).atomics = mode; });
}

hipblasStatus_t hipblasGetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t* mode) {
  return guarded([&] {
    Handle& mine = of(handle);
    require(mode != nullptr);
    *mode = mine.atomics;
  });
}

hipblasStatus_t hipblasSetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return guarded([&] { vector(n, size, x, incx, y, incy, hipMemcpyHostToDevice, nullptr, true); });
}

hipblasStatus_t hipblasGetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return guarded([&] { vector(n, size, x, incx, y, incy, hipMemcpyDeviceToHost, nullptr, true); });
}

hipblasStatus_t hipblasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                      hipStream_t stream) {
  return guarded([&] { vector(n, size, x, incx, y, incy, hipMemcpyHostToDevice, stream, false); });
}

hipblasStatus_t hipblasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                      hipStream_t stream) {
  return guarded([&] { vector(n, size, x, incx, y, incy, hipMemcpyDeviceToHost, stream, false); });
}

hipblasStatus_t hipblasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb) {
  return guarded([&] { matrix(rows, columns, size, a, lda, b, ldb, hipMemcpyHostToDevice, nullptr, true); });
}

hipblasStatus_t hipblasGetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb) {
  return guarded([&] { matrix(rows, columns, size, a, lda, b, ldb, hipMemcpyDeviceToHost, nullptr, true); });
}

hipblasStatus_t hipblasSetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                      hipStream_t stream) {
  return guarded([&] { matrix(rows, columns, size, a, lda, b, ldb, hipMemcpyHostToDevice, stream, false); });
}

hipblasStatus_t hipblasGetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                      hipStream_t stream) {
  return guarded([&] { matrix(rows, columns, size, a, lda, b, ldb, hipMemcpyDeviceToHost, stream, false); });
}

const char* hipblasStatusToString(hipblasStatus_t status) {
  switch (status) {
#define NAMED(name) \
  case name:        \
    return #name
    NAMED(HIPBLAS_STATUS_SUCCESS);
    NAMED(HIPBLAS_STATUS_NOT_INITIALIZED);
    NAMED(HIPBLAS_STATUS_ALLOC_FAILED);
    NAMED(HIPBLAS_STATUS_INVALID_VALUE);
    NAMED(HIPBLAS_STATUS_MAPPING_ERROR);
    NAMED(HIPBLAS_STATUS_EXECUTION_FAILED);
    NAMED(HIPBLAS_STATUS_INTERNAL_ERROR);
    NAMED(HIPBLAS_STATUS_NOT_SUPPORTED);
    NAMED(HIPBLAS_STATUS_ARCH_MISMATCH);
    NAMED(HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
    NAMED(HIPBLAS_STATUS_INVALID_ENUM);
    NAMED(HIPBLAS_STATUS_UNKNOWN);
#undef NAMED
  }
  return "undefined hipblasStatus_t value";
}

}  // extern "C"
