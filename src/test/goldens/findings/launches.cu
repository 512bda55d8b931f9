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

// Dynamic parallelism: kernels that launch kernels.
__global__ void refine(float *data, int n, int depth) {
  if (depth > 0 && threadIdx.x == 0) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);  // want: LAUNCH-DEVICE
    refine<<<1, n / 2, 0, s>>>(data, n / 2, depth - 1);    // want: LAUNCH-DEVICE
    cudaDeviceSynchronize();                               // want: LAUNCH-DEVICE
  }
}

__host__ __device__ void either(float *data, int n) {
  fill<<<1, n>>>(data, n);  // want: LAUNCH-DEVICE
  cudaGetLastError();       // ok: LAUNCH-DEVICE
}

struct Filler {
  __device__ float one() const { return 1.0f; }
  void operator()(float *data, int n) { fill<<<1, n>>>(data, n); }  // ok: LAUNCH-DEVICE
};

template <typename F>
void each(F f, float *data);

void lambdas(float *data, int n) {
  each([=] __device__(int i) { fill<<<1, i>>>(data, i); }, data);  // want: LAUNCH-DEVICE
  each([=](int i) { fill<<<1, i>>>(data, i); }, data);             // ok: LAUNCH-DEVICE
}

void draft(float *data, int n) {
  fill<<<n / 64, 64(data, n);  // want: LAUNCH-BROKEN
}
