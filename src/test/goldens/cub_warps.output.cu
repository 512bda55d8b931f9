// CUB's logical warps and what it tells of lanes.
#include <hip/hip_runtime.h>
#include "rocport/cub_warp.h"
#include "rocport/device_functions.h"
#include <hipcub/hipcub.hpp>

namespace device = hipcub;

template <typename T, int ITEMS, typename... Rest>
struct Kernels {
  using Reduce = hipcub::WarpReduce<T, 32>;
  using Nested = hipcub::WarpScan<hipcub::KeyValuePair<int, T>, 32>;
  using Sized = hipcub::WarpReduce<T, 16>;
  using Halves = hipcub::WarpScan<T, 16 >;
  using Exchange = hipcub::WarpExchange<T, ITEMS, 32>;
  using Sort = hipcub::WarpMergeSort<int, (ITEMS > 4 ? 4 : ITEMS), 32>;
  using Pairs = hipcub::WarpMergeSort<int, ITEMS, 32, T>;
  using Load = hipcub::WarpLoad<T, ITEMS, hipcub::WARP_LOAD_DIRECT, 32>;
  using Store = device::WarpStore<T, ITEMS, device::WARP_STORE_TRANSPOSE, 32>;
  using All = hipcub::WarpStore<T, ITEMS, hipcub::WARP_STORE_VECTORIZE, 8>;
  using Pack = hipcub::WarpReduce<Rest...>;  // want: W64-CUB
};

__global__ void sums(const float* in, float* out, int n) {
  typedef hipcub::WarpReduce<float, 32> WarpReduce;
  __shared__ typename WarpReduce::TempStorage storage[256 / 32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned warp = rocport::warp_id();
  const float sum = WarpReduce(storage[warp]).Sum(i < n ? in[i] : 0.0f);
  if (rocport::lane_id() == 0) out[i / 32] = sum;
}

__global__ void masks(unsigned* out) {
  out[threadIdx.x] = rocport::popc(rocport::lanemask_lt() & rocport::warp_mask<16>(rocport::lane_id() / 16));
}

__global__ void stripes(const int* in, int* out) {
  int items[4];
  hipcub::LoadDirectWarpStriped(threadIdx.x, in, items);  // want: W64-CUB
  out[threadIdx.x] = items[0];
}

int LaneId();
int own() { return LaneId(); }
