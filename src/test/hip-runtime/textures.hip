// GPUs without image instructions: every call says so, after a look at its arguments, and a program
// with a texture reference starts all the same.
#include <hip/hip_runtime.h>

#include "check.h"

int main() {
  int images = -1;
  WORKS(hipDeviceGetAttribute(&images, hipDeviceAttributeImageSupport, 0));
  HOLDS(images == 0);
  float* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 1024));
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  resource.res.linear.sizeInBytes = 1024;
  hipTextureDesc texture = {};
  hipTextureObject_t object = nullptr;
  GIVES(hipCreateTextureObject(&object, &resource, &texture, nullptr), hipErrorNotSupported);
  HOLDS(hipGetLastError() == hipErrorNotSupported);
  GIVES(hipCreateTextureObject(nullptr, &resource, &texture, nullptr), hipErrorInvalidValue);
  WORKS(hipDestroyTextureObject(nullptr));
  hipSurfaceObject_t surface = nullptr;
  GIVES(hipCreateSurfaceObject(&surface, &resource), hipErrorNotSupported);
  WORKS(hipDestroySurfaceObject(nullptr));
  GIVES(hipGetTextureObjectTextureDesc(&texture, nullptr), hipErrorInvalidValue);

  textureReference reference = {};
  hipChannelFormatDesc channels = resource.res.linear.desc;
  GIVES(hipBindTexture(nullptr, &reference, memory, &channels, 1024), hipErrorInvalidSymbol);
  GIVES(hipBindTexture(nullptr, &reference, memory, nullptr, 1024), hipErrorInvalidValue);
  GIVES(hipUnbindTexture(&reference), hipErrorNotSupported);
  GIVES(hipGetTextureAlignmentOffset(nullptr, nullptr), hipErrorInvalidTexture);
  GIVES(hipTexRefSetFormat(&reference, HIP_AD_FORMAT_FLOAT, 1), hipErrorNotSupported);
  GIVES(hipTexRefSetFormat(nullptr, HIP_AD_FORMAT_FLOAT, 1), hipErrorInvalidValue);
  GIVES(hipTexRefSetAddressMode(&reference, 3, hipAddressModeWrap), hipErrorInvalidValue);
  GIVES(hipTexRefSetAddressMode(&reference, 2, hipAddressModeWrap), hipErrorNotSupported);
  float least = 0, most = 0;
  GIVES(hipTexRefGetMipmapLevelClamp(&least, &most, &reference), hipErrorNotSupported);
  GIVES(hipTexRefGetMipmapLevelClamp(&least, nullptr, &reference), hipErrorInvalidValue);

  // Mipmapped arrays are memory with a shape: they can be made, filled and read.
  HIP_ARRAY3D_DESCRIPTOR shape = {8, 4, 0, HIP_AD_FORMAT_FLOAT, 1, 0};
  hipMipmappedArray_t mipmapped = nullptr;
  WORKS(hipMipmappedArrayCreate(&mipmapped, &shape, 3));
  hipArray_t level = nullptr;
  WORKS(hipMipmappedArrayGetLevel(&level, mipmapped, 2));
  GIVES(hipMipmappedArrayGetLevel(&level, mipmapped, 3), hipErrorInvalidValue);
  WORKS(hipMipmappedArrayGetLevel(&level, mipmapped, 1));
  float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
  WORKS(hipMemcpy2DToArray(level, 0, 0, in, 16, 16, 2, hipMemcpyHostToDevice));
  WORKS(hipMemcpy2DFromArray(out, 16, level, 0, 0, 16, 2, hipMemcpyDeviceToHost));
  HOLDS(out[0] == 1 && out[3] == 4 && out[7] == 8);
  WORKS(hipMipmappedArrayDestroy(mipmapped));
  GIVES(hipMipmappedArrayDestroy(nullptr), hipErrorInvalidHandle);
  GIVES(hipFreeMipmappedArray(nullptr), hipErrorInvalidValue);
  const hipExtent extent = make_hipExtent(8, 4, 0);
  constexpr auto FLOAT = hipChannelFormatKindFloat, SIGNED = hipChannelFormatKindSigned, NONE = hipChannelFormatKindNone;
  for (hipChannelFormatDesc wrong :
       {hipChannelFormatDesc{8, 0, 0, 0, FLOAT}, {10, 0, 0, 0, SIGNED}, {-8, 0, 0, 0, SIGNED}, {0, 0, 0, 0, SIGNED},
        {0, 8, 0, 0, SIGNED}, {8, 16, 0, 0, SIGNED}, {8, 8, 8, 0, SIGNED}, {8, 0, 8, 0, SIGNED}, {8, 8, 0, 8, SIGNED},
        {32, 0, 0, 0, NONE}}) {
    GIVES(hipMallocMipmappedArray(&mipmapped, &wrong, extent, 1, 0), hipErrorInvalidValue);
    GIVES(hipMallocArray(&level, &wrong, 8, 4, 0), hipErrorInvalidValue);
  }
  for (hipChannelFormatDesc right :
       {hipChannelFormatDesc{8, 0, 0, 0, SIGNED}, {16, 16, 0, 0, FLOAT}, {32, 32, 32, 32, FLOAT}}) {
    WORKS(hipMallocMipmappedArray(&mipmapped, &right, extent, 2, 0));
    WORKS(hipGetMipmappedArrayLevel(&level, mipmapped, 1));
    HIP_ARRAY_DESCRIPTOR seen;
    WORKS(hipArrayGetDescriptor(&seen, level));
    WORKS(hipFreeMipmappedArray(mipmapped));
    // What is no array, or none any more, is refused.
    GIVES(hipFreeMipmappedArray(mipmapped), hipErrorContextIsDestroyed);
    GIVES(hipGetMipmappedArrayLevel(&level, mipmapped, 1), hipErrorInvalidHandle);
    GIVES(hipArrayGetDescriptor(&seen, level), hipErrorInvalidHandle);
    GIVES(hipArrayGetDescriptor(&seen, reinterpret_cast<hipArray_t>(memory)), hipErrorInvalidHandle);
    GIVES(hipFreeArray(level), hipErrorContextIsDestroyed);
    WORKS(hipMallocMipmappedArray(&mipmapped, &right, extent, 4, 0));
    WORKS(hipFreeMipmappedArray(mipmapped));
    GIVES(hipMallocMipmappedArray(&mipmapped, &right, extent, 5, 0), hipErrorInvalidValue);
    GIVES(hipMallocMipmappedArray(&mipmapped, &right, make_hipExtent(8, 0, 8), 1, 0), hipErrorInvalidValue);
    WORKS(hipMallocMipmappedArray(&mipmapped, &right, make_hipExtent(8, 0, 8), 1, hipArrayLayered));
    WORKS(hipFreeMipmappedArray(mipmapped));
    GIVES(hipMallocMipmappedArray(&mipmapped, &right, make_hipExtent(2, 2, 8), 3, hipArrayLayered), hipErrorInvalidValue);
  }

  // No graphics context and no semaphore of one can be there.
  unsigned count = 0;
  hipGraphicsResource_t graphics = nullptr;
  GIVES(hipGraphicsMapResources(1, &graphics, nullptr), hipErrorInvalidHandle);
  GIVES(hipGraphicsUnregisterResource(nullptr), hipErrorInvalidValue);
  hipExternalSemaphoreHandleDesc wanted = {};
  wanted.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  hipExternalSemaphore_t semaphore = nullptr;
  GIVES(hipImportExternalSemaphore(&semaphore, &wanted), hipErrorInvalidValue);
  wanted.handle.fd = 1;
  GIVES(hipImportExternalSemaphore(&semaphore, &wanted), hipErrorNotSupported);
  GIVES(hipImportExternalSemaphore(nullptr, &wanted), hipErrorInvalidValue);
  hipExternalSemaphoreSignalParams signal = {};
  GIVES(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), hipErrorInvalidValue);
  GIVES(hipDestroyExternalSemaphore(&count), hipErrorInvalidValue);
  hipGraph_t graph = nullptr;
  WORKS(hipGraphCreate(&graph, 0));
  hipGraphNode_t node = nullptr;
  hipExternalSemaphoreSignalNodeParams signals = {&semaphore, &signal, 1};
  GIVES(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signals), hipErrorInvalidValue);
  WORKS(hipGraphDestroy(graph));
  WORKS(hipFree(memory));
  return done();
}
