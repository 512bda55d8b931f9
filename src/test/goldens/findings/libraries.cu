// Names of CUDA libraries that their ROCm counterparts lack. Each is reported once in a file.
#include <cub/cub.cuh>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

void use(cublasHandle_t blas, cublasLtHandle_t lt, cufftHandle fft, cusolverDnHandle_t solver,
         cusparseHandle_t sparse) {
  float one = 1.0f;
  cublasSscal(blas, 16, &one, nullptr, 1);  // ok: API-CUBLAS
  cublasSetSmCountTarget(blas, 4);          // want: API-CUBLAS
  cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, nullptr, CUDA_R_16F, 8, nullptr, CUDA_R_16F, 8, &one, nullptr, CUDA_R_32F, 8, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);  // ok: BLAS-COMPUTE-CALLS
  cublasLtMatmulTile_t tile = CUBLASLT_MATMUL_TILE_56x384;  // want: API-CUBLASLT
  cufftDestroy(fft);                        // ok: API-CUFFT
  cufftXtSetGPUs(fft, 2, nullptr);          // ok: API-CUFFT
  cufftXtSetWorkArea(fft, nullptr);         // want: API-CUFFT
  curandMethod_t method = CURAND_KNUTH;  // want: API-CURAND
  cudnnConvolutionBwdFilterAlgo_t weights;  // want: API-CUDNN
  cudnnConvolutionFwdAlgo_t forward;        // ok: API-CUDNN
  cusolverDnDestroy(solver);                // ok: API-CUSOLVER
  cusolverDnSsytri(solver);                 // want: API-CUSOLVER
  cusparseConstrainedGeMM(sparse);         // want: API-CUSPARSE
  cusparseDestroy(sparse);                  // ok: API-CUSPARSE
}
