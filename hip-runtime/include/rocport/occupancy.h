// cuOccupancyMaxPotentialBlockSize for dynamic shared memory that depends on the block size: HIP's
// function accepts only a fixed amount.
// Host: moduleOccupancyMaxPotentialBlockSize occupancyB2DSize
//
// Meaning: among the multiples of the wave size (and the limit itself), the block size with the
// most resident threads of the function per compute unit, the largest of equals. The grid has as
// many such blocks as fill the GPU.
#ifndef ROCPORT_OCCUPANCY_H
#define ROCPORT_OCCUPANCY_H

#include <hip/hip_runtime.h>

#include <cstddef>

namespace rocport {

/// Bytes of dynamic shared memory that a block of so many threads needs.
using occupancyB2DSize = size_t (*)(int);

/// callback: null if every block size needs bytes. limit: the largest block size, or 0.
inline hipError_t moduleOccupancyMaxPotentialBlockSize(int* grid, int* block,
                                                       hipFunction_t function,
                                                       occupancyB2DSize callback, size_t bytes,
                                                       int limit, unsigned flags = 0) {
  if (grid == nullptr || block == nullptr || function == nullptr) return hipErrorInvalidValue;
  int device = 0, most = 0, wave = 0, units = 0, room = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) {
    error = hipFuncGetAttribute(&most, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  }
  if (error == hipSuccess) {
    error = hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, device);
  }
  if (error == hipSuccess) {
    error = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  }
  if (error == hipSuccess) {
    error = hipDeviceGetAttribute(&room, hipDeviceAttributeMaxThreadsPerMultiProcessor, device);
  }
  if (error != hipSuccess) return error;
  if (limit > 0 && limit < most) most = limit;
  int best = 0, best_blocks = 0, best_threads = 0;
  for (int aligned = (most + wave - 1) / wave * wave; aligned > 0; aligned -= wave) {
    const int size = aligned < most ? aligned : most;
    int blocks = 0;
    error = hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, function, size, callback != nullptr ? callback(size) : bytes, flags);
    if (error != hipSuccess) return error;
    if (blocks * size > best_threads) {
      best = size;
      best_blocks = blocks;
      best_threads = blocks * size;
    }
    if (best_threads >= room) break;
  }
  *block = best;
  *grid = best_blocks * units;
  return hipSuccess;
}

}  // namespace rocport

#endif  // ROCPORT_OCCUPANCY_H
