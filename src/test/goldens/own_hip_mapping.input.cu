#if defined(APP_HIP)
#include <hip/hip_runtime.h>
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaMemcpy hipMemcpy
#define cudaMemset hipMemset
#define cudaEvent_t hipEvent_t
#define cudaStream_t hipStream_t
#define cudaError_t hipError_t
#define cudaSuccess hipSuccess
#define cudaGetDevice hipGetDevice
#define cudaSetDevice hipSetDevice
#else
#include <cuda_runtime.h>
#endif

// The project's HIP build never defines the macro; both builds keep their branches.
#if CUDART_VERSION >= 12000
int newer() { return cudaSetDevice(1); }
#else
int newer() { return 0; }
#endif

#ifdef CUDART_VERSION
int has = 1;
#elif defined(CUDA_VERSION)
int has = 2;
#endif

#ifndef CUDA_VERSION
int none = 1;
#endif

// Nothing depends on the version in the project's HIP build.
#if !defined(APP_HIP) && CUDART_VERSION >= 11070
int fast = 1;
#endif

#if defined(APP_HIP)
int way = 1;
#elif CUDART_VERSION >= 11000
int way = 2;
#endif
