// Functions by name, names by number.
#include <dlfcn.h>
#include <string.h>

#include <hip/amd_detail/hip_prof_str.h>

#include <string>

#include "error.h"

namespace rocport {
namespace {

/** The file of this library, so that a name is found in it and not in an earlier library. */
void* self() {
  static void* handle = [] {
    Dl_info info = {};
    dladdr(reinterpret_cast<void*>(&hipGetProcAddress), &info);
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return handle;
}

/** Names whose form changed with HIP 6.0, when the structure of properties grew. */
const char* versioned(const char* name, int version) {
  constexpr int GREW = 600;
  if (strcmp(name, "hipGetDeviceProperties") == 0) {
    return version >= GREW ? "hipGetDevicePropertiesR0600" : "hipGetDevicePropertiesR0000";
  }
  if (strcmp(name, "hipChooseDevice") == 0) {
    return version >= GREW ? "hipChooseDeviceR0600" : "hipChooseDeviceR0000";
  }
  return name;
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipGetProcAddress(const char* name, void** function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult* status) {
  return api([&] {
    require(name != nullptr && function != nullptr && flags == 0);
    *function = strncmp(name, "hip", 3) == 0 ? dlsym(self(), versioned(name, version)) : nullptr;
    if (status) {
      *status = *function ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    require(*function != nullptr);
  });
}

const char* hipApiName(uint32_t id) { return hip_api_name(id); }

}  // extern "C"
