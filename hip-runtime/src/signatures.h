// Parameters that have another type from HIP 7 on.
#pragma once

#include <hip/hip_runtime_api.h>

namespace rocport {

#if HIP_VERSION_MAJOR >= 7
using ContextVersion = unsigned;
using HostBytes = const void*;
using DriverMemset = hipMemsetParams;
using Texts = const char* const*;
#else
using ContextVersion = int;
using HostBytes = void*;
using DriverMemset = HIP_MEMSET_NODE_PARAMS;
using Texts = const char**;
#endif

}  // namespace rocport
