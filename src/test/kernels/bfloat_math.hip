// exact: bfloat16 by hand and by the HIP type: rounding, arithmetic through float, comparison
#include "check.h"

#include <hip/hip_bf16.h>

BOTH uint16_t toBits(float f) {
  uint32_t u = __builtin_bit_cast(uint32_t, f);
  return uint16_t((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
BOTH float fromBits(uint16_t h) { return __builtin_bit_cast(float, uint32_t(h) << 16); }

BOTH float operand(uint32_t i) { return __builtin_bit_cast(float, (bits(i) & 0x87ffffff) + 0x3c000000); }

__global__ void manual(uint16_t* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = toBits(fromBits(toBits(operand(i))) * fromBits(toBits(operand(i + n))) + operand(i + 7));
}

__global__ void type(__hip_bfloat16* out, unsigned* compare, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __hip_bfloat16 a = __float2bfloat16(operand(i)), b = __float2bfloat16(operand(i + n));
  out[4 * i] = __hadd(a, b);
  out[4 * i + 1] = __hmul(a, b);
  out[4 * i + 2] = __hsub(a, b);
  out[4 * i + 3] = __hneg(a);
  compare[i] = __hlt(a, b) | __heq(a, b) << 1 | __hge(a, b) << 2;
}

int main() {
  Check check;
  constexpr int n = 600;
  Buffer<uint16_t> a(n);
  Buffer<__hip_bfloat16> b(4 * n);
  Buffer<unsigned> c(n);
  manual<<<(n + 127) / 128, 128>>>(a.get(), n);
  type<<<(n + 127) / 128, 128>>>(b.get(), c.get(), n);
  std::vector<uint16_t> wa(n), wb(4 * n), gb(4 * n);
  std::vector<unsigned> wc(n);
  for (int i = 0; i < n; i++) {
    float x = fromBits(toBits(operand(i))), y = fromBits(toBits(operand(i + n)));
    wa[i] = toBits(x * y + operand(i + 7));
    wb[4 * i] = toBits(x + y);
    wb[4 * i + 1] = toBits(x * y);
    wb[4 * i + 2] = toBits(x - y);
    wb[4 * i + 3] = toBits(-x);
    wc[i] = (x < y) | (x == y) << 1 | (x >= y) << 2;
  }
  auto got = b.host();
  memcpy(gb.data(), got.data(), gb.size() * 2);
  check.same("manual", a.host(), wa);
  check.same("type", gb, wb);
  check.same("compare", c.host(), wc);
  return check.end();
}
