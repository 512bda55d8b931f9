// CUB's logical warps and what it tells of lanes.
#include <cub/cub.cuh>

namespace device = cub;

template <typename T, int ITEMS, typename... Rest>
struct Kernels {
  using Reduce = cub::WarpReduce<T>;
  using Nested = cub::WarpScan<cub::KeyValuePair<int, T>>;
  using Sized = cub::WarpReduce<T, 16>;
  using Halves = cub::WarpScan<T, 16 >;
  using Exchange = cub::WarpExchange<T, ITEMS>;
  using Sort = cub::WarpMergeSort<int, (ITEMS > 4 ? 4 : ITEMS)>;
  using Pairs = cub::WarpMergeSort<int, ITEMS, 32, T>;
  using Load = cub::WarpLoad<T, ITEMS>;
  using Store = device::WarpStore<T, ITEMS, device::WARP_STORE_TRANSPOSE>;
  using All = cub::WarpStore<T, ITEMS, cub::WARP_STORE_VECTORIZE, 8>;
  using Pack = cub::WarpReduce<Rest...>;  // want: W64-CUB
};

__global__ void sums(const float* in, float* out, int n) {
  typedef cub::WarpReduce<float> WarpReduce;
  __shared__ typename WarpReduce::TempStorage storage[256 / CUB_PTX_WARP_THREADS];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned warp = cub::WarpId();
  const float sum = WarpReduce(storage[warp]).Sum(i < n ? in[i] : 0.0f);
  if (cub::LaneId() == 0) out[i / 32] = sum;
}

__global__ void masks(unsigned* out) {
  out[threadIdx.x] = __popc(cub::LaneMaskLt() & cub::WarpMask<16>(cub::LaneId() / 16));
}

__global__ void stripes(const int* in, int* out) {
  int items[4];
  cub::LoadDirectWarpStriped(threadIdx.x, in, items);  // want: W64-CUB
  out[threadIdx.x] = items[0];
}

int LaneId();
int own() { return LaneId(); }
