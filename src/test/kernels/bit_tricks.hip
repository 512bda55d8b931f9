// exact: popc, clz, ffs, brev, bit fields, byte permute, funnel shifts, Morton and Gray codes
#include "check.h"

BOTH int popcount(uint64_t v) {
  int n = 0;
  for (; v; v &= v - 1) n++;
  return n;
}
BOTH uint64_t reverse(uint64_t v, int width) {
  uint64_t r = 0;
  for (int k = 0; k < width; k++) r |= (v >> k & 1) << (width - 1 - k);
  return r;
}
BOTH int leading(uint64_t v, int width) {
  int n = 0;
  while (n < width && !(v >> (width - 1 - n) & 1)) n++;
  return n;
}
BOTH int first(uint64_t v) {
  for (int k = 0; k < 64; k++)
    if (v >> k & 1) return k + 1;
  return 0;
}
BOTH uint32_t permute(uint32_t x, uint32_t y, uint32_t s) {
  uint64_t both = uint64_t(y) << 32 | x;
  uint32_t r = 0;
  for (int k = 0; k < 4; k++) r |= uint32_t(both >> 8 * (s >> 4 * k & 7) & 255) << 8 * k;
  return r;
}
BOTH uint32_t spread(uint32_t v) {
  v &= 0xffff;
  v = (v | v << 8) & 0x00ff00ff;
  v = (v | v << 4) & 0x0f0f0f0f;
  v = (v | v << 2) & 0x33333333;
  return (v | v << 1) & 0x55555555;
}

struct Out {
  uint32_t v[14];
  uint64_t w[6];
};

BOTH uint32_t a32(uint32_t i) { return bits(i) >> (i % 33 == 32 ? 31 : i % 33) << (i % 5) & (i % 17 ? ~0u : 0u); }
BOTH uint64_t a64(uint32_t i) { return i % 19 ? bits64(i) >> (i % 64) << (i % 9) : 0; }

BOTH void common(uint32_t i, Out& o) {
  uint32_t v = a32(i), w = a32(i + 7);
  o.v[8] = spread(v) | spread(w) << 1;
  o.v[9] = v ^ v >> 1;
  o.v[10] = v >> (w & 31) & ((1u << (i & 31)) - 1);
  o.v[11] = uint32_t(int32_t(v << (i % 20)) >> 13);
  o.v[12] = (v & w) | (~v & i);
  o.v[13] = v & -v;
  o.w[5] = a64(i) & (a64(i) - 1);
}

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t v = a32(i), w = a32(i + 7);
  uint64_t x = a64(i);
  Out o;
  o.v[0] = __popc(v);
  o.v[1] = __clz(v);
  o.v[2] = __ffs(v);
  o.v[3] = __brev(v);
  o.v[4] = __byte_perm(v, w, bits(i));
  o.v[5] = __funnelshift_l(v, w, i);
  o.v[6] = __funnelshift_r(v, w, i);
  o.v[7] = __builtin_amdgcn_alignbyte(v, w, i) ^ __builtin_amdgcn_ubfe(v, i & 15, 9);
  o.w[0] = __popcll(x);
  o.w[1] = __clzll(x);
  o.w[2] = __ffsll((unsigned long long)x);
  o.w[3] = __brevll(x);
  o.w[4] = __builtin_bswap64(x) + __builtin_bswap32(v) + __builtin_bswap16(uint16_t(w));
  common(i, o);
  out[i] = o;
}

int main() {
  Check check;
  constexpr int n = 600;
  Buffer<Out> out(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<Out> want(n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = a32(i), w = a32(i + 7);
    uint64_t x = a64(i), both = uint64_t(w) << 32 | v, pair = uint64_t(v) << 32 | w;
    Out& o = want[i];
    o.v[0] = popcount(v);
    o.v[1] = leading(v, 32);
    o.v[2] = first(v);
    o.v[3] = uint32_t(reverse(v, 32));
    o.v[4] = permute(v, w, bits(i));
    o.v[5] = uint32_t(both << (i & 31) >> 32);
    o.v[6] = uint32_t(both >> (i & 31));
    o.v[7] = uint32_t(pair >> 8 * (i & 3)) ^ (v >> (i & 15) & 511);
    o.w[0] = popcount(x);
    o.w[1] = leading(x, 64);
    o.w[2] = first(x);
    o.w[3] = reverse(x, 64);
    o.w[4] = __builtin_bswap64(x) + __builtin_bswap32(v) + __builtin_bswap16(uint16_t(w));
    common(i, o);
  }
  check.same("bits", out.host(), want);
  return check.end();
}
