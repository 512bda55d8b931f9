// Textures and surfaces. A GPU without image instructions, which is what this library's devices are
// (hipDeviceAttributeImageSupport is 0), has none: ROCm's own runtime refuses each of these calls
// there with hipErrorNotSupported, after checking their arguments (`imageSupport_` in
// hipamd/src/hip_texture.cpp, hip_surface.cpp and hip_module.cpp of ROCm/clr). This is the case on every MI300X
// (gfx942). An MI210 (gfx90a) has image instructions that load, store and sample without 3D filters, and an RDNA GPU has
// all of them; rocport's has not, and says so.
#include <initializer_list>
#include <mutex>

#include "device.h"
#include "module.h"
#include "registration.h"

namespace rocport {
namespace {

/** Says once what to do where a GPU has image instructions and the device does not run them. */
void tellOfImages(int device) {
  static std::once_flag once;
  if (Session::get().gpu(device).arch.rfind("gfx1", 0) != 0) return;
  std::call_once(once, [] {
    tell("this device runs no image instructions; define ROCPORT_SOFTWARE_TEXTURES as 1 in all files of a port, "
         "and it samples textures without them");
  });
}

/** The result of a call whose pointers must not be null. */
hipError_t refuse(std::initializer_list<const void*> pointers) {
  return api([&] {
    for (const void* pointer : pointers) require(pointer != nullptr);
    tellOfImages(currentDevice());
    fail(hipErrorNotSupported);
  });
}

/** The same, for a texture reference, which must be one that the program has registered. */
hipError_t refuseReference(const textureReference* reference, std::initializer_list<const void*> pointers) {
  return api([&] {
    require(reference != nullptr);
    for (const void* pointer : pointers) require(pointer != nullptr);
    int device = currentDevice();
    variableOfHost(reference, device);
    tellOfImages(device);
    fail(hipErrorNotSupported);
  });
}

/** Nothing is there to destroy where nothing can be made. */
hipError_t destroy(const void* object) {
  return api([&] {
    if (object == nullptr) return;
    currentDevice();
    fail(hipErrorNotSupported);
  });
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipCreateTextureObject(hipTextureObject_t* object, const hipResourceDesc* resource,
                                  const hipTextureDesc* texture, const hipResourceViewDesc*) {
  return refuse({object, resource, texture});
}

hipError_t hipDestroyTextureObject(hipTextureObject_t object) { return destroy(object); }

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* desc, hipTextureObject_t object) {
  return refuse({desc, object});
}

hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* desc, hipTextureObject_t object) {
  return refuse({desc, object});
}

hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* desc, hipTextureObject_t object) {
  return refuse({desc, object});
}

hipError_t hipTexObjectCreate(hipTextureObject_t* object, const HIP_RESOURCE_DESC* resource,
                              const HIP_TEXTURE_DESC* texture, const HIP_RESOURCE_VIEW_DESC*) {
  return refuse({object, resource, texture});
}

hipError_t hipTexObjectDestroy(hipTextureObject_t object) { return destroy(object); }

hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* desc, hipTextureObject_t object) {
  return refuse({desc, object});
}

hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* desc, hipTextureObject_t object) {
  return refuse({desc, object});
}

hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* desc, hipTextureObject_t object) {
  return refuse({desc, object});
}

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* object, const hipResourceDesc* resource) {
  return refuse({object, resource});
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t object) { return destroy(object); }

#if HIP_VERSION_MAJOR >= 7
hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t* width, const hipChannelFormatDesc* desc, int device) {
  return api([&] {
    require(width != nullptr && desc != nullptr);
    Session::get().gpu(device);
    fail(hipErrorNotSupported);
  });
}
#else
hipError_t hipDeviceGetTexture1DLinearMaxWidth(hipMemPool_t* pool, int device) {
  return api([&] {
    require(pool != nullptr);
    Session::get().gpu(device);
    fail(hipErrorNotSupported);
  });
}
#endif

// Texture references of the runtime API: variables of the program.

hipError_t hipBindTexture(size_t*, const textureReference* reference, const void* memory,
                          const hipChannelFormatDesc* desc, size_t) {
  return refuseReference(reference, {memory, desc});
}

hipError_t hipBindTexture2D(size_t*, const textureReference* reference, const void* memory,
                            const hipChannelFormatDesc* desc, size_t, size_t, size_t) {
  return refuseReference(reference, {memory, desc});
}

hipError_t hipBindTextureToArray(const textureReference* reference, hipArray_const_t array,
                                 const hipChannelFormatDesc* desc) {
  return refuseReference(reference, {array, desc});
}

hipError_t hipBindTextureToMipmappedArray(const textureReference* reference,
                                          hipMipmappedArray_const_t array,
                                          const hipChannelFormatDesc* desc) {
  return refuseReference(reference, {array, desc});
}

hipError_t hipUnbindTexture(const textureReference* reference) { return refuse({reference}); }

hipError_t hipGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  if (reference == nullptr) return remember(hipErrorInvalidTexture);
  return refuse({offset});
}

hipError_t hipGetTextureReference(const textureReference** reference, const void*) {
  return refuse({reference});
}

// Texture references of the driver API: variables of a module.

hipError_t hipModuleGetTexRef(textureReference** reference, hipModule_t module, const char* name) {
  return api([&] {
    require(reference != nullptr && name != nullptr && *name != '\0');
    require(module != nullptr, hipErrorInvalidHandle);
    currentDevice();
    fail(hipErrorNotSupported);
  });
}

hipError_t hipTexRefGetAddress(hipDeviceptr_t* address, const textureReference* reference) {
  return refuse({address, reference});
}

hipError_t hipTexRefGetAddressMode(hipTextureAddressMode* mode, const textureReference* reference, int) {
  return refuse({mode, reference});
}

hipError_t hipTexRefGetArray(hipArray_t* array, const textureReference* reference) {
  return refuse({array, reference});
}

hipError_t hipTexRefGetBorderColor(float* color, const textureReference* reference) {
  return refuse({color, reference});
}

hipError_t hipTexRefGetFilterMode(hipTextureFilterMode* mode, const textureReference* reference) {
  return refuse({mode, reference});
}

hipError_t hipTexRefGetFlags(unsigned* flags, const textureReference* reference) {
  return refuse({flags, reference});
}

hipError_t hipTexRefGetFormat(hipArray_Format* format, int* channels, const textureReference* reference) {
  return refuse({format, channels, reference});
}

hipError_t hipTexRefGetMaxAnisotropy(int* most, const textureReference* reference) {
  return refuse({most, reference});
}

hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t* array, const textureReference* reference) {
  return refuse({array, reference});
}

hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode* mode, const textureReference* reference) {
  return refuse({mode, reference});
}

hipError_t hipTexRefGetMipmapLevelBias(float* bias, const textureReference* reference) {
  return refuse({bias, reference});
}

hipError_t hipTexRefGetMipmapLevelClamp(float* least, float* most, const textureReference* reference) {
  return refuse({least, most, reference});
}

hipError_t hipTexRefSetAddress(size_t*, textureReference* reference, hipDeviceptr_t, size_t) {
  return refuse({reference});
}

hipError_t hipTexRefSetAddress2D(textureReference* reference, const HIP_ARRAY_DESCRIPTOR* desc,
                                 hipDeviceptr_t, size_t) {
  return refuse({reference, desc});
}

hipError_t hipTexRefSetAddressMode(textureReference* reference, int dimension, hipTextureAddressMode) {
  if (dimension < 0 || dimension > 2) return remember(hipErrorInvalidValue);
  return refuse({reference});
}

hipError_t hipTexRefSetArray(textureReference* reference, hipArray_const_t array, unsigned flags) {
  if (flags != HIP_TRSA_OVERRIDE_FORMAT) return remember(hipErrorInvalidValue);
  return refuse({reference, array});
}

hipError_t hipTexRefSetBorderColor(textureReference* reference, float* color) {
  return refuse({reference, color});
}

hipError_t hipTexRefSetFilterMode(textureReference* reference, hipTextureFilterMode) {
  return refuse({reference});
}

hipError_t hipTexRefSetFlags(textureReference* reference, unsigned) { return refuse({reference}); }

hipError_t hipTexRefSetFormat(textureReference* reference, hipArray_Format, int) {
  return refuse({reference});
}

hipError_t hipTexRefSetMaxAnisotropy(textureReference* reference, unsigned) {
  return refuse({reference});
}

hipError_t hipTexRefSetMipmapFilterMode(textureReference* reference, hipTextureFilterMode) {
  return refuse({reference});
}

hipError_t hipTexRefSetMipmapLevelBias(textureReference* reference, float) {
  return refuse({reference});
}

hipError_t hipTexRefSetMipmapLevelClamp(textureReference* reference, float, float) {
  return refuse({reference});
}

hipError_t hipTexRefSetMipmappedArray(textureReference* reference, hipMipmappedArray* array, unsigned) {
  return refuse({reference, array});
}

}  // extern "C"
