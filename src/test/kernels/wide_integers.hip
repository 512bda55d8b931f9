// exact: 64 and 128 bit multiply, shift, rotate, carry chains, high halves
#include "check.h"

struct Out {
  uint64_t product, high, shifted, rotated;
  int64_t signedHigh, arithmetic;
  uint64_t low128, high128, sum128, quotient;
  uint32_t mulhi, mad24;
  int32_t smulhi, smul24;
};

BOTH uint64_t highOf(uint64_t a, uint64_t b) {
#ifdef __HIP_DEVICE_COMPILE__
  return __umul64hi(a, b);
#else
  return uint64_t((unsigned __int128)a * b >> 64);
#endif
}
BOTH int64_t highOf(int64_t a, int64_t b) {
#ifdef __HIP_DEVICE_COMPILE__
  return __mul64hi(a, b);
#else
  return int64_t((__int128)a * b >> 64);
#endif
}
BOTH uint32_t mulhi(uint32_t a, uint32_t b) {
#ifdef __HIP_DEVICE_COMPILE__
  return __umulhi(a, b);
#else
  return uint32_t(uint64_t(a) * b >> 32);
#endif
}
BOTH int32_t smulhi(int32_t a, int32_t b) {
#ifdef __HIP_DEVICE_COMPILE__
  return __mulhi(a, b);
#else
  return int32_t(int64_t(a) * b >> 32);
#endif
}
BOTH uint32_t umul24(uint32_t a, uint32_t b) {
#ifdef __HIP_DEVICE_COMPILE__
  return __umul24(a, b);
#else
  return (a & 0xffffff) * (b & 0xffffff);
#endif
}
BOTH int32_t smul24(int32_t a, int32_t b) {
#ifdef __HIP_DEVICE_COMPILE__
  return __mul24(a, b);
#else
  return int32_t(uint32_t(int64_t(int32_t(uint32_t(a) << 8) >> 8) * (int32_t(uint32_t(b) << 8) >> 8)));
#endif
}

BOTH Out compute(uint32_t i) {
  uint64_t a = bits64(i) >> (i % 40), b = bits64(i + 99999) >> (i % 23);
  Out o;
  o.product = a * b;
  o.high = highOf(a, b);
  o.shifted = (a << (b & 63)) ^ (b >> (a & 63)) ^ (a << 13) ^ (b >> 41);
  unsigned r = b & 63;
  o.rotated = a << r | a >> (-r & 63);
  o.signedHigh = highOf(int64_t(a), -int64_t(b));
  o.arithmetic = int64_t(a ^ b) >> (i & 63);
  unsigned __int128 w = (unsigned __int128)a << 64 | b;
  unsigned __int128 p = w * (w ^ 0x123456789abcdefull);
  o.low128 = uint64_t(p);
  o.high128 = uint64_t(p >> 64);
  o.sum128 = uint64_t((w + p) >> 64) - uint64_t((w - p) >> 70) + uint64_t((__int128)w >> (i & 127));
  o.quotient = (a | 1) > b ? uint64_t(p >> 96) / (b | 1) : a % (b | 1);
  o.mulhi = mulhi(uint32_t(a), uint32_t(b));
  o.mad24 = umul24(uint32_t(a), uint32_t(b)) + i;
  o.smulhi = smulhi(int32_t(a), int32_t(b));
  o.smul24 = smul24(int32_t(a), int32_t(b)) - int32_t(i);
  return o;
}

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = compute(i);
}

int main() {
  Check check;
  constexpr int n = 777;
  Buffer<Out> out(n);
  run<<<(n + 191) / 192, 192>>>(out.get(), n);
  std::vector<Out> want(n);
  for (int i = 0; i < n; i++) want[i] = compute(i);
  check.same("wide", out.host(), want);
  return check.end();
}
