// Launches that no compiler accepts, and expressions that look like one.
#include <cuda_runtime.h>
#include <iostream>

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1.0f;
}

void run(float *data, int n, cudaStream_t stream) {
  fill<<<(n + 255) / 256, 256, 0, stream>>>(data, n);  // ok: LAUNCH-BROKEN
  fill<<<dim3(n / 64), dim3(64)>>>(data, n);           // ok: LAUNCH-BROKEN
  fill << <n, 64 >> > (data, n);                       // ok: LAUNCH-BROKEN
  std::cout << (n << 2) << (n >> 1) << '\n';           // ok: LAUNCH-BROKEN
}

void draft(float *data, int n) {
  fill<<<n / 64, 64(data, n);  // want: LAUNCH-BROKEN
}
