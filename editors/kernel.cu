#include <cuda_runtime.h>
__global__ void k(unsigned* p) {
  asm volatile("wgmma.fence.sync.aligned;");
  unsigned x;
  asm("mov.u32 %0, %%laneid;" : "=r"(x));
  p[0] = x;
}
void f(unsigned* p) { k<<<1, 64>>>(p); cudaDeviceSynchronize(); }
