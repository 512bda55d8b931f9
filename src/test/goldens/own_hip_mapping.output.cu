#include <hip/hip_runtime.h>
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
#include <hip/hip_runtime.h>
#endif

// The project's HIP build never defines the macro; both builds keep their branches.
#if (defined(APP_HIP) ? CUDART_VERSION : 13000) >= 12000
int newer() { return hipSetDevice(1); }
#else
int newer() { return 0; }
#endif

#if !defined(APP_HIP) || defined(CUDART_VERSION)
int has = 1;
#elif (!defined(APP_HIP) || defined(CUDA_VERSION))
int has = 2;
#endif

#if defined(APP_HIP) && !defined(CUDA_VERSION)
int none = 1;
#endif

// Nothing depends on the version in the project's HIP build.
#if !defined(APP_HIP) && 13000 /* CUDART_VERSION */ >= 11070
int fast = 1;
#endif

#if defined(APP_HIP)
int way = 1;
#elif 13000 /* CUDART_VERSION */ >= 11000
int way = 2;
#endif
