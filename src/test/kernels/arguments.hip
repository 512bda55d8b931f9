// exact: kernel arguments: structs by value, odd sizes and alignments, many, constant memory, globals
#include "check.h"

struct Odd {
  char a;
  short b[3];
  int c;
};
struct __attribute__((packed)) Packed {
  char a;
  int b;
  double c;
  short d;
};
struct Big {
  int v[200];
  Packed inner;
};
struct alignas(32) Aligned {
  float4 a, b;
};

__constant__ int table[64];
__constant__ Packed onePacked = {1, -2, 3.5, 4};
__device__ int counter = 5;
__device__ unsigned long long results[4];

template <class P>
BOTH int sumOf(const P& p) {
  return p.a * 1000 + p.b + int(p.c * 4) + p.d * 7;
}

__global__ void run(char a, Odd odd, double b, Packed packed, short c, Big big, bool d, Aligned aligned, int3 e,
                    int* out, unsigned char f) {
  int i = threadIdx.x;
  out[8 * i] = a + odd.a + odd.b[i % 3] * 3 + odd.c;
  out[8 * i + 1] = int(b * 8) + sumOf(packed);
  out[8 * i + 2] = c + big.v[i] + sumOf(big.inner);
  out[8 * i + 3] = d ? int(aligned.a.x + aligned.b.w * 2) : -1;
  out[8 * i + 4] = e.x + e.y * 10 + e.z * 100 + f;
  out[8 * i + 5] = table[(i * 7) % 64] + table[63];
  out[8 * i + 6] = sumOf(onePacked);
  Big copy = big;
  copy.v[i] += 5;
  copy.v[(i + 1) % 200] -= 3;
  int sum = 0;
  for (int k = 0; k < 200; k += 9) sum = sum * 3 + copy.v[k];
  out[8 * i + 7] = sum + copy.v[i];
}

__global__ void globals() {
  atomicAdd(&counter, 3);
  if (threadIdx.x < 4) results[threadIdx.x] = threadIdx.x * 0x100000001ull;
}

__global__ void unaligned(const char* bytes, Packed* packed, unsigned long long* out) {
  int i = threadIdx.x;
  unsigned long long w;
  memcpy(&w, bytes + i * 3, 8);
  int v;
  memcpy(&v, bytes + i * 5 + 1, 4);
  packed[i] = {char(i), v, i * 0.25, short(-i)};
  out[i] = w + unsigned(v) + (unsigned long long)(long long)packed[i].c;
}

int main() {
  Check check;
  constexpr int n = 100;
  int host[64];
  for (int i = 0; i < 64; i++) host[i] = int(bits(i) >> 8);
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(table), host, sizeof host));
  Odd odd = {3, {-4, 5, 600}, 70000};
  Packed packed = {-7, 123456, 2.25, -9}, one = {1, -2, 3.5, 4};
  Big big;
  for (int i = 0; i < 200; i++) big.v[i] = int(bits(i + 100) >> 9);
  big.inner = packed;
  Aligned aligned = {make_float4(1.5f, 2, 3, 4), make_float4(5, 6, 7, 8.5f)};
  int3 e = make_int3(1, -2, 3);
  Buffer<int> out(8 * n);
  run<<<1, n>>>('x', odd, -1.125, packed, -321, big, true, aligned, e, out.get(), 200);
  std::vector<int> want(8 * n);
  for (int i = 0; i < n; i++) {
    int* w = &want[8 * i];
    w[0] = 'x' + odd.a + odd.b[i % 3] * 3 + odd.c;
    w[1] = int(-1.125 * 8) + sumOf(packed);
    w[2] = -321 + big.v[i] + sumOf(big.inner);
    w[3] = int(1.5f + 8.5f * 2);
    w[4] = 1 - 20 + 300 + 200;
    w[5] = host[(i * 7) % 64] + host[63];
    w[6] = sumOf(one);
    Big copy = big;
    copy.v[i] += 5;
    copy.v[(i + 1) % 200] -= 3;
    unsigned sum = 0;
    for (int k = 0; k < 200; k += 9) sum = sum * 3 + unsigned(copy.v[k]);
    w[7] = int(sum + unsigned(copy.v[i]));
  }
  check.same("arguments", out.host(), want);
  globals<<<2, 50>>>();
  int count;
  unsigned long long r[4];
  HIP(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
  HIP(hipMemcpyFromSymbol(r, HIP_SYMBOL(results), sizeof r));
  check.same("counter", count, 305);
  for (int i = 0; i < 4; i++) check.same("results", r[i], i * 0x100000001ull);
  std::vector<char> bytes(n * 5 + 16);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = char(bits(uint32_t(i)));
  Buffer<char> db(bytes);
  Buffer<Packed> dp(n);
  Buffer<unsigned long long> du(n);
  unaligned<<<1, n>>>(db.get(), dp.get(), du.get());
  std::vector<Packed> wp(n);
  std::vector<unsigned long long> wu(n);
  for (int i = 0; i < n; i++) {
    unsigned long long w;
    int v;
    memcpy(&w, &bytes[i * 3], 8);
    memcpy(&v, &bytes[i * 5 + 1], 4);
    wp[i] = {char(i), v, i * 0.25, short(-i)};
    wu[i] = w + unsigned(v) + (unsigned long long)(long long)(i * 0.25);
  }
  check.same("packed", dp.host(), wp);
  check.same("words", du.host(), wu);
  return check.end();
}
