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
#else
#include <hip/hip_runtime.h>
#endif

// Nine names are no mapping.
#if 13000 /* CUDART_VERSION */ >= 12000
int newer() { return hipSetDevice(1); }
#endif
