// exact: stream compaction by ballot ranks, a block scan and one atomic a block
#include "check.h"

#include <algorithm>

__global__ void compact(const int* in, int n, int* out, unsigned* size) {
  __shared__ unsigned waves[16], base;
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  bool keep = i < n && in[i] % 3 == 0;
  unsigned long long mask = __ballot(keep);
  unsigned rank = __popcll(mask & ((1ull << lane) - 1));
  if (lane == 0) waves[wave] = __popcll(mask);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (int w = 0; w < (blockDim.x + 63) / 64; w++) {
      unsigned c = waves[w];
      waves[w] = sum;
      sum += c;
    }
    base = atomicAdd(size, sum);
  }
  __syncthreads();
  if (keep) out[base + waves[wave] + rank] = in[i];
}

__global__ void aggregated(const int* in, int n, int* out, unsigned* size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 5 == 1) out[atomicAdd(size, 1u)] = in[i];
}

int main() {
  Check check;
  constexpr int n = 5000;
  std::vector<int> in(n), third, fifth;
  for (int i = 0; i < n; i++) {
    in[i] = int(bits(i) >> 4);
    if (in[i] % 3 == 0) third.push_back(in[i]);
    if (in[i] % 5 == 1) fifth.push_back(in[i]);
  }
  Buffer<int> d(in), a(n), b(n);
  Buffer<unsigned> sizes(2);
  compact<<<(n + 319) / 320, 320>>>(d.get(), n, a.get(), sizes.get());
  aggregated<<<(n + 99) / 100, 100>>>(d.get(), n, b.get(), sizes.get() + 1);
  auto finish = [&](const char* name, Buffer<int>& from, unsigned size, std::vector<int>& want) {
    std::vector<int> got = from.host();
    got.resize(size);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    check.same(name, got, want);
  };
  std::vector<unsigned> s = sizes.host();
  finish("compact", a, s[0], third);
  finish("aggregated", b, s[1], fifth);
  return check.end();
}
