// Matrix products whose compute type is a data type, as before CUDA 11. cuBLAS still overloads its
// functions for it; hipBLAS accepts hipblasComputeType_t alone. The overloads are in the global namespace.
#ifndef ROCPORT_BLAS_TYPES_H
#define ROCPORT_BLAS_TYPES_H

#include <hipblas/hipblas.h>

// hipBLAS 3 has no names that end in _v2.
#if hipblasVersionMajor >= 3
#define hipblasGemmEx_v2 hipblasGemmEx
#define hipblasGemmBatchedEx_v2 hipblasGemmBatchedEx
#define hipblasGemmStridedBatchedEx_v2 hipblasGemmStridedBatchedEx
#endif

#if defined(__cplusplus)

namespace rocport {
/// Sets the compute type that cuBLAS uses for a data type; returns false for types that it rejects.
inline bool compute_type(hipDataType data, hipblasComputeType_t* compute) {
  switch (data) {
    case HIP_R_16F:
      *compute = HIPBLAS_COMPUTE_16F;
      return true;
    case HIP_R_32F:
    case HIP_C_32F:
      *compute = HIPBLAS_COMPUTE_32F;
      return true;
    case HIP_R_64F:
    case HIP_C_64F:
      *compute = HIPBLAS_COMPUTE_64F;
      return true;
    case HIP_R_32I:
      *compute = HIPBLAS_COMPUTE_32I;
      return true;
    default:
      return false;
  }
}
}  // namespace rocport

inline hipblasStatus_t hipblasGemmEx_v2(hipblasHandle_t handle, hipblasOperation_t transA,
                                        hipblasOperation_t transB, int m, int n, int k,
                                        const void* alpha, const void* A, hipDataType aType, int lda,
                                        const void* B, hipDataType bType, int ldb, const void* beta,
                                        void* C, hipDataType cType, int ldc, hipDataType computeType,
                                        hipblasGemmAlgo_t algo) {
  hipblasComputeType_t compute;
  if (!rocport::compute_type(computeType, &compute)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblasGemmEx_v2(handle, transA, transB, m, n, k, alpha, A, aType, lda, B, bType, ldb, beta,
                          C, cType, ldc, compute, algo);
}

inline hipblasStatus_t hipblasGemmBatchedEx_v2(hipblasHandle_t handle, hipblasOperation_t transA,
                                               hipblasOperation_t transB, int m, int n, int k,
                                               const void* alpha, const void* A[], hipDataType aType,
                                               int lda, const void* B[], hipDataType bType, int ldb,
                                               const void* beta, void* C[], hipDataType cType,
                                               int ldc, int batchCount, hipDataType computeType,
                                               hipblasGemmAlgo_t algo) {
  hipblasComputeType_t compute;
  if (!rocport::compute_type(computeType, &compute)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblasGemmBatchedEx_v2(handle, transA, transB, m, n, k, alpha, A, aType, lda, B, bType, ldb,
                                 beta, C, cType, ldc, batchCount, compute, algo);
}

inline hipblasStatus_t hipblasGemmStridedBatchedEx_v2(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n, int k,
    const void* alpha, const void* A, hipDataType aType, int lda, hipblasStride strideA, const void* B,
    hipDataType bType, int ldb, hipblasStride strideB, const void* beta, void* C, hipDataType cType,
    int ldc, hipblasStride strideC, int batchCount, hipDataType computeType, hipblasGemmAlgo_t algo) {
  hipblasComputeType_t compute;
  if (!rocport::compute_type(computeType, &compute)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblasGemmStridedBatchedEx_v2(handle, transA, transB, m, n, k, alpha, A, aType, lda, strideA,
                                        B, bType, ldb, strideB, beta, C, cType, ldc, strideC,
                                        batchCount, compute, algo);
}

#endif
#endif  // ROCPORT_BLAS_TYPES_H
