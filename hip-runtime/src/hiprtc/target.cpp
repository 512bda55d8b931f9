#include "target.h"

#include <hip/hip_runtime_api.h>

#include <dlfcn.h>
#include <stdlib.h>

std::string currentTarget() {
  const char* wanted = getenv("ROCPORT_GPU");
  std::string otherwise = wanted && *wanted ? wanted : "gfx90a";
  void* runtime = dlopen("libamdhip64.so.6", RTLD_LAZY);
  if (!runtime) return otherwise;
  auto device = reinterpret_cast<hipError_t (*)(int*)>(dlsym(runtime, "hipGetDevice"));
  auto properties = reinterpret_cast<hipError_t (*)(hipDeviceProp_t*, int)>(
      dlsym(runtime, "hipGetDevicePropertiesR0600"));
  int current = 0;
  static thread_local hipDeviceProp_t found;
  if (!device || !properties || device(&current) != hipSuccess || properties(&found, current) != hipSuccess) {
    return otherwise;
  }
  std::string target = found.gcnArchName;
  return target.substr(0, target.find(':'));
}
