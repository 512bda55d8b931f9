// Mixed-precision products by rocBLAS, which takes the result as a fourth matrix.
// options: --libs roc
#include <cublas_v2.h>

void multiply(cublasHandle_t h, float *one, half *a, half *b, half *c, half **as, half **bs, half **cs) {
  cudaDataType_t t = CUDA_R_16F;
  cublasComputeType_t f = CUBLAS_COMPUTE_32F;
  cublasOperation_t no = CUBLAS_OP_N;
  int n = 64;
  cublasGemmEx(h, no, no, n, n, n, one, a, t, n, b, t, n, one, c, t, n, f, CUBLAS_GEMM_DEFAULT);  // want: ARG-BLAS-GEMM-EX
  cublasGemmBatchedEx(h, no, no, n, n, n, one, as, t, n, bs, t, n, one, cs, t, n, 8, f, CUBLAS_GEMM_DEFAULT);  // want: ARG-BLAS-GEMM-BATCHED-EX
  cublasGemmStridedBatchedEx(h, no, no, n, n, n, one, a, t, n, 64, b, t, n, 64, one, c, t, n, 64, 8, f,  // want: ARG-BLAS-GEMM-STRIDED-EX
                             CUBLAS_GEMM_DEFAULT);
}
