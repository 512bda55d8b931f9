// The warp of ported kernels, for host code.
//
// Kernels keep CUDA's groups of 32 lanes (warp_sync.h), but the device reports a warp size of 64 on
// CDNA. Host code that computes with the warps of kernels (launch geometry, shared memory, entries
// of partial results) needs 32:
//
//   properties.warpSize                                      rocport::warp_size
//   cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, device)  rocport::get_warp_size(&w, device)
//
// For C++11 compilers with HIP's runtime headers; nothing here is device code.
#ifndef ROCPORT_WARP_SIZE_H
#define ROCPORT_WARP_SIZE_H

#if (!defined(__CUDACC__) || defined(__HIP__)) && !defined(__HIPCC_RTC__)
#define ROCPORT_HAS_HOST_WARP_SIZE
#include <hip/hip_runtime_api.h>
#endif

namespace rocport {

/// Lanes of a warp, as kernels see it.
constexpr int warp_size = 32;

#ifdef ROCPORT_HAS_HOST_WARP_SIZE

/// Asks the device as hipDeviceGetAttribute does, with its errors; tells the kernels' warp.
inline hipError_t get_warp_size(int* size, int device) {
  const hipError_t status = hipDeviceGetAttribute(size, hipDeviceAttributeWarpSize, device);
  if (status == hipSuccess) {
    *size = warp_size;
  }
  return status;
}

#endif

}  // namespace rocport

#endif  // ROCPORT_WARP_SIZE_H
