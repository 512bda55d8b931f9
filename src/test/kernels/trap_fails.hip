// expect: exit 134: a trap in a kernel aborts the program
// text: trap
#include "check.h"

__global__ void traps(int* out) {
  if (out[threadIdx.x] == 0 && threadIdx.x == 37) __builtin_trap();
  out[threadIdx.x] = 1;
}

int main() {
  Buffer<int> out(64);
  traps<<<1, 64>>>(out.get());
  DONE();
  printf("FAIL the trap did not stop the program\n");
  return 1;
}
