// exact: instructions of gfx950: swaps of lanes, bitop3, prng, bfloat16 conversions, 160 KiB of LDS
// targets: gfx950
#include "check.h"

__global__ void swaps(unsigned* out) {
#if defined(__gfx950__)
  unsigned a = bits(threadIdx.x), b = bits(threadIdx.x + 1000);
  auto r16 = __builtin_amdgcn_permlane16_swap(a, b, false, false);
  auto r32 = __builtin_amdgcn_permlane32_swap(a, b, false, false);
  unsigned values[4] = {r16[0], r16[1], r32[0], r32[1]};
  for (int i = 0; i < 4; i++) out[i * 64 + threadIdx.x] = values[i];
#endif
}

std::vector<unsigned> swapped() {
  std::vector<unsigned> want(256);
  for (unsigned i = 0; i < 64; i++) {
    want[i] = i & 16 ? bits(i - 16 + 1000) : bits(i);
    want[64 + i] = i & 16 ? bits(i + 1000) : bits(i + 16);
    want[128 + i] = i & 32 ? bits(i - 32 + 1000) : bits(i);
    want[192 + i] = i & 32 ? bits(i + 1000) : bits(i + 32);
  }
  return want;
}

// Functions of three bits that the compiler makes one instruction.
BOTH unsigned logic(unsigned a, unsigned b, unsigned c) {
  return ((a & b) | (~a & ~c)) + ((a ^ b) | c) * 3 + (~(a | b) ^ c) * 5 + ((a & ~b) ^ (b | ~c)) * 7;
}

__global__ void logics(unsigned* out) {
  unsigned i = threadIdx.x;
  out[i] = logic(bits(i), bits(i + 7), bits(i + 77));
}

__global__ void random(unsigned* out) {
#if defined(__gfx950__)
  out[threadIdx.x] = __builtin_amdgcn_prng_b32(bits(threadIdx.x));
#endif
}

__global__ void narrow(unsigned short* out) {
  float f = float(int(bits(threadIdx.x))) * 0x1p-20f;
  __bf16 b = (__bf16)f;
  out[threadIdx.x] = __builtin_bit_cast(unsigned short, b);
}

typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef __bf16 b2 __attribute__((ext_vector_type(2)));

__global__ void pairs(unsigned* out) {
#if defined(__gfx950__)
  unsigned i = threadIdx.x;
  h2 a = __builtin_bit_cast(h2, bits(i)), b = __builtin_bit_cast(h2, bits(i + 64)),
     c = __builtin_bit_cast(h2, bits(i + 128));
  h2 least = __builtin_elementwise_minimum(__builtin_elementwise_minimum(a, b), c);
  h2 most = __builtin_elementwise_maximum(__builtin_elementwise_maximum(a, b), c);
  out[i] = __builtin_bit_cast(unsigned, least);
  out[64 + i] = __builtin_bit_cast(unsigned, most);
  b2 x, y;
  for (int k = 0; k < 2; k++) {
    x[k] = (__bf16)float(int(bits(2 * i + k) % 31) - 15);
    y[k] = (__bf16)float(int(bits(2 * i + k + 500) % 31) - 15);
  }
  out[128 + i] = __builtin_bit_cast(unsigned, __builtin_amdgcn_fdot2_f32_bf16(x, y, float(i), false));
#endif
}

float half(unsigned bits) {
  _Float16 h;
  unsigned short low = bits;
  memcpy(&h, &low, 2);
  return float(h);
}

// That of two halves with a NaN is NaN; which one is not compared. -0 is less than 0.
bool isExtreme(unsigned got, unsigned a, unsigned b, unsigned c, bool most) {
  unsigned all[3] = {a & 0xffff, b & 0xffff, c & 0xffff}, want = all[0];
  for (unsigned h : all) {
    if (std::isnan(half(h))) return std::isnan(half(got));
    bool less = half(h) < half(want) || (half(h) == half(want) && h >> 15 && !(want >> 15));
    bool more = half(h) > half(want) || (half(h) == half(want) && !(h >> 15) && want >> 15);
    if (most ? more : less) want = h;
  }
  return (got & 0xffff) == want;
}

constexpr int WORDS = (160 << 10) / 4;

// Each word goes through LDS once, from one end to the other.
__global__ void reverse(unsigned* out) {
  extern __shared__ unsigned all[];
  for (int i = threadIdx.x; i < WORDS; i += blockDim.x) all[i] = bits(i);
  __syncthreads();
  for (int i = threadIdx.x; i < WORDS; i += blockDim.x) out[i] = all[WORDS - 1 - i];
}

int main() {
  Check check;
  Buffer<unsigned> s(256);
  swaps<<<1, 64>>>(s.get());
  check.same("swaps", s.host(), swapped());

  Buffer<unsigned> l(64), r(64);
  Buffer<unsigned short> n(64);
  logics<<<1, 64>>>(l.get());
  random<<<1, 64>>>(r.get());
  narrow<<<1, 64>>>(n.get());
  std::vector<unsigned> wl(64), wr(64);
  std::vector<unsigned short> wn(64);
  for (unsigned i = 0; i < 64; i++) {
    wl[i] = logic(bits(i), bits(i + 7), bits(i + 77));
    unsigned x = bits(i);
    wr[i] = x << 1 ^ (x >> 31 ? 197 : 0);
    float f = float(int(x)) * 0x1p-20f;
    unsigned w;
    memcpy(&w, &f, 4);
    wn[i] = (w + 0x7fff + (w >> 16 & 1)) >> 16;
  }
  check.same("bitop3", l.host(), wl);
  check.same("prng", r.host(), wr);
  check.same("bfloat16", n.host(), wn);

  Buffer<unsigned> p(192);
  pairs<<<1, 64>>>(p.get());
  std::vector<unsigned> got = p.host(), right(64, 1), seen(64, 1), dots(64), dot(64);
  for (unsigned i = 0; i < 64; i++) {
    unsigned a = bits(i), b = bits(i + 64), c = bits(i + 128);
    for (int shift = 0; shift < 32; shift += 16) {
      if (!isExtreme(got[i] >> shift, a >> shift, b >> shift, c >> shift, false)) seen[i] = 0;
      if (!isExtreme(got[64 + i] >> shift, a >> shift, b >> shift, c >> shift, true)) seen[i] = 0;
    }
    float sum = i;
    for (unsigned k = 0; k < 2; k++) sum += float(int(bits(2 * i + k) % 31) - 15) * float(int(bits(2 * i + k + 500) % 31) - 15);
    memcpy(&dot[i], &sum, 4);
    dots[i] = got[128 + i];
  }
  check.same("extremes of three", seen, right);
  check.same("dots of bfloat16", dots, dot);

  Buffer<unsigned> all(WORDS);
  reverse<<<1, 256, WORDS * 4>>>(all.get());
  std::vector<unsigned> want(WORDS);
  for (int i = 0; i < WORDS; i++) want[i] = bits(WORDS - 1 - i);
  check.same("LDS", all.host(), want);
  return check.end();
}
