#include <cuda_runtime.h>

#ifdef __DRIVER_TYPES_H__
inline const char* text(cudaError_t e) { return cudaGetErrorName(e); }
#endif
#if defined(CUBLAS_API_H_) || defined(CURAND_H_) || defined(CUSPARSEAPI) || defined(_CUFFT_H_)
int libraries();
#endif
#ifdef NV_NPPIDEFS_H
int npp();
#endif
