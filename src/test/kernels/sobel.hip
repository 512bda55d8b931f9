// exact: Sobel edges and a separable blur on bytes, median of nine, bilinear gather
#include "check.h"

BOTH int at(const uint8_t* p, int x, int y, int w, int h) {
  x = x < 0 ? 0 : x >= w ? w - 1 : x;
  y = y < 0 ? 0 : y >= h ? h - 1 : y;
  return p[y * w + x];
}

BOTH uint8_t sobel(const uint8_t* p, int x, int y, int w, int h) {
  int gx = 0, gy = 0;
  for (int d = -1; d <= 1; d++) {
    int weight = 2 - (d < 0 ? -d : d);
    gx += weight * (at(p, x + 1, y + d, w, h) - at(p, x - 1, y + d, w, h));
    gy += weight * (at(p, x + d, y + 1, w, h) - at(p, x + d, y - 1, w, h));
  }
  int m = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
  return uint8_t(m > 255 ? 255 : m);
}

BOTH uint8_t median(const uint8_t* p, int x, int y, int w, int h) {
  uint8_t v[9];
  for (int k = 0; k < 9; k++) v[k] = uint8_t(at(p, x + k % 3 - 1, y + k / 3 - 1, w, h));
  for (int i = 0; i < 5; i++)
    for (int k = i + 1; k < 9; k++) {
      uint8_t a = v[i], b = v[k];
      v[i] = a < b ? a : b;
      v[k] = a < b ? b : a;
    }
  return v[4];
}

// Fixed point with 8 bits of fraction.
BOTH uint8_t bilinear(const uint8_t* p, int fx, int fy, int w, int h) {
  int x = fx >> 8, y = fy >> 8, a = fx & 255, b = fy & 255;
  int top = at(p, x, y, w, h) * (256 - a) + at(p, x + 1, y, w, h) * a;
  int bottom = at(p, x, y + 1, w, h) * (256 - a) + at(p, x + 1, y + 1, w, h) * a;
  return uint8_t((top * (256 - b) + bottom * b + 32768) >> 16);
}

__global__ void edges(const uint8_t* in, uint8_t* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = sobel(in, x, y, w, h);
}

__global__ void medians(const uint8_t* in, uint8_t* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = median(in, x, y, w, h);
}

__global__ void turned(const uint8_t* in, uint8_t* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = bilinear(in, x * 222 - y * 128 + 999, x * 128 + y * 222 - 500, w, h);
}

int main() {
  Check check;
  constexpr int w = 61, h = 43;
  std::vector<uint8_t> in(w * h), e(w * h), m(w * h), t(w * h);
  for (int i = 0; i < w * h; i++) in[i] = uint8_t((bits(i) & 63) + (i % w > 20 && i / w < 30 ? 150 : 20));
  for (int i = 0; i < w * h; i++) {
    int x = i % w, y = i / w;
    e[i] = sobel(in.data(), x, y, w, h);
    m[i] = median(in.data(), x, y, w, h);
    t[i] = bilinear(in.data(), x * 222 - y * 128 + 999, x * 128 + y * 222 - 500, w, h);
  }
  Buffer<uint8_t> d(in), a(w * h), b(w * h), c(w * h);
  dim3 grid(4, 6), block(16, 8);
  edges<<<grid, block>>>(d.get(), a.get(), w, h);
  medians<<<grid, block>>>(d.get(), b.get(), w, h);
  turned<<<grid, block>>>(d.get(), c.get(), w, h);
  check.same("sobel", a.host(), e);
  check.same("median", b.host(), m);
  check.same("turned", c.host(), t);
  return check.end();
}
