// Graphics interop. A data center GPU does not render and never has an OpenGL context, so there is nothing to register
// or map. The errors are those of ROCm's runtime without such a context (hipamd/src/hip_gl.cpp of ROCm/clr).
#include <hip/hip_runtime_api.h>
#include <hip/hip_gl_interop.h>

#include "device.h"

namespace rocport {
namespace {

/** No resource was ever registered, so none of these can be one. */
void checkResources(int count, const hipGraphicsResource_t* resources) {
  currentDevice();
  require((count == 0) == (resources == nullptr), hipErrorUnknown);
  require(count == 0, hipErrorInvalidHandle);
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipGLGetDevices(unsigned* count, int* devices, unsigned room, hipGLDeviceList list) {
  return api([&] {
    currentDevice();
    require(list != hipGLDeviceListNextFrame, hipErrorNotSupported);
    require(count != nullptr && devices != nullptr && room > 0);
    fail(hipErrorInvalidValue);  // this thread has no OpenGL context on any of the GPUs
  });
}

hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource**, GLuint, unsigned) {
  return api([&] {
    currentDevice();
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource**, GLuint, GLenum, unsigned) {
  return api([&] {
    currentDevice();
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t* resources, hipStream_t) {
  return api([&] { checkResources(count, resources); });
}

hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t* resources, hipStream_t) {
  return api([&] { checkResources(count, resources); });
}

hipError_t hipGraphicsResourceGetMappedPointer(void** address, size_t* size, hipGraphicsResource_t resource) {
  return api([&] {
    require(address != nullptr && size != nullptr && resource != nullptr);
    currentDevice();
    fail(hipErrorInvalidHandle);
  });
}

hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t* array, hipGraphicsResource_t resource,
                                                unsigned, unsigned) {
  return api([&] {
    require(array != nullptr && resource != nullptr);
    currentDevice();
    fail(hipErrorInvalidHandle);
  });
}

hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource) {
  return api([&] {
    require(resource != nullptr);
    currentDevice();
    fail(hipErrorInvalidHandle);
  });
}

}  // extern "C"
