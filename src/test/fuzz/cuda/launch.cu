#include <cuda_runtime.h>
#define MASK 0xffffffffu
__global__ void k(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? a[i] : 0.f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(MASK, v, d);
  asm volatile("add.f32 %0, %0, %1;" : "+f"(v) : "f"(1.f));
  if ((threadIdx.x & 31) == 0) atomicAdd(a, v);
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#endif
int main() { float* p; cudaMalloc(&p, 64); k<<<1, dim3(32, 1), 0, nullptr>>>(p, 3); return cudaFree(p); }
