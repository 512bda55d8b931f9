// Conditions on CUDA macros.
#include <cuda_runtime.h>
#include <cudnn.h>
#include <cusparse.h>

#if __CUDA_ARCH__ >= 800  // want: GUARD-ARCH
__device__ int stages() { return 4; }
#else
__device__ int stages() { return 1; }
#endif

#ifdef __CUDACC__  // ok: GUARD-ARCH
#define HD __host__ __device__
#endif

#if CUDART_VERSION >= 11000  // want: GUARD-VERSION
HD int graphs() { return 1; }
#endif

#if __cplusplus >= 201703L  // ok: GUARD-VERSION
HD int modern() { return 1; }
#endif

#if CUSPARSE_VERSION >= 11000  // want: GUARD-LIBRARY
HD int generic() { return 1; }
#endif

#ifdef CUDNN_VERSION  // want: GUARD-LIBRARY
int version() { return CUDNN_VERSION; }  // want: GUARD-LIBRARY
#endif

#if CUDNN_VERSION >= 8000  // want: GUARD-LIBRARY
int eight() { return 1; }
#endif

#if CUFFT_VERSION >= 11000  // want: GUARD-LIBRARY
int withoutHeader() { return 1; }
#endif

#define CUB_VERSION 101000
#if CUB_VERSION >= 101000  // ok: GUARD-LIBRARY
HD int copied() { return 1; }
#endif
