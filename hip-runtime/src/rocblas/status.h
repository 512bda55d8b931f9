// Results of hipBLAS as those of rocBLAS.
#pragma once

#include <hipblas/hipblas.h>
#include <rocblas/rocblas.h>

namespace rocport {

/** hipBLAS has one status for bad sizes, pointers and other values. */
inline rocblas_status translated(int status) {
  switch (status) {
    case HIPBLAS_STATUS_SUCCESS:
      return rocblas_status_success;
    case HIPBLAS_STATUS_NOT_INITIALIZED:
    case HIPBLAS_STATUS_HANDLE_IS_NULLPTR:
      return rocblas_status_invalid_handle;
    case HIPBLAS_STATUS_ALLOC_FAILED:
      return rocblas_status_memory_error;
    case HIPBLAS_STATUS_INVALID_VALUE:
    case HIPBLAS_STATUS_INVALID_ENUM:
      return rocblas_status_invalid_value;
    case HIPBLAS_STATUS_NOT_SUPPORTED:
      return rocblas_status_not_implemented;
    default:
      return rocblas_status_internal_error;
  }
}

}  // namespace rocport
