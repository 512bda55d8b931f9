// Textures and surfaces. A GPU without image instructions has none: ROCm's own runtime refuses each of these calls there
// with hipErrorNotSupported, after checking their arguments (`imageSupport_` in hipamd/src/hip_texture.cpp,
// hip_surface.cpp and hip_module.cpp of ROCm/clr). This is the case on every MI300X (gfx942). An MI210 (gfx90a) has image
// instructions without 3D filters, which the device does not run. RDNA GPUs have all of them: objects are descriptors
// there (image.h). Texture references, which HIP deprecates and a port replaces by objects, are refused everywhere.
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>

#include "device.h"
#include "image.h"
#include "memory.h"
#include "module.h"
#include "registration.h"
#include "stream.h"

namespace rocport {
namespace {

/** Says once what to do where a GPU has image instructions and this library has no texture references. */
void tellOfReferences(int device) {
  static std::once_flag once;
  if (!hasImages(Session::get().gpu(device).arch)) return;
  std::call_once(once, [] { tell("texture references are not supported; use texture objects"); });
}

/** What a program has made an object of. */
struct Made {
  hipResourceDesc resource = {};
  std::optional<hipTextureDesc> texture;  // none of a surface
  std::optional<hipResourceViewDesc> view;
};

/** The objects that the program has, by address: other pointers are refused. */
class Objects {
 public:
  void* make(const ImageWords& words, const Made& made) {
    void* memory = allocate(Kind::DEVICE, sizeof(words));
    if (hipError_t error = hipMemcpy(memory, &words, sizeof(words), hipMemcpyHostToDevice)) {
      release(memory);
      fail(error);
    }
    std::lock_guard lock(mutex_);
    all_[memory] = made;
    return memory;
  }

  Made get(const void* object, bool texture) {
    std::lock_guard lock(mutex_);
    auto found = all_.find(object);
    require(found != all_.end() && found->second.texture.has_value() == texture);
    return found->second;
  }

  /** Kernels that have the object end first. */
  void destroy(void* object, bool texture) {
    get(object, texture);
    drainAll();
    {
      std::lock_guard lock(mutex_);
      require(all_.erase(object) != 0);
    }
    release(object);
  }

 private:
  std::mutex mutex_;
  std::map<const void*, Made> all_;
};

Objects& objects() {
  static auto* all = new Objects;
  return *all;
}

/** The architecture of the current GPU; hipErrorNotSupported if it has no images. */
std::string imageArch() {
  std::string arch = Session::get().gpu(currentDevice()).arch;
  require(hasImages(arch), hipErrorNotSupported);
  return arch;
}

hipTextureObject_t makeTexture(const hipResourceDesc& resource, const hipTextureDesc& texture,
                               const hipResourceViewDesc* view) {
  ImageWords words = textureWords(imageArch(), resource, texture, view);
  Made made{resource, texture, view ? std::optional(*view) : std::nullopt};
  return static_cast<hipTextureObject_t>(objects().make(words, made));
}

Made textureOf(hipTextureObject_t object, const void* result) {
  require(object != nullptr && result != nullptr);
  imageArch();
  return objects().get(object, true);
}

void destroyObject(void* object, bool texture) {
  if (object == nullptr) return;
  imageArch();
  objects().destroy(object, texture);
}

hipResourceViewDesc viewOf(const Made& made) {
  require(made.view.has_value());
  return *made.view;
}

// The descriptions of the driver API, which have the same parts.

hipResourceDesc ofDriver(const HIP_RESOURCE_DESC& from) {
  hipResourceDesc to = {};
  switch (from.resType) {
    case HIP_RESOURCE_TYPE_ARRAY:
      to.resType = hipResourceTypeArray;
      to.res.array.array = from.res.array.hArray;
      break;
    case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.resType = hipResourceTypeMipmappedArray;
      to.res.mipmap.mipmap = from.res.mipmap.hMipmappedArray;
      break;
    case HIP_RESOURCE_TYPE_LINEAR:
      to.resType = hipResourceTypeLinear;
      to.res.linear.devPtr = from.res.linear.devPtr;
      to.res.linear.desc = channelsOf(from.res.linear.format, from.res.linear.numChannels);
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      break;
    case HIP_RESOURCE_TYPE_PITCH2D:
      to.resType = hipResourceTypePitch2D;
      to.res.pitch2D.devPtr = from.res.pitch2D.devPtr;
      to.res.pitch2D.desc = channelsOf(from.res.pitch2D.format, from.res.pitch2D.numChannels);
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      break;
    default:
      fail(hipErrorInvalidValue);
  }
  return to;
}

HIP_RESOURCE_DESC forDriver(const hipResourceDesc& from) {
  HIP_RESOURCE_DESC to = {};
  to.resType = static_cast<HIPresourcetype>(from.resType);
  auto channels = [](const hipChannelFormatDesc& desc) {
    return static_cast<unsigned>((desc.x > 0) + (desc.y > 0) + (desc.z > 0) + (desc.w > 0));
  };
  switch (from.resType) {
    case hipResourceTypeArray:
      to.res.array.hArray = from.res.array.array;
      break;
    case hipResourceTypeMipmappedArray:
      to.res.mipmap.hMipmappedArray = from.res.mipmap.mipmap;
      break;
    case hipResourceTypeLinear:
      to.res.linear.devPtr = from.res.linear.devPtr;
      to.res.linear.format = formatOf(from.res.linear.desc);
      to.res.linear.numChannels = channels(from.res.linear.desc);
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      break;
    case hipResourceTypePitch2D:
      to.res.pitch2D.devPtr = from.res.pitch2D.devPtr;
      to.res.pitch2D.format = formatOf(from.res.pitch2D.desc);
      to.res.pitch2D.numChannels = channels(from.res.pitch2D.desc);
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      break;
  }
  return to;
}

/** Integers of 8 and 16 bits are read as numbers from 0 or -1 to 1, unless a flag says otherwise. */
hipTextureDesc ofDriver(const HIP_TEXTURE_DESC& from, const hipChannelFormatDesc& channels) {
  hipTextureDesc to = {};
  for (int axis = 0; axis < 3; axis++) to.addressMode[axis] = static_cast<hipTextureAddressMode>(from.addressMode[axis]);
  to.filterMode = static_cast<hipTextureFilterMode>(from.filterMode);
  bool small = channels.f != hipChannelFormatKindFloat && channels.x < 32;
  to.readMode = small && !(from.flags & HIP_TRSF_READ_AS_INTEGER) ? hipReadModeNormalizedFloat : hipReadModeElementType;
  to.sRGB = (from.flags & HIP_TRSF_SRGB) != 0;
  std::copy(std::begin(from.borderColor), std::end(from.borderColor), to.borderColor);
  to.normalizedCoords = (from.flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<hipTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

HIP_TEXTURE_DESC forDriver(const hipTextureDesc& from) {
  HIP_TEXTURE_DESC to = {};
  for (int axis = 0; axis < 3; axis++) to.addressMode[axis] = static_cast<HIPaddress_mode>(from.addressMode[axis]);
  to.filterMode = static_cast<HIPfilter_mode>(from.filterMode);
  to.flags = (from.readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0) |
             (from.normalizedCoords ? HIP_TRSF_NORMALIZED_COORDINATES : 0) | (from.sRGB ? HIP_TRSF_SRGB : 0);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<HIPfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy(std::begin(from.borderColor), std::end(from.borderColor), to.borderColor);
  return to;
}

/** The channels of a resource; hipErrorInvalidValue if it has none. */
hipChannelFormatDesc channelsOf(const hipResourceDesc& resource) {
  switch (resource.resType) {
    case hipResourceTypeArray:
      require(isArray(resource.res.array.array));
      return resource.res.array.array->channels;
    case hipResourceTypeMipmappedArray:
      require(isArray(resource.res.mipmap.mipmap));
      return resource.res.mipmap.mipmap->desc;
    case hipResourceTypeLinear: return resource.res.linear.desc;
    case hipResourceTypePitch2D: return resource.res.pitch2D.desc;
  }
  fail(hipErrorInvalidValue);
}

/** The result of a call whose pointers must not be null. */
hipError_t refuse(std::initializer_list<const void*> pointers) {
  return api([&] {
    for (const void* pointer : pointers) require(pointer != nullptr);
    tellOfReferences(currentDevice());
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
    tellOfReferences(device);
    fail(hipErrorNotSupported);
  });
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipCreateTextureObject(hipTextureObject_t* object, const hipResourceDesc* resource,
                                  const hipTextureDesc* texture, const hipResourceViewDesc* view) {
  return api([&] {
    require(object != nullptr && resource != nullptr && texture != nullptr);
    *object = makeTexture(*resource, *texture, view);
  });
}

hipError_t hipDestroyTextureObject(hipTextureObject_t object) {
  return api([&] { destroyObject(object, true); });
}

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* desc, hipTextureObject_t object) {
  return api([&] { *desc = textureOf(object, desc).resource; });
}

hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* desc, hipTextureObject_t object) {
  return api([&] { *desc = viewOf(textureOf(object, desc)); });
}

hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* desc, hipTextureObject_t object) {
  return api([&] { *desc = *textureOf(object, desc).texture; });
}

hipError_t hipTexObjectCreate(hipTextureObject_t* object, const HIP_RESOURCE_DESC* resource,
                              const HIP_TEXTURE_DESC* texture, const HIP_RESOURCE_VIEW_DESC* view) {
  return api([&] {
    require(object != nullptr && resource != nullptr && texture != nullptr);
    imageArch();
    hipResourceDesc of = ofDriver(*resource);
    hipResourceViewDesc part = {};
    if (view) {
      part = {static_cast<hipResourceViewFormat>(view->format), view->width, view->height, view->depth,
              view->firstMipmapLevel, view->lastMipmapLevel, view->firstLayer, view->lastLayer};
    }
    *object = makeTexture(of, ofDriver(*texture, channelsOf(of)), view ? &part : nullptr);
  });
}

hipError_t hipTexObjectDestroy(hipTextureObject_t object) {
  return api([&] { destroyObject(object, true); });
}

hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* desc, hipTextureObject_t object) {
  return api([&] { *desc = forDriver(textureOf(object, desc).resource); });
}

hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* desc, hipTextureObject_t object) {
  return api([&] {
    hipResourceViewDesc view = viewOf(textureOf(object, desc));
    *desc = {};
    desc->format = static_cast<HIPresourceViewFormat>(view.format);
    desc->width = view.width;
    desc->height = view.height;
    desc->depth = view.depth;
    desc->firstMipmapLevel = view.firstMipmapLevel;
    desc->lastMipmapLevel = view.lastMipmapLevel;
    desc->firstLayer = view.firstLayer;
    desc->lastLayer = view.lastLayer;
  });
}

hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* desc, hipTextureObject_t object) {
  return api([&] { *desc = forDriver(*textureOf(object, desc).texture); });
}

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* object, const hipResourceDesc* resource) {
  return api([&] {
    require(object != nullptr && resource != nullptr);
    ImageWords words = surfaceWords(imageArch(), *resource);
    *object = static_cast<hipSurfaceObject_t>(objects().make(words, Made{*resource, std::nullopt, std::nullopt}));
  });
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t object) {
  return api([&] { destroyObject(object, false); });
}

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
