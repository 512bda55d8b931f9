// CUB's functions for lanes and warps (cub/util_ptx.cuh), with CUDA's warps of 32 lanes.
//
// hipCUB's functions of these names count the 64 lanes of a wave and return 64-bit masks:
//
//   CUB                                     here (namespace rocport)
//   cub::LaneId(), cub::LaneMaskLt() ...    lane_id(), lanemask_lt() ... of warp_sync.h
//   cub::WarpId()                           warp_id()
//   cub::WarpMask<N>(i)                     warp_mask<N>(i)
#ifndef ROCPORT_CUB_WARP_H
#define ROCPORT_CUB_WARP_H

#include "warp_sync.h"

namespace rocport {

/// Number of the calling thread's warp in its block: its linear index / 32.
__device__ __forceinline__ unsigned warp_id() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / warp_size;
}

/// Lanes of the logical warp of that number among those of `Threads` lanes in a warp. If `Threads`
/// does not divide the warp, there is only one.
template <int Threads, int Arch = 0>
__device__ __forceinline__ unsigned warp_mask(unsigned warp) {
  static_assert(Threads > 0 && Threads <= warp_size, "a logical warp has 1 to 32 lanes");
  constexpr unsigned lanes = 0xffffffffu >> (warp_size - Threads);
  constexpr bool shifted = Threads != warp_size && (Threads & (Threads - 1)) == 0;
  return shifted ? lanes << (warp * Threads % warp_size) : lanes;
}

}  // namespace rocport

#endif  // ROCPORT_CUB_WARP_H
