// Barriers of a block after which one thread may release the stores of the whole block to other
// blocks or GPUs, as in CUDA.
//
//   CUDA                                   here (namespace rocport)
//   __syncthreads()                        syncthreads()
//   __syncthreads_count, _and, _or (p)     syncthreads_count, syncthreads_and, syncthreads_or (p)
//
// A release in CUDA is cumulative: it also publishes what a barrier made visible to its thread. On
// gfx9, code for a release waits for the stores of its own wave only, and code for the barrier for
// none of global memory (LLVM, User Guide for AMDGPU Backend, memory models of gfx90a and gfx942).
// Here each wave waits for its stores before the barrier: they are then in the L2 of the GPU or of
// the XCD, which the release writes back. The wait costs no more than the last store of the wave.
#ifndef ROCPORT_SYNCTHREADS_H
#define ROCPORT_SYNCTHREADS_H

#if !defined(__HIPCC_RTC__) && defined(__HIP__)
#include <hip/hip_runtime.h>
#endif

#if defined(__HIP__) || defined(__CUDACC__)

namespace rocport {

/// Waits until the stores of the wave are in the caches of the GPU.
__device__ __forceinline__ void complete_stores() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
#if defined(__GFX9__)
  __builtin_amdgcn_s_waitcnt(0x0f70);  // vmcnt(0)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
#else
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#endif
#endif
}

__device__ __forceinline__ void syncthreads() {
  complete_stores();
  __syncthreads();
}
__device__ __forceinline__ int syncthreads_count(int predicate) {
  complete_stores();
  return __syncthreads_count(predicate);
}
__device__ __forceinline__ int syncthreads_and(int predicate) {
  complete_stores();
  return __syncthreads_and(predicate);
}
__device__ __forceinline__ int syncthreads_or(int predicate) {
  complete_stores();
  return __syncthreads_or(predicate);
}

}  // namespace rocport

#endif
#endif
