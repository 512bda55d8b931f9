// quick exact: int8 and int16 arithmetic with wrap, sign extension, shifts, byte selects (SDWA)
#include "check.h"

struct Out {
  uint8_t a, b, c, d;
  int8_t e, f, g, h;
  uint16_t i, j;
  int16_t k, l;
  uint32_t m, n;
};

BOTH Out compute(uint32_t x, uint32_t y) {
  uint8_t b0 = x, b1 = x >> 8, b2 = x >> 16, b3 = x >> 24;
  uint8_t c0 = y, c1 = y >> 8, c2 = y >> 16, c3 = y >> 24;
  int16_t h0 = int16_t(x), h1 = int16_t(x >> 16), k0 = int16_t(y), k1 = int16_t(y >> 16);
  Out o;
  o.a = b0 + c1;
  o.b = b1 * c2;
  o.c = b2 - c3;
  o.d = (b3 ^ c0) >> 1;
  o.e = int8_t(b0) / (int8_t(c0) | 1);
  o.f = int8_t(b1) >> (c1 & 7);
  o.g = int8_t(b2) < int8_t(c2) ? int8_t(b2) : int8_t(c2);
  o.h = int8_t(int8_t(b3) * int8_t(c3) >> 4);
  o.i = uint16_t(h0) + uint16_t(k1);
  o.j = uint16_t(h1) * uint16_t(k0);
  o.k = int16_t(h0 >> (k0 & 15));
  o.l = h1 > k1 ? h1 : k1;
  o.m = uint32_t(b0) * b1 + uint32_t(b2) * b3 + (c0 << 24 | c1 << 16 | c2 << 8 | c3);
  o.n = uint32_t(int32_t(h0) * k0 + int32_t(h1) * k1) ^ uint32_t(int8_t(b3));
  return o;
}

BOTH uint8_t blend(uint8_t a, uint8_t b, uint8_t alpha) { return (a * alpha + b * (255 - alpha) + 127) / 255; }

BOTH uint8_t saturate(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = compute(bits(i), bits(i + n));
}

__global__ void pixels(const uchar4* a, const uchar4* b, uchar4* out, short4* difference, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 p = a[i], q = b[i];
  out[i] = uchar4{blend(p.x, q.x, p.w), blend(p.y, q.y, p.w), blend(p.z, q.z, p.w), saturate(p.w + q.w - 60)};
  difference[i] = short4{short(p.x - q.x), short((p.y - q.y) * 2), short(p.z + q.z), short(-p.w)};
}

int main() {
  Check check;
  constexpr int n = 1000;
  Buffer<Out> out(n);
  run<<<(n + 127) / 128, 128>>>(out.get(), n);
  std::vector<Out> want(n);
  for (int i = 0; i < n; i++) want[i] = compute(bits(i), bits(i + n));
  check.same("bytes", out.host(), want);
  std::vector<uchar4> a(n), b(n), blended(n);
  std::vector<short4> difference(n);
  for (int i = 0; i < n; i++) {
    uint32_t x = bits(i + 2 * n), y = bits(i + 3 * n);
    memcpy(&a[i], &x, 4);
    memcpy(&b[i], &y, 4);
    uchar4 p = a[i], q = b[i];
    blended[i] = uchar4{blend(p.x, q.x, p.w), blend(p.y, q.y, p.w), blend(p.z, q.z, p.w), saturate(p.w + q.w - 60)};
    difference[i] = short4{short(p.x - q.x), short((p.y - q.y) * 2), short(p.z + q.z), short(-p.w)};
  }
  Buffer<uchar4> da(a), db(b), dc(n);
  Buffer<short4> dd(n);
  pixels<<<(n + 63) / 64, 64>>>(da.get(), db.get(), dc.get(), dd.get(), n);
  check.same("blend", dc.host(), blended);
  check.same("difference", dd.host(), difference);
  return check.end();
}
