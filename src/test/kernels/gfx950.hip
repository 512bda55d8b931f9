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

  Buffer<unsigned> all(WORDS);
  reverse<<<1, 256, WORDS * 4>>>(all.get());
  std::vector<unsigned> want(WORDS);
  for (int i = 0; i < WORDS; i++) want[i] = bits(WORDS - 1 - i);
  check.same("LDS", all.host(), want);
  return check.end();
}
