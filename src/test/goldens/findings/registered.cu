// Host memory that kernels get by its host address, and no call that asks for its device address.
#include <cuda_runtime.h>

__global__ void fill(float *out) { out[blockIdx.x] = 1.0f; }

void run(float *out, int n) {
  cudaHostRegister(out, n * sizeof(float), cudaHostRegisterDefault);  // want: HOST-REGISTERED
  fill<<<n, 1>>>(out);
  cudaDeviceSynchronize();
  cudaHostUnregister(out);  // ok: HOST-REGISTERED
}

void *function() { return (void *)&cudaHostRegister; }  // ok: HOST-REGISTERED
