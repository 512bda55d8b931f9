// exact: hipCUB's logical warps of 32 lanes as CUB has them by default, and rocport/cub_warp.h
#include "check.h"

#include <algorithm>
#include <hipcub/hipcub.hpp>

#include "../../../hip-runtime/include/rocport/cub_warp.h"

constexpr int kThreads = 160, kWarps = kThreads / 32, kItems = 3;

__global__ void warps(const int* in, int* sums, int* scanned, int* sorted) {
  using Reduce = hipcub::WarpReduce<int, 32>;
  using Scan = hipcub::WarpScan<int, 32>;
  using Sort = hipcub::WarpMergeSort<int, kItems, 32>;
  __shared__ typename Reduce::TempStorage reduce[kWarps];
  __shared__ typename Scan::TempStorage scan[kWarps];
  __shared__ typename Sort::TempStorage sort[kWarps];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const unsigned warp = rocport::warp_id();
  const int sum = Reduce(reduce[warp]).Sum(in[i]);
  if (rocport::lane_id() == 0) sums[i / 32] = sum;
  Scan(scan[warp]).InclusiveSum(in[i], scanned[i]);
  int items[kItems];
  for (int k = 0; k < kItems; k++) items[k] = in[i] * (k + 1) % 1009;
  Sort(sort[warp]).Sort(items, [](int a, int b) { return a < b; });
  for (int k = 0; k < kItems; k++) sorted[i * kItems + k] = items[k];
}

__global__ void tells(unsigned* out) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[4 * thread] = rocport::warp_id();
  out[4 * thread + 1] = rocport::warp_mask<8>(rocport::lane_id() / 8);
  out[4 * thread + 2] = rocport::warp_mask<32>(rocport::lane_id() / 32);
  out[4 * thread + 3] = rocport::warp_mask<11>(0);
}

int main() {
  Check check;
  constexpr int blocks = 3, n = blocks * kThreads;
  std::vector<int> in(n), sums(n / 32), scanned(n), sorted(n * kItems);
  for (int i = 0; i < n; i++) in[i] = int(bits(i) % 1000) - 500;
  for (int i = 0; i < n; i++) {
    sums[i / 32] += in[i];
    scanned[i] = (i % 32 ? scanned[i - 1] : 0) + in[i];
    for (int k = 0; k < kItems; k++) sorted[i * kItems + k] = in[i] * (k + 1) % 1009;
  }
  for (int w = 0; w < n / 32; w++) {
    std::sort(sorted.begin() + w * 32 * kItems, sorted.begin() + (w + 1) * 32 * kItems);
  }
  Buffer<int> d(in), dsums(n / 32), dscanned(n), dsorted(n * kItems);
  warps<<<blocks, kThreads>>>(d.get(), dsums.get(), dscanned.get(), dsorted.get());
  DONE();
  check.same("warp reduce", dsums.host(), sums);
  check.same("warp scan", dscanned.host(), scanned);
  check.same("warp merge sort", dsorted.host(), sorted);

  const dim3 block(10, 5, 3);
  constexpr int threads = 150;
  std::vector<unsigned> told(4 * threads);
  for (int i = 0; i < threads; i++) {
    told[4 * i] = i / 32;
    told[4 * i + 1] = 0xffu << (i % 32 / 8 * 8);
    told[4 * i + 2] = 0xffffffffu;
    told[4 * i + 3] = 0x7ffu;
  }
  Buffer<unsigned> out(4 * threads);
  tells<<<1, block>>>(out.get());
  DONE();
  check.same("warp_id, warp_mask", out.host(), told);
  return check.end();
}
