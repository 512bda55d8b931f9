// exact: least-significant-digit radix sort, four bits a pass, ranks by ballot
#include "check.h"

#include <algorithm>

constexpr int kThreads = 256, kDigits = 16, kWaves = kThreads / 64;

__device__ unsigned long long peers(unsigned digit, bool valid) {
  unsigned long long same = __ballot(valid);
  for (int bit = 0; bit < 4; bit++) {
    unsigned long long set = __ballot((digit >> bit) & 1);
    same &= (digit >> bit) & 1 ? set : ~set;
  }
  return same;
}

__global__ void count(const unsigned* keys, int n, int shift, unsigned* counts) {
  __shared__ unsigned local[kDigits];
  if (threadIdx.x < kDigits) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&local[(keys[i] >> shift) & 15], 1u);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void prefix(unsigned* counts, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned c = counts[i];
    counts[i] = sum;
    sum += c;
  }
}

__global__ void scatter(const unsigned* keys, unsigned* out, int n, int shift, const unsigned* starts) {
  __shared__ unsigned waveCounts[kWaves][kDigits];
  int i = blockIdx.x * kThreads + threadIdx.x, wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  for (int k = threadIdx.x; k < kWaves * kDigits; k += kThreads) waveCounts[k / kDigits][k % kDigits] = 0;
  __syncthreads();
  bool valid = i < n;
  unsigned key = valid ? keys[i] : 0, digit = (key >> shift) & 15;
  unsigned long long same = peers(digit, valid);
  unsigned rank = __popcll(same & ((1ull << lane) - 1));
  if (valid && rank == 0) waveCounts[wave][digit] = __popcll(same);
  __syncthreads();
  if (!valid) return;
  for (int w = 0; w < wave; w++) rank += waveCounts[w][digit];
  out[starts[digit * gridDim.x + blockIdx.x] + rank] = key;
}

int main() {
  Check check;
  constexpr int n = 3000, blocks = (n + kThreads - 1) / kThreads;
  std::vector<unsigned> keys(n);
  for (int i = 0; i < n; i++) keys[i] = bits(i) >> (i % 3 * 8);
  Buffer<unsigned> a(keys), b(n), counts(blocks * kDigits);
  for (int shift = 0; shift < 32; shift += 8) {
    count<<<blocks, kThreads>>>(a.get(), n, shift, counts.get());
    prefix<<<1, 1>>>(counts.get(), blocks * kDigits);
    scatter<<<blocks, kThreads>>>(a.get(), b.get(), n, shift, counts.get());
    count<<<blocks, kThreads>>>(b.get(), n, shift + 4, counts.get());
    prefix<<<1, 1>>>(counts.get(), blocks * kDigits);
    scatter<<<blocks, kThreads>>>(b.get(), a.get(), n, shift + 4, counts.get());
  }
  std::sort(keys.begin(), keys.end());
  check.same("sorted", a.host(), keys);
  return check.end();
}
