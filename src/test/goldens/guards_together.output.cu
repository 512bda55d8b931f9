#include <cstdio>
#include <hip/hip_runtime.h>
#include "rocport/wmma.h"

using namespace nvcuda;

// The newest branch of the first condition cannot be ported; the second uses what it defines.
#if 9999 /* CUDART_VERSION */ >= 10000
__global__ void bits(const unsigned* a, int* c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> f;
  c[0] = sizeof f;
}
#endif

void run(const unsigned* a, int* c) {
#if 9999 /* CUDART_VERSION */ >= 10000
  bits<<<1, 32>>>(a, c);
#else
  printf("CUDA 10 or newer\n");
#endif
#if 13000 /* CUDART_VERSION */ >= 11000
  printf("CUDA 11 or newer\n");
#endif
}

// A class in a kernel is no definition of the file: the host pass does not need it.
__global__ void local(float* x) {
#if (__HIP_DEVICE_COMPILE__ /* __CUDA_ARCH__ >= 700 */)
  struct Twice {
    __device__ float operator()(float a) const { return a * 2; }
  };
  x[0] = Twice()(x[0]);
#endif
}
