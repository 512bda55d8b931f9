// A data type as the compute type of a matrix product.
#include <cublas_v2.h>

void multiply(cublasHandle_t h, const float* one, const void* a, const void* b, float* c) {
  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, one, a, CUDA_R_16F, 8, b, CUDA_R_16F, 8, one, c, CUDA_R_32F, 8, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);  // want: BLAS-COMPUTE-CALLS
}
