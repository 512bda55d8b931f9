// PTX's special registers without a HIP name. The lane registers are in warp_sync.h, the clock in
// device_functions.h.
#ifndef ROCPORT_PTX_REGISTERS_H
#define ROCPORT_PTX_REGISTERS_H

#include "device_functions.h"
#include "warp_sync.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {

/// The warp of 32 threads in its block, by their linear index.
__device__ __forceinline__ unsigned warpid() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) >> 5;
}
/// Number of warps in the block.
__device__ __forceinline__ unsigned nwarpid() {
  return (blockDim.x * blockDim.y * blockDim.z + 31u) >> 5;
}

/// Bytes of shared memory of the block, as in the HSA dispatch packet (group_segment_size).
__device__ __forceinline__ unsigned total_smem_size() {
  constexpr unsigned group_segment_size = 28 / sizeof(unsigned);
  return ((const __attribute__((address_space(4))) unsigned*)
              __builtin_amdgcn_dispatch_ptr())[group_segment_size];
}
/// Bytes that the launch added to those of the kernel.
__device__ __forceinline__ unsigned dynamic_smem_size() {
  return total_smem_size() - __builtin_amdgcn_groupstaticsize();
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_REGISTERS_H
