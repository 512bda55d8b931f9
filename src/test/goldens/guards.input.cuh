#ifndef GUARDS_CUH
#define GUARDS_CUH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ inline double atomicAdd(double* address, double value) {
  return *address += value;
}
#endif

#if defined(__CUDACC__) && CUDART_VERSION >= 9000
#define HAS_GROUPS 1
#endif

__device__ inline void wait_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.bulk.wait_group 0;" ::);
#else
  __syncthreads();
#endif
}

__device__ inline int lanes() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 0;
#endif
}

__device__ inline void only_ptx() {
  asm("bar.arrive 1, 64;");  // want: PTX-INLINE
}

#if __CUDACC_VER_MAJOR__ >= 11 && !defined(NO_FAST)
#define FAST 1
#elif __CUDA_ARCH__ == 700
#define FAST 2
#endif

// A branch that only says that there is no code for the hardware is not the better one.
__device__ inline void refused(float* x) {
#if __CUDA_ARCH__ >= 900
  asm("bar.arrive 1, 64;");  // want: PTX-INLINE
  x[0] = 1;
#else
  printf("sm_90 or newer");
  assert(false && "sm_90");
#endif
}

__global__ void whole(float* x) {
#if __CUDA_ARCH__ >= 900
  asm("bar.arrive 1, 64;");  // want: PTX-INLINE
  x[0] = 1;
#endif
}

__global__ void older(float* x) {
#if __CUDA_ARCH__ >= 900
  NO_DEVICE_CODE;
#else
  x[0] = 1;
#endif
}

__global__ void hint(float* x) {
#if __CUDA_ARCH__ >= 900
  asm("bar.arrive 1, 64;");
#endif
  x[0] = 1;
}

#endif  // GUARDS_CUH
