// Prefetches and advice for managed memory with a location, as CUDA 13 declares them. They are in the
// global namespace and overload HIP's functions, which take the number of a device.
//
// HIP before 7.1 has no location of the host: hipMemLocationTypeHost is one for these calls only.
#ifndef ROCPORT_MEMORY_LOCATION_H
#define ROCPORT_MEMORY_LOCATION_H

#include <hip/hip_runtime_api.h>

#if defined(__cplusplus)

#if HIP_VERSION < 70100000
constexpr hipMemLocationType hipMemLocationTypeHost = hipMemLocationTypeInvalid;
#endif

namespace rocport {
/// The number of a location's device; that of the host for all other locations.
inline int device_of(hipMemLocation location) {
  return location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId;
}
}  // namespace rocport

inline hipError_t hipMemPrefetchAsync(const void* memory, size_t bytes, hipMemLocation location,
                                      unsigned /*flags*/, hipStream_t stream = nullptr) {
  return hipMemPrefetchAsync(memory, bytes, rocport::device_of(location), stream);
}

inline hipError_t hipMemAdvise(const void* memory, size_t bytes, hipMemoryAdvise advice,
                               hipMemLocation location) {
  return hipMemAdvise(memory, bytes, advice, rocport::device_of(location));
}

#endif
#endif  // ROCPORT_MEMORY_LOCATION_H
