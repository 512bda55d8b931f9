// exact: Conway's game of life: bytes with wrap, and 64 cells a word by bit-sliced sums
#include "check.h"

constexpr int kWidth = 96, kHeight = 50;

BOTH uint8_t next(const uint8_t* g, int x, int y) {
  int n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) n += g[(y + dy + kHeight) % kHeight * kWidth + (x + dx + kWidth) % kWidth];
  return n == 3 || (n == 2 && g[y * kWidth + x]);
}

__global__ void bytes(const uint8_t* in, uint8_t* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kWidth && y < kHeight) out[y * kWidth + x] = next(in, x, y);
}

BOTH uint64_t word(uint64_t up, uint64_t at, uint64_t down) {
  uint64_t cells[8] = {up << 1 | up >> 63, up, up >> 1 | up << 63, at << 1 | at >> 63,
                       at >> 1 | at << 63, down << 1 | down >> 63, down, down >> 1 | down << 63};
  uint64_t ones = 0, twos = 0, fours = 0;
  for (uint64_t c : cells) {
    uint64_t carry = ones & c;
    ones ^= c;
    fours |= twos & carry;
    twos ^= carry;
  }
  return twos & ~fours & (ones | at);
}

__global__ void words(const uint64_t* in, uint64_t* out, int rows) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < rows) out[y] = word(in[(y + rows - 1) % rows], in[y], in[(y + 1) % rows]);
}

int main() {
  Check check;
  std::vector<uint8_t> g(kWidth * kHeight), h(g.size());
  for (size_t i = 0; i < g.size(); i++) g[i] = bits(i) % 3 == 0;
  Buffer<uint8_t> a(g), b(g.size());
  for (int s = 0; s < 4; s++) {
    bytes<<<dim3(6, 4), dim3(16, 16)>>>(s % 2 ? b.get() : a.get(), s % 2 ? a.get() : b.get());
    for (int i = 0; i < kWidth * kHeight; i++) h[i] = next(g.data(), i % kWidth, i / kWidth);
    g.swap(h);
  }
  check.same("bytes", a.host(), g);
  constexpr int rows = 100;
  std::vector<uint64_t> w(rows), v(rows);
  for (int i = 0; i < rows; i++) w[i] = bits64(i) & bits64(i + rows);
  Buffer<uint64_t> c(w), d(rows);
  for (int s = 0; s < 6; s++) {
    words<<<2, 64>>>(s % 2 ? d.get() : c.get(), s % 2 ? c.get() : d.get(), rows);
    for (int y = 0; y < rows; y++) v[y] = word(w[(y + rows - 1) % rows], w[y], w[(y + 1) % rows]);
    w.swap(v);
  }
  check.same("words", c.host(), w);
  return check.end();
}
