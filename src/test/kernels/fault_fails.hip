// expect: exit 134: a store beyond an allocation is a memory fault that names the kernel
// text: overrun
#include "check.h"

__global__ void overrun(int* out, int n) { out[threadIdx.x + n] = 1; }

int main() {
  Buffer<int> out(100);
  overrun<<<1, 64>>>(out.get(), 50);
  DONE();
  printf("FAIL the overrun did not stop the program\n");
  return 1;
}
