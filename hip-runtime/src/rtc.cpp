// Before HIP 7, libamdhip64 has the functions of libhiprtc, too: programs and libraries of ROCm link with it alone.
#include <hip/hip_version.h>
#include <hip/hiprtc.h>

#if HIP_VERSION_MAJOR < 7

#include <dlfcn.h>

#include <string>

#include "error.h"

namespace {

/** The library beside this one. */
void* library() {
  static void* const found = [] {
    Dl_info own = {};
    dladdr(reinterpret_cast<void*>(&library), &own);
    std::string path = own.dli_fname ? own.dli_fname : "";
    path.resize(path.rfind('/') + 1);
    void* opened = dlopen((path + "libhiprtc.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) rocport::die("cannot load libhiprtc: %s", dlerror());
    return opened;
  }();
  return found;
}

/** Calls the function of that library. */
template <class Function, class... Arguments>
auto forward(Function*, const char* name, Arguments... arguments) {
  auto* function = reinterpret_cast<Function*>(dlsym(library(), name));
  if (function == nullptr) rocport::die("libhiprtc has no %s", name);
  return function(arguments...);
}

}  // namespace

#define FORWARD(name, ...) return forward(&name, #name, __VA_ARGS__)

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) { FORWARD(hiprtcGetErrorString, result); }

hiprtcResult hiprtcVersion(int* major, int* minor) { FORWARD(hiprtcVersion, major, minor); }

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression) {
  FORWARD(hiprtcAddNameExpression, program, expression);
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char** options) {
  FORWARD(hiprtcCompileProgram, program, count, options);
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int count,
                                 const char** headers, const char** includes) {
  FORWARD(hiprtcCreateProgram, program, source, name, count, headers, includes);
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) { FORWARD(hiprtcDestroyProgram, program); }

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** name) {
  FORWARD(hiprtcGetLoweredName, program, expression, name);
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) { FORWARD(hiprtcGetProgramLog, program, log); }

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* size) {
  FORWARD(hiprtcGetProgramLogSize, program, size);
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) { FORWARD(hiprtcGetCode, program, code); }

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* size) { FORWARD(hiprtcGetCodeSize, program, size); }

hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* bitcode) { FORWARD(hiprtcGetBitcode, program, bitcode); }

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* size) { FORWARD(hiprtcGetBitcodeSize, program, size); }

hiprtcResult hiprtcLinkCreate(unsigned count, hiprtcJIT_option* options, void** values, hiprtcLinkState* state) {
  FORWARD(hiprtcLinkCreate, count, options, values, state);
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char* path, unsigned count,
                               hiprtcJIT_option* options, void** values) {
  FORWARD(hiprtcLinkAddFile, state, type, path, count, options, values);
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void* image, size_t size,
                               const char* name, unsigned count, hiprtcJIT_option* options, void** values) {
  FORWARD(hiprtcLinkAddData, state, type, image, size, name, count, options, values);
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** binary, size_t* size) {
  FORWARD(hiprtcLinkComplete, state, binary, size);
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) { FORWARD(hiprtcLinkDestroy, state); }

}  // extern "C"

#endif
