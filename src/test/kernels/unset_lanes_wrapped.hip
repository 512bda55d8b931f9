// exact: a variable that one lane sets, broadcast by a function of the program's own
#include "check.h"

__device__ int broadcast(int value, int lane) { return __shfl(value, lane); }

__global__ void kernel(int* counter, int* out) {
  int base;
  int rank = threadIdx.x & 63;
  if (rank == 0) base = atomicAdd(counter, 64);
  base = broadcast(base, 0);
  out[base + rank] = 1;
}

int main() {
  Check check;
  constexpr int n = 512;
  Buffer<int> counter(1), out(n);
  kernel<<<2, 256>>>(counter.get(), out.get());
  check.same("counter", counter.host(), std::vector<int>{n});
  check.same("out", out.host(), std::vector<int>(n, 1));
  return check.end();
}
