// Makes copied device data visible outside the device: to a network adapter, the processor or
// another process. For C and C++.
//
// HIP's copies from device memory to device memory return before they are complete, and their data
// is in the caches of the GPU. CUDA's cudaMemcpy also returns early, but a CUDA-aware MPI orders
// its reads after the default stream; a ROCm-aware MPI reads at once. Only the release at the end
// of the stream's work makes the data visible everywhere, and only hipStreamSynchronize waits for
// it. It waits for one stream, not for the device.
#ifndef ROCPORT_RELEASE_H
#define ROCPORT_RELEASE_H

#include <hip/hip_runtime_api.h>

// Returns the error of a copy in this stream; if there is none, the error of the wait.
static inline hipError_t rocport_release(hipError_t copied, hipStream_t stream) {
  return copied == hipSuccess ? hipStreamSynchronize(stream) : copied;
}

#endif
