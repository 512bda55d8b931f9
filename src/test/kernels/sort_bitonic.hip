// exact: bitonic sort of keys and values in LDS and over global memory
#include "check.h"

constexpr int kSize = 1024;

template <class K>
__global__ void inBlock(K* keys, unsigned short* values) {
  __shared__ K k[kSize];
  __shared__ unsigned short v[kSize];
  for (int i = threadIdx.x; i < kSize; i += blockDim.x) {
    k[i] = keys[blockIdx.x * kSize + i];
    v[i] = i;
  }
  for (int size = 2; size <= kSize; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int t = threadIdx.x; t < kSize / 2; t += blockDim.x) {
        int i = 2 * t - (t & (stride - 1)), j = i + stride;
        bool up = (i & size) == 0;
        bool swap = k[i] > k[j] || (k[i] == k[j] && v[i] > v[j]);
        if (swap == up) {
          K a = k[i];
          k[i] = k[j];
          k[j] = a;
          unsigned short b = v[i];
          v[i] = v[j];
          v[j] = b;
        }
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < kSize; i += blockDim.x) {
    keys[blockIdx.x * kSize + i] = k[i];
    values[blockIdx.x * kSize + i] = v[i];
  }
}

__global__ void step(float* keys, int size, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * t - (t & (stride - 1)), j = i + stride;
  float a = keys[i], b = keys[j];
  if ((a > b) == ((i & size) == 0)) {
    keys[i] = b;
    keys[j] = a;
  }
}

#include <algorithm>

template <class K>
void blocks(Check& check, const char* name, K (*make)(uint32_t)) {
  constexpr int kBlocks = 2;
  std::vector<K> keys, sorted;
  std::vector<unsigned short> order;
  for (int i = 0; i < kBlocks * kSize; i++) keys.push_back(make(i));
  for (int b = 0; b < kBlocks; b++) {
    std::vector<unsigned short> o(kSize);
    for (int i = 0; i < kSize; i++) o[i] = i;
    std::stable_sort(o.begin(), o.end(), [&](int x, int y) { return keys[b * kSize + x] < keys[b * kSize + y]; });
    for (int i : o) {
      sorted.push_back(keys[b * kSize + i]);
      order.push_back(i);
    }
  }
  Buffer<K> k(keys);
  Buffer<unsigned short> v(kBlocks * kSize);
  inBlock<K><<<kBlocks, 256>>>(k.get(), v.get());
  check.same(name, k.host(), sorted);
  check.same(name, v.host(), order);
}

int main() {
  Check check;
  blocks<int>(check, "int", [](uint32_t i) { return int(bits(i)); });
  blocks<uint8_t>(check, "uint8", [](uint32_t i) { return uint8_t(bits(i)); });
  blocks<double>(check, "double", [](uint32_t i) { return double(int64_t(bits64(i))); });
  blocks<long long>(check, "int64", [](uint32_t i) { return (long long)bits64(i); });
  constexpr int n = 1 << 11;
  std::vector<float> keys(n);
  for (int i = 0; i < n; i++) keys[i] = unit(i) - 0.5f;
  Buffer<float> d(keys);
  for (int size = 2; size <= n; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) step<<<n / 256, 128>>>(d.get(), size, stride);
  std::sort(keys.begin(), keys.end());
  check.same("global", d.host(), keys);
  return check.end();
}
