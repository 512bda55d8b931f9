// Launches in every form stay chevrons; what stands in their arguments is ported.
#include <cuda_runtime.h>
#include <cstdio>

template <typename T, int N>
__global__ void fill(T* p, T v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) p[i] = v;
}

__global__ void tick() {}

static int grid(int n) { return (n + 255) / 256; }

#define LAUNCH(kernel, n, stream, ...) kernel<<<grid(n), 256, 0, stream>>>(__VA_ARGS__)

int main() {
  float* p = nullptr;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&p, 1024 * sizeof(float));
  fill<float, (1024 >> 1)><<<dim3(4), dim3(256), 0, s>>>(p, 1.0f);
  fill<float, 1024>
      <<<grid(1024),  // as many as it takes
         [] { return 256; }()>>>(p, 2.0f);
  LAUNCH((fill<float, 8>), 8, s, p, 3.0f);
  tick<<<1, 1, 0, cudaStreamPerThread>>>();
  void (*k)() = tick;
  (*k)<<<1, 1>>>();
  if (cudaPeekAtLastError() != cudaSuccess) printf("cudaPeekAtLastError failed\n");
  return cudaFree(p) == cudaSuccess ? 0 : 1;
}
