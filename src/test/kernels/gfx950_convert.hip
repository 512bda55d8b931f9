// exact: conversions of gfx950 between floats of 8, 6 and 4 bits and wider ones, with scales
// targets: gfx950
#include "check.h"

typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f16s __attribute__((ext_vector_type(16)));
typedef float f32s __attribute__((ext_vector_type(32)));
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef short s2 __attribute__((ext_vector_type(2)));
typedef unsigned u6 __attribute__((ext_vector_type(6)));

// What a format of the Open Compute Project holds: bits in all, of the fraction, the bias.
struct Format {
  int bits, fraction, bias;
  bool nan;
};
const Format FP8{8, 3, 7, true}, FP6{6, 3, 1, false}, BF6{6, 2, 3, false}, FP4{4, 1, 1, false};

double value(Format f, unsigned code) {
  unsigned size = code & ((1u << (f.bits - 1)) - 1);
  if (f.nan && size == 0x7f) return NAN;
  int exponent = size >> f.fraction;
  unsigned fraction = size & ((1u << f.fraction) - 1);
  double v = exponent ? std::ldexp(fraction + (1 << f.fraction), exponent - f.bias - f.fraction)
                      : std::ldexp(fraction, 1 - f.bias - f.fraction);
  return code >> (f.bits - 1) ? -v : v;
}

// The nearest code by trying all; beyond the largest number it is that or NaN.
unsigned nearest(Format f, double x) {
  unsigned sign = std::signbit(x) ? 1u << (f.bits - 1) : 0, top = (1u << (f.bits - 1)) - (f.nan ? 2 : 1), best = 0;
  double size = std::fabs(x), most = value(f, top);
  for (unsigned code = 1; code <= top; code++) {
    double now = std::fabs(value(f, code) - size), least = std::fabs(value(f, best) - size);
    if (now < least || (now == least && code % 2 == 0)) best = code;
  }
  double over = size - most - (most - value(f, top - 1)) / 2;
  return sign | (f.nan && over > 0 ? top + 1 : best);
}

__device__ float scaleOf(unsigned i) { return __builtin_ldexpf(1.5f, int(i % 7) - 3); }

BOTH float number(unsigned i) { return float(int(bits(i))) * 0x1p-28f; }

__global__ void widen(const unsigned* in, float* eight, float* four, float* six) {
#if defined(__gfx950__)
  unsigned i = threadIdx.x, word = in[i];
  float scale = scaleOf(i);
  eight[4 * i] = __builtin_amdgcn_cvt_scalef32_f32_fp8(word, scale, 0);
  eight[4 * i + 1] = __builtin_amdgcn_cvt_scalef32_f32_fp8(word, scale, 1);
  f2 pair = __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(word, scale, true);
  eight[4 * i + 2] = pair[0], eight[4 * i + 3] = pair[1];
  f2 quads[4] = {__builtin_amdgcn_cvt_scalef32_pk_f32_fp4(word, scale, 0),
                 __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(word, scale, 1),
                 __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(word, scale, 2),
                 __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(word, scale, 3)};
  for (int k = 0; k < 8; k++) four[8 * i + k] = quads[k / 2][k % 2];
  u6 words;
  for (int k = 0; k < 6; k++) words[k] = in[(i + k) % 64];
  f32s all = __builtin_amdgcn_cvt_scalef32_pk32_f32_fp6(words, scale);
  for (int k = 0; k < 32; k++) six[32 * i + k] = all[k];
#endif
}

__global__ void narrow(unsigned* eight, unsigned* four, unsigned* six, unsigned* halves) {
#if defined(__gfx950__)
  unsigned i = threadIdx.x;
  float scale = scaleOf(i);
  s2 two = {0, 0};
  two = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(two, 100 * number(4 * i), 100 * number(4 * i + 1), scale, false);
  two = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(two, 100 * number(4 * i + 2), 100 * number(4 * i + 3), scale, true);
  eight[i] = __builtin_bit_cast(unsigned, two);
  unsigned quads = 0;
  quads = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(quads, number(8 * i), number(8 * i + 1), scale, 0);
  quads = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(quads, number(8 * i + 2), number(8 * i + 3), scale, 1);
  quads = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(quads, number(8 * i + 4), number(8 * i + 5), scale, 2);
  quads = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(quads, number(8 * i + 6), number(8 * i + 7), scale, 3);
  four[i] = quads;
  f16s even, odd;
  for (int k = 0; k < 16; k++) even[k] = number(32 * i + 2 * k), odd[k] = number(32 * i + 2 * k + 1);
  u6 words = __builtin_amdgcn_cvt_scalef32_2xpk16_bf6_f32(even, odd, scale);
  for (int k = 0; k < 6; k++) six[6 * i + k] = words[k];
  h2 h = {(_Float16)number(2 * i), (_Float16)number(2 * i + 1)};
  two = s2{0x1234, 0x5678};
  two = __builtin_amdgcn_cvt_scalef32_pk_fp8_f16(two, h, scale, true);
  halves[i] = __builtin_bit_cast(unsigned, two);
#endif
}

// Numbers that a format holds stay as they are whatever the random bits.
__global__ void random(const float* in, unsigned* six, unsigned* four, unsigned* eight) {
#if defined(__gfx950__)
  unsigned i = threadIdx.x, seed = bits(i + 5000);
  f32s all;
  for (int k = 0; k < 32; k++) all[k] = in[k];
  u6 words = __builtin_amdgcn_cvt_scalef32_sr_pk32_fp6_f32(all, seed, 1.0f);
  for (int k = 0; k < 6; k++) six[6 * i + k] = words[k];
  f2 pair = {in[8], in[16]};
  // LLVM 21 does not keep the other bytes of the first argument.
  four[i] = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f32(0, pair, seed, 1.0f, 2) >> 16 & 0xff;
  eight[i] = __builtin_amdgcn_cvt_scalef32_sr_fp8_f32(0x11111111, in[i % 32], seed, 1.0f, 3);
#endif
}

double scaleAt(unsigned i) { return std::ldexp(1, int(i % 7) - 3); }

unsigned field(const std::vector<unsigned>& words, size_t bit, int width) {
  uint64_t pair = words[bit / 32];
  if (bit / 32 + 1 < words.size()) pair |= uint64_t(words[bit / 32 + 1]) << 32;
  return pair >> bit % 32 & ((1u << width) - 1);
}

int main() {
  Check check;
  std::vector<unsigned> in(64);
  for (unsigned i = 0; i < 64; i++) in[i] = bits(i + 900) & 0xfefefefe;  // no NaN
  Buffer<unsigned> codes(in);
  Buffer<float> eight(256), four(512), six(2048);
  widen<<<1, 64>>>(codes.get(), eight.get(), four.get(), six.get());
  std::vector<float> want8(256), want4(512), want6(2048);
  for (unsigned i = 0; i < 64; i++) {
    for (int k = 0; k < 4; k++) want8[4 * i + k] = value(FP8, in[i] >> 8 * k & 0xff) * scaleAt(i);
    for (int k = 0; k < 8; k++) want4[8 * i + k] = value(FP4, in[i] >> 4 * k & 0xf) * scaleAt(i);
    std::vector<unsigned> words(6);
    for (int k = 0; k < 6; k++) words[k] = in[(i + k) % 64];
    for (int k = 0; k < 32; k++) want6[32 * i + k] = value(FP6, field(words, 6 * k, 6)) * scaleAt(i);
  }
  check.same("from fp8", eight.host(), want8);
  check.same("from fp4", four.host(), want4);
  check.same("from fp6", six.host(), want6);

  Buffer<unsigned> to8(64), to4(64), to6(384), halves(64);
  narrow<<<1, 64>>>(to8.get(), to4.get(), to6.get(), halves.get());
  std::vector<unsigned> w8(64), w4(64), whalves(64), got6(2048), w6(2048), all6 = to6.host();
  for (unsigned i = 0; i < 64; i++) {
    for (int k = 0; k < 4; k++) w8[i] |= nearest(FP8, 100 * number(4 * i + k) / scaleAt(i)) << 8 * k;
    for (int k = 0; k < 8; k++) w4[i] |= nearest(FP4, number(8 * i + k) / scaleAt(i)) << 4 * k;
    for (int k = 0; k < 32; k++) {
      got6[32 * i + k] = field(all6, 192 * i + 6 * k, 6);
      w6[32 * i + k] = nearest(BF6, number(32 * i + k) / scaleAt(i));
    }
    whalves[i] = 0x1234;
    for (int k = 0; k < 2; k++) whalves[i] |= nearest(FP8, float((_Float16)number(2 * i + k)) / scaleAt(i)) << (16 + 8 * k);
  }
  check.same("to fp8", to8.host(), w8);
  check.same("to fp4", to4.host(), w4);
  check.same("to bf6", got6, w6);
  check.same("halves to fp8", halves.host(), whalves);

  std::vector<float> held(32);
  for (int k = 0; k < 32; k++) held[k] = value(FP6, k);
  Buffer<float> numbers(held);
  Buffer<unsigned> r6(384), r4(64), r8(64);
  random<<<1, 64>>>(numbers.get(), r6.get(), r4.get(), r8.get());
  std::vector<unsigned> all = r6.host(), g6(2048), k6(2048), k4(64), k8(64);
  for (unsigned i = 0; i < 64; i++) {
    for (unsigned k = 0; k < 32; k++) g6[32 * i + k] = field(all, 192 * i + 6 * k, 6), k6[32 * i + k] = k;
    k4[i] = nearest(FP4, held[8]) | nearest(FP4, held[16]) << 4;
    k8[i] = 0x00111111u | nearest(FP8, held[i % 32]) << 24;
  }
  check.same("fp6 by random bits", g6, k6);
  check.same("fp4 by random bits", r4.host(), k4);
  check.same("fp8 by random bits", r8.host(), k8);
  return check.end();
}
