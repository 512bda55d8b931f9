#include <cstdio>
#include <cstdlib>

#include "series.h"

__global__ void sum(int n, int* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, term(i) * step);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  int* result;
  if (hipMallocManaged(&result, sizeof *result) != hipSuccess) return 1;
  *result = 0;
  set_step(3);
  sum<<<(n + 127) / 128, 128>>>(n, result);
  hipError_t error = hipDeviceSynchronize();
  int expected = 3 * (3 * (n * (n - 1) / 2) + n);
  bool right = error == hipSuccess && *result == expected;
  printf("%d, %d expected: %s\n", *result, expected, right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
