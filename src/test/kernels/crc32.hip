// exact: CRC-32 by bits, by a table in LDS and eight bytes at a time; known check value
#include "check.h"

BOTH uint32_t entry(uint32_t c) {
  for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
  return c;
}

BOTH uint32_t byBits(const uint8_t* p, int n) {
  uint32_t c = ~0u;
  for (int i = 0; i < n; i++) c = entry((c ^ p[i]) & 255) ^ c >> 8;
  return ~c;
}

__global__ void plain(const uint8_t* in, int n, uint32_t* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = byBits(in + i, n - 2 * i);
}

__global__ void table(const uint8_t* in, int n, uint32_t* out) {
  __shared__ uint32_t t[8][256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    uint32_t c = entry(i);
    t[0][i] = c;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    for (int k = 1; k < 8; k++) t[k][i] = t[0][t[k - 1][i] & 255] ^ t[k - 1][i] >> 8;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, size = n - 2 * i;
  const uint8_t* p = in + i;
  uint32_t c = ~0u;
  while (size >= 8) {
    uint64_t w;
    memcpy(&w, p, 8);
    uint32_t a = uint32_t(w) ^ c, b = uint32_t(w >> 32);
    c = t[7][a & 255] ^ t[6][a >> 8 & 255] ^ t[5][a >> 16 & 255] ^ t[4][a >> 24] ^ t[3][b & 255] ^
        t[2][b >> 8 & 255] ^ t[1][b >> 16 & 255] ^ t[0][b >> 24];
    p += 8;
    size -= 8;
  }
  for (; size > 0; size--) c = t[0][(c ^ *p++) & 255] ^ c >> 8;
  out[i] = ~c;
}

int main() {
  Check check;
  constexpr int n = 300, lanes = 128;
  std::vector<uint8_t> in(n);
  for (int i = 0; i < n; i++) in[i] = uint8_t(bits(i));
  std::vector<uint32_t> want(lanes);
  for (int i = 0; i < lanes; i++) want[i] = byBits(in.data() + i, n - 2 * i);
  Buffer<uint8_t> d(in);
  Buffer<uint32_t> a(lanes), b(lanes);
  plain<<<2, 64>>>(d.get(), n, a.get());
  table<<<1, lanes>>>(d.get(), n, b.get());
  check.same("bits", a.host(), want);
  check.same("table", b.host(), want);
  Buffer<uint8_t> digits(std::vector<uint8_t>{'1', '2', '3', '4', '5', '6', '7', '8', '9'});
  plain<<<1, 1>>>(digits.get(), 9, a.get());
  check.same("check value", a.host()[0], 0xcbf43926u);
  return check.end();
}
