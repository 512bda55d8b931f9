#pragma once
#include <cuda_runtime.h>

inline cudaError_t device_address_of(float **device, float *memory) {
  cudaHostGetDevicePointer((void **)device, memory, 0);
  return cudaGetLastError();  // want: ROCM-CHANGE
}

inline float *device_address(float *memory) {
  float *device = nullptr;
  return device_address_of(&device, memory) == cudaSuccess ? device : nullptr;
}
