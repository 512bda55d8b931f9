#pragma once
#include <hip/hip_runtime.h>

// In HIP both passes must see the same device functions: the header defines this one.
#if 1 /* __CUDA_ARCH__ >= 600 */
// the hardware's own
#else
__device__ inline double atomicAdd(double* address, double value) { return *address += value; }
#endif

// A host version stays the host's.
#if __HIP_DEVICE_COMPILE__ /* __CUDA_ARCH__ >= 530 */
__device__ inline int where() { return 1; }
#else
inline int where() { return 0; }
#endif
