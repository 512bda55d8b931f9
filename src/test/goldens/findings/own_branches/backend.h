// One header for three platforms; each branch has what its platform lacks.
#if defined(GEM_USE_CUDA)
#include <cuda_runtime.h>
#elif defined(GEM_USE_HIP)
#include <hip/hip_runtime.h>
#define cudaError_t hipError_t
#define cudaGetErrorString(e) hipGetErrorString(e)
#define cudaHostRegisterReadOnly 0  // ok: API-OWN
#elif defined(GEM_USE_SYCL)
typedef int cudaError_t;                         // want: API-OWN
#define cudaGetErrorName(...) "no name"          // want: API-OWN
inline cudaError_t cudaGetLastError() { return 0; }  // want: API-OWN
inline const char *last() { return cudaGetErrorName(cudaGetLastError()); }  // ok: API-OWN
#endif
