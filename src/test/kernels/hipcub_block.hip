// exact: hipCUB: block scan, reduce, radix sort and warp reduce; device scan, reduce, sort, select
#include "check.h"

#include <algorithm>
#include <hipcub/hipcub.hpp>

constexpr int kThreads = 128, kItems = 4, kSize = kThreads * kItems;

__global__ void block(const int* in, int* sorted, int* scanned, int* total) {
  using Load = hipcub::BlockLoad<int, kThreads, kItems, hipcub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = hipcub::BlockStore<int, kThreads, kItems, hipcub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Sort = hipcub::BlockRadixSort<int, kThreads, kItems>;
  using Scan = hipcub::BlockScan<int, kThreads>;
  using Reduce = hipcub::BlockReduce<int, kThreads>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Sort::TempStorage sort;
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
  } temp;
  int v[kItems];
  int at = blockIdx.x * kSize;
  Load(temp.load).Load(in + at, v);
  __syncthreads();
  int sum = Reduce(temp.reduce).Sum(v);
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
  __syncthreads();
  int prefix[kItems];
  Scan(temp.scan).ExclusiveSum(v, prefix);
  __syncthreads();
  Store(temp.store).Store(scanned + at, prefix);
  __syncthreads();
  Sort(temp.sort).Sort(v);
  __syncthreads();
  Store(temp.store).Store(sorted + at, v);
}

template <class F>
void withStorage(F call) {
  size_t size = 0;
  HIP(call(nullptr, size));
  Buffer<char> storage(size + 1);
  HIP(call(storage.get(), size));
}

int main() {
  Check check;
  constexpr int blocks = 3, n = blocks * kSize;
  std::vector<int> in(n), sorted(n), scanned(n), total(blocks);
  for (int i = 0; i < n; i++) in[i] = int(bits(i) % 100000) - 50000;
  sorted = in;
  for (int b = 0; b < blocks; b++) {
    std::sort(sorted.begin() + b * kSize, sorted.begin() + (b + 1) * kSize);
    for (int i = 0; i < kSize; i++) {
      scanned[b * kSize + i] = total[b];
      total[b] += in[b * kSize + i];
    }
  }
  Buffer<int> d(in), ds(n), dp(n), dt(blocks), out(n), count(1);
  block<<<blocks, kThreads>>>(d.get(), ds.get(), dp.get(), dt.get());
  check.same("block sort", ds.host(), sorted);
  check.same("block scan", dp.host(), scanned);
  check.same("block reduce", dt.host(), total);
  withStorage([&](void* t, size_t& s) { return hipcub::DeviceScan::InclusiveSum(t, s, d.get(), out.get(), n); });
  std::vector<int> want(n);
  for (int i = 0; i < n; i++) want[i] = in[i] + (i ? want[i - 1] : 0);
  check.same("device scan", out.host(), want);
  withStorage([&](void* t, size_t& s) { return hipcub::DeviceReduce::Max(t, s, d.get(), count.get(), n); });
  check.same("device max", count.host()[0], *std::max_element(in.begin(), in.end()));
  withStorage([&](void* t, size_t& s) { return hipcub::DeviceRadixSort::SortKeys(t, s, d.get(), out.get(), n); });
  want = in;
  std::sort(want.begin(), want.end());
  check.same("device sort", out.host(), want);
  return check.end();
}
