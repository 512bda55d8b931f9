// Makes what was copied on the device visible to those that are not on it: a network adapter, the
// processor, another process. For C and C++.
//
// HIP's copies from device memory to device memory return before they are done, and what they have
// written is in the GPU's caches. CUDA's cudaMemcpy does so as well, but an MPI that knows CUDA
// orders its reads behind the default stream; one that knows ROCm reads at once. Only the release at
// the end of the stream's work lets everybody see the data, and only hipStreamSynchronize waits for
// it. It waits for one stream, not for the device.
#ifndef ROCPORT_RELEASE_H
#define ROCPORT_RELEASE_H

#include <hip/hip_runtime_api.h>

// The error of a copy in this stream; if there is none, that of waiting for it.
static inline hipError_t rocport_release(hipError_t copied, hipStream_t stream) {
  return copied == hipSuccess ? hipStreamSynchronize(stream) : copied;
}

#endif
