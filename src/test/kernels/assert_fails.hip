// expect: exit 134: a failed assert in a kernel aborts the program with the expression
// text: assert_fails.hip:9: void checks(int *): Device-side assertion `value < 3 && "too large"' failed.
#include "check.h"

#include <cassert>

__global__ void checks(int* out) {
  int value = out[threadIdx.x] + threadIdx.x;
  assert(value < 3 && "too large");
  out[threadIdx.x] = value;
}

int main() {
  Buffer<int> out(64);
  checks<<<1, 64>>>(out.get());
  DONE();
  printf("FAIL the assert did not stop the program\n");
  return 1;
}
