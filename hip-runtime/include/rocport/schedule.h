// For code that needs independent scheduling of lanes and was restructured for waves whose lanes
// run in lockstep.
#ifndef ROCPORT_SCHEDULE_H
#define ROCPORT_SCHEDULE_H

#if defined(__HIP__) && defined(__clang__)
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#endif

namespace rocport {

/// The condition of a loop in which lanes take turns and do their work inside the loop: all lanes
/// that are still in the loop reconverge here before any of them tries again. Without it, the
/// compiler may move the work of a leaving lane to after the loop. There, the lane that holds a
/// lock waits, masked off, for the lanes that try to take it.
#if defined(__HIP__) || defined(__CUDACC__)
__host__ __device__ __forceinline__
#else
inline
#endif
bool rejoin(bool again) {
#if defined(__AMDGCN__)
  __builtin_amdgcn_wave_barrier();
#endif
  return again;
}

}  // namespace rocport

#endif  // ROCPORT_SCHEDULE_H
