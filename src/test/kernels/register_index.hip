// exact: a vector of registers indexed by values known at run time only (s_set_gpr_idx_on)
#include "check.h"

typedef int Registers __attribute__((ext_vector_type(16)));

BOTH int mix(const int* in, int select, int lane) {
  Registers a;
  for (int i = 0; i < 16; i++) a[i] = in[i] + lane;
  a[select] = 1000 + lane;
  unsigned s = 0;
  for (int i = 0; i < 16; i++) s = s * 3 + a[(i + select) & 15];
  return int(s) + a[(select * 5) & 15];
}

__global__ void kernel(int* out, const int* in, int select) {
  out[select * 64 + threadIdx.x] = mix(in, select, threadIdx.x);
}

int main() {
  Check check;
  std::vector<int> in(16), want(16 * 64);
  for (int i = 0; i < 16; i++) in[i] = i * i + 1;
  Buffer<int> device(in), out(16 * 64);
  for (int select = 0; select < 16; select++) {
    kernel<<<1, 64>>>(out.get(), device.get(), select);
    for (int lane = 0; lane < 64; lane++) want[select * 64 + lane] = mix(in.data(), select, lane);
  }
  check.same("registers", out.host(), want);
  return check.end();
}
