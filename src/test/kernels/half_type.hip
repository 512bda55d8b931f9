// exact: HIP's half and half2 types: arithmetic, fma, comparison, conversion with rounding, atomics
#include "check.h"

#include "../../../hip-runtime/include/rocport/half_functions.h"

__device__ uint16_t raw(__half h) { return __half_as_ushort(h); }
__device__ uint32_t raw(__half2 h) { return raw(__low2half(h)) | uint32_t(raw(__high2half(h))) << 16; }

uint16_t rounded(double v) { return __builtin_bit_cast(uint16_t, _Float16(v)); }

BOTH float first(uint32_t i) { return float(int(bits(i) % 2048) - 1024) / 64; }
BOTH float second(uint32_t i) { return float(int(bits(i + 5555) % 1024) + 1) / 128; }

struct Out {
  uint16_t sum, product, fused, quotient, negated, absolute, fromInt, fromDown;
  uint32_t pairSum, pairFused;
  int toInt;
  uint32_t compare;
};

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half a = __float2half(first(i)), b = __float2half(second(i)), c = __float2half(0.375f);
  Out o;
  o.sum = raw(__hadd(a, b));
  o.product = raw(__hmul(a, b));
  o.fused = raw(__hfma(a, b, c));
  o.quotient = raw(__float2half(__half2float(a) / __half2float(b)));
  o.negated = raw(__hneg(a));
  o.absolute = raw(__habs(a));
  o.fromInt = raw(__int2half_rn(i * 3 - 700));
  o.fromDown = raw(__float2half(first(i) * 1.0009765625f));
  __half2 p = __halves2half2(a, b), q = __halves2half2(b, c);
  o.pairSum = raw(__hadd2(p, q));
  o.pairFused = raw(__hfma2(p, q, __low2half2(p)));
  o.toInt = __half2int_rz(a);
  o.compare = __hlt(a, b) | __hle(a, c) << 1 | __heq(a, a) << 2 | __hgt(b, c) << 3 | __hne(a, b) << 4 | __hisnan(a) << 5;
  out[i] = o;
}

// Two halves a word, loaded and stored one by one.
__global__ void halves(const uint16_t* in, uint16_t* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint16_t lo = in[2 * i], hi = in[2 * i + 1];
  uint32_t w = uint32_t(hi) << 16 | lo;
  w = (w & 0xff00ff) * 3 + (w >> 8 & 0xff00ff);
  out[2 * i] = uint16_t(w >> 16);
  out[2 * i + 1] = uint16_t(w);
}

// Sums of small numbers, which are exact in any order: in LDS and in memory.
template <typename T>
__global__ void sum(T* total, T each, T zero) {
  __shared__ T local;
  if (threadIdx.x == 0) local = zero;
  __syncthreads();
  atomicAdd(&local, __ldg(&each));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, local);
}

template <typename T>
void checkSum(Check& check, const char* name, T each, T zero, T want) {
  Buffer<T> total(1);
  sum<<<3, 40>>>(total.get(), each, zero);
  check.same(name, total.host(), std::vector<T>{want});
}

// Each thread adds 1 to the second of two numbers of 16 bits.
__global__ void count(unsigned short* n) {
  unsigned short seen = 0;
  for (unsigned short was; (was = atomicCAS(n + 1, seen, seen + 1)) != seen;) seen = was;
}

int main() {
  Check check;
  using B = __hip_bfloat16;
  checkSum<__half>(check, "half sum", 0.5f, 0.0f, 60.0f);
  checkSum<__half2>(check, "half2 sum", {0.5f, -1.0f}, {0.0f, 0.0f}, {60.0f, -120.0f});
  checkSum<float2>(check, "float2 sum", {0.5f, -1.0f}, {0.0f, 0.0f}, {60.0f, -120.0f});
  checkSum<B>(check, "bfloat16 sum", 0.5f, 0.0f, 60.0f);
  checkSum(check, "bfloat162 sum", rocport::make_bfloat162(B(1.0f), B(2.0f)),
           rocport::make_bfloat162(B(0.0f), B(0.0f)), rocport::make_bfloat162(B(120.0f), B(240.0f)));
  Buffer<unsigned short> counts(2);
  count<<<2, 40>>>(counts.get());
  check.same("16-bit CAS", counts.host(), std::vector<unsigned short>{0, 80});
  constexpr int n = 500;
  Buffer<Out> out(n);
  run<<<(n + 127) / 128, 128>>>(out.get(), n);
  std::vector<Out> want(n);
  for (int i = 0; i < n; i++) {
    double a = double(_Float16(first(i))), b = double(_Float16(second(i))), c = 0.375;
    Out& o = want[i];
    o.sum = rounded(a + b);
    o.product = rounded(a * b);
    o.fused = rounded(a * b + c);
    o.quotient = rounded(float(a) / float(b));
    o.negated = rounded(-a);
    o.absolute = uint16_t(rounded(a) & 0x7fff);
    o.fromInt = rounded(i * 3 - 700);
    o.fromDown = rounded(first(i) * 1.0009765625f);
    o.pairSum = rounded(a + b) | uint32_t(rounded(b + c)) << 16;
    o.pairFused = rounded(a * b + a) | uint32_t(rounded(b * c + a)) << 16;
    o.toInt = int(a);
    o.compare = (a < b) | (a <= c) << 1 | 1 << 2 | (b > c) << 3 | (a != b) << 4;
  }
  check.same("half", out.host(), want);
  std::vector<uint16_t> in(2 * n), swapped(2 * n);
  for (int i = 0; i < 2 * n; i++) in[i] = uint16_t(bits(i));
  for (int i = 0; i < n; i++) {
    uint32_t w = uint32_t(in[2 * i + 1]) << 16 | in[2 * i];
    w = (w & 0xff00ff) * 3 + (w >> 8 & 0xff00ff);
    swapped[2 * i] = uint16_t(w >> 16);
    swapped[2 * i + 1] = uint16_t(w);
  }
  Buffer<uint16_t> a(in), b(2 * n);
  halves<<<(n + 63) / 64, 64>>>(a.get(), b.get(), n);
  check.same("halves", b.host(), swapped);
  return check.end();
}
