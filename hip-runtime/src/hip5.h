// Callers with the types of HIP 5: programs and libraries that are linked with libamdhip64.so.5.
#pragma once

#include <hip/hip_runtime_api.h>

#define CALLER __builtin_return_address(0)

namespace rocport {

/** Whether the code at this address is of such a caller. */
bool isHip5(const void* caller);

/** A kind of memory as the numbers of HIP 5 name it. */
unsigned inHip5(hipMemoryType type);

/** A kind of memory that the caller has passed in. */
hipMemoryType memoryType(hipMemoryType passed, const void* caller);

/** The same for both sides of a copy, hip_Memcpy2D or HIP_MEMCPY3D. */
template <class Parameters>
Parameters converted(Parameters parameters, const void* caller) {
  parameters.srcMemoryType = memoryType(parameters.srcMemoryType, caller);
  parameters.dstMemoryType = memoryType(parameters.dstMemoryType, caller);
  return parameters;
}

}  // namespace rocport
