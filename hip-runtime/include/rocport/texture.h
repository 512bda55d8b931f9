// CUDA's texture and surface objects for AMD targets that have no image instructions.
//
// HIP's headers mark tex2D and similar functions unavailable for gfx940-942, and gfx90a has no
// linear filtering. MI200 and MI300 class GPUs therefore get the software sampler of
// texture_sampler.h, which reproduces the results of an NVIDIA GPU. Other targets (RDNA, gfx906,
// gfx908) keep HIP's own images. Device code selects by its compile target, host code by the
// architecture of the current device, so a program built for both works on both. To use the
// software sampler on all targets, define ROCPORT_SOFTWARE_TEXTURES as 1 in every file; to use it
// on none, define it as 0.
//
// A ported program calls functions in namespace rocport with the names of HIP or CUDA without the
// prefix: rocport::mallocArray for hipMallocArray, rocport::tex2D<float>(t, x, y) for tex2D.
// Host: mallocArray malloc3DArray freeArray arrayGetInfo getChannelDesc mallocMipmappedArray
//   getMipmappedArrayLevel freeMipmappedArray memcpyToArray memcpyFromArray memcpy2DToArray
//   memcpy2DFromArray memcpy2DArrayToArray memcpy3D (the copies also with Async) createTextureObject
//   destroyTextureObject getTextureObjectResourceDesc getTextureObjectTextureDesc
//   createSurfaceObject destroySurfaceObject deviceGetTexture1DLinearMaxWidth
// Device: tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered texCubemap texCubemapLayered, all
//   except the first also with Lod; tex1DGrad tex2DGrad tex3DGrad tex2DLayeredGrad; tex2Dgather;
//   surf1D surf2D surf3D surf1DLayered surf2DLayered surfCubemap surfCubemapLayered with read, write
// Texture and surface objects keep HIP's types. hipArray_t values of rocport::mallocArray are
// rocport's own: do not pass them to HIP functions. The functions of rocport also accept HIP arrays.
//
// Limits: no block-compressed formats, no sparse textures, no anisotropy; a Grad fetch selects its
// level by the longer gradient; a resource view may select levels and layers, but not another
// format. Memory is laid out in rows. Software filtering costs tens of instructions per texel.
#ifndef ROCPORT_TEXTURE_H
#define ROCPORT_TEXTURE_H

#include <hip/hip_runtime.h>

#include <climits>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "texture_sampler.h"

namespace rocport {
namespace texture {

/// The target of hipTextureObject_t and hipSurfaceObject_t, in device memory.
struct Object {
  Image image;
  hipResourceDesc resource;
  hipTextureDesc description;
};

/// The target of hipArray_t, in host memory.
struct Array {
  unsigned long long magic;
  Level level;
  hipChannelFormatDesc format;
  hipExtent extent;
  unsigned flags;
  bool owner;
};

struct Mipmap {
  unsigned long long magic;
  Array level[kMaxLevels];
  unsigned count;
};

constexpr unsigned long long kArrayMagic = 0x7972726174726f70ull;
constexpr unsigned long long kMipmapMagic = 0x70616d7074726f70ull;

/// Whether a device uses software textures.
inline bool software(int device) {
#if defined(ROCPORT_SOFTWARE_TEXTURES)
  static_cast<void>(device);
  return ROCPORT_SOFTWARE_TEXTURES != 0;
#else
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, device) != hipSuccess) return true;
  const char* name = properties.gcnArchName;
  return std::strncmp(name, "gfx90a", 6) == 0 || std::strncmp(name, "gfx94", 5) == 0 ||
         std::strncmp(name, "gfx95", 5) == 0;
#endif
}

/// Whether the current device uses software textures.
inline bool software() {
#if defined(ROCPORT_SOFTWARE_TEXTURES)
  return ROCPORT_SOFTWARE_TEXTURES != 0;
#else
  int device = 0;
  return hipGetDevice(&device) != hipSuccess || software(device);
#endif
}

inline Array* own(hipArray_const_t array) {
  Array* mine = reinterpret_cast<Array*>(const_cast<hipArray_t>(array));
  return mine != nullptr && mine->magic == kArrayMagic ? mine : nullptr;
}

inline Mipmap* own(hipMipmappedArray_t mipmap) {
  Mipmap* mine = reinterpret_cast<Mipmap*>(mipmap);
  return mine != nullptr && mine->magic == kMipmapMagic ? mine : nullptr;
}

inline int channels_of(const hipChannelFormatDesc& format) {
  return (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
}

inline size_t texel_bytes(const hipChannelFormatDesc& format) {
  return static_cast<size_t>(channels_of(format) * (format.x / 8));
}

/// 8, 16 or 32 bits in each of 1, 2 or 4 channels.
inline bool supported(const hipChannelFormatDesc& f) {
  const int n = channels_of(f);
  const bool bits = f.x == 8 || f.x == 16 || f.x == 32;
  const bool equal = (n < 2 || f.y == f.x) && (n < 4 || (f.z == f.x && f.w == f.x));
  return bits && equal && (n == 1 || n == 2 || n == 4) && f.f != hipChannelFormatKindNone &&
         !(f.f == hipChannelFormatKindFloat && f.x == 8);
}

inline Array describe(const hipChannelFormatDesc& format, hipExtent extent, unsigned flags) {
  Array array = {};
  array.magic = kArrayMagic;
  array.format = format;
  array.extent = extent;
  array.flags = flags;
  array.level.width = static_cast<int>(extent.width);
  array.level.height = static_cast<int>(extent.height > 0 ? extent.height : 1);
  array.level.depth = static_cast<int>(extent.depth > 0 ? extent.depth : 1);
  array.level.pitch = extent.width * texel_bytes(format);
  array.level.slice = array.level.pitch * static_cast<unsigned long long>(array.level.height);
  return array;
}

inline size_t bytes_of(const Array& array) {
  return array.level.slice * static_cast<size_t>(array.level.depth);
}

/// A block of bytes in rows and slices, of an array or of plain memory.
struct Block {
  char* data;
  size_t pitch, slice;
};

inline Block block(const Array& array, size_t x, size_t y, size_t z) {
  return {reinterpret_cast<char*>(array.level.data) + z * array.level.slice +
              y * array.level.pitch + x,
          array.level.pitch, array.level.slice};
}

inline hipError_t copy(const Block& to, const Block& from, size_t width, size_t height,
                       size_t depth, hipMemcpyKind kind, hipStream_t stream, bool async) {
  for (size_t z = 0; z < depth; ++z) {
    char* target = to.data + z * to.slice;
    const char* source = from.data + z * from.slice;
    const hipError_t error =
        async ? hipMemcpy2DAsync(target, to.pitch, source, from.pitch, width, height, kind, stream)
              : hipMemcpy2D(target, to.pitch, source, from.pitch, width, height, kind);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

inline hipError_t copy_rows_to(Array* to, size_t x, size_t y, const void* from, size_t pitch,
                               size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                               bool async) {
  const Block source = {const_cast<char*>(static_cast<const char*>(from)), pitch, 0};
  return copy(block(*to, x, y, 0), source, width, height, 1, kind, stream, async);
}

inline hipError_t copy_rows_from(const Array* from, size_t x, size_t y, void* to, size_t pitch,
                                 size_t width, size_t height, hipMemcpyKind kind,
                                 hipStream_t stream, bool async) {
  const Block target = {static_cast<char*>(to), pitch, 0};
  return copy(target, block(*from, x, y, 0), width, height, 1, kind, stream, async);
}

inline hipError_t copy_3d(const hipMemcpy3DParms& p, hipStream_t stream, bool async) {
  const Array* to = own(p.dstArray);
  const Array* from = own(p.srcArray);
  if (to == nullptr && from == nullptr) {
    return async ? hipMemcpy3DAsync(&p, stream) : hipMemcpy3D(&p);
  }
  const size_t texel = texel_bytes((to != nullptr ? to : from)->format);
  const Block target =
      to != nullptr ? block(*to, p.dstPos.x * texel, p.dstPos.y, p.dstPos.z)
                    : Block{static_cast<char*>(p.dstPtr.ptr) + p.dstPos.x +
                                (p.dstPos.y + p.dstPos.z * p.dstPtr.ysize) * p.dstPtr.pitch,
                            p.dstPtr.pitch, p.dstPtr.pitch * p.dstPtr.ysize};
  const Block source =
      from != nullptr ? block(*from, p.srcPos.x * texel, p.srcPos.y, p.srcPos.z)
                      : Block{static_cast<char*>(p.srcPtr.ptr) + p.srcPos.x +
                                  (p.srcPos.y + p.srcPos.z * p.srcPtr.ysize) * p.srcPtr.pitch,
                              p.srcPtr.pitch, p.srcPtr.pitch * p.srcPtr.ysize};
  return copy(target, source, p.extent.width * texel, p.extent.height > 0 ? p.extent.height : 1,
              p.extent.depth > 0 ? p.extent.depth : 1, p.kind, stream, async);
}

inline void set_format(Image* image, const hipChannelFormatDesc& format, unsigned flags) {
  image->kind = static_cast<int>(format.f);
  image->bits = format.x;
  image->channels = channels_of(format);
  image->layered = (flags & hipArrayLayered) != 0;
  image->cubemap = (flags & hipArrayCubemap) != 0;
}

/// Fills in the fields from the resource; false if the resource is not supported.
inline bool set_resource(Image* image, const hipResourceDesc& resource) {
  image->levels = 1;
  Level& first = image->level[0];
  if (resource.resType == hipResourceTypeArray) {
    const Array* array = own(resource.res.array.array);
    if (array == nullptr) return false;
    first = array->level;
    set_format(image, array->format, array->flags);
  } else if (resource.resType == hipResourceTypeMipmappedArray) {
    const Mipmap* mipmap = own(resource.res.mipmap.mipmap);
    if (mipmap == nullptr) return false;
    image->levels = static_cast<int>(mipmap->count);
    for (unsigned i = 0; i < mipmap->count; ++i) image->level[i] = mipmap->level[i].level;
    set_format(image, mipmap->level[0].format, mipmap->level[0].flags);
  } else if (resource.resType == hipResourceTypeLinear) {
    if (!supported(resource.res.linear.desc)) return false;
    const size_t texel = texel_bytes(resource.res.linear.desc);
    first = Level{static_cast<unsigned char*>(resource.res.linear.devPtr), 0, 0,
                  static_cast<int>(resource.res.linear.sizeInBytes / texel), 1, 1};
    set_format(image, resource.res.linear.desc, 0);
  } else if (resource.resType == hipResourceTypePitch2D) {
    if (!supported(resource.res.pitch2D.desc)) return false;
    first = Level{static_cast<unsigned char*>(resource.res.pitch2D.devPtr),
                  resource.res.pitch2D.pitchInBytes, 0,
                  static_cast<int>(resource.res.pitch2D.width),
                  static_cast<int>(resource.res.pitch2D.height), 1};
    set_format(image, resource.res.pitch2D.desc, 0);
  } else {
    return false;
  }
  return true;
}

inline bool set_view(Image* image, const hipResourceViewDesc& view) {
  if (view.format != hipResViewFormatNone) return false;
  const unsigned last = static_cast<unsigned>(image->levels) - 1u;
  if (view.firstMipmapLevel > last || view.lastMipmapLevel > last) return false;
  image->levels = static_cast<int>(view.lastMipmapLevel - view.firstMipmapLevel + 1u);
  for (int i = 0; i < image->levels; ++i) {
    image->level[i] = image->level[i + static_cast<int>(view.firstMipmapLevel)];
    if (!image->layered && !image->cubemap) continue;
    if (static_cast<int>(view.lastLayer) >= image->level[i].depth) return false;
    image->level[i].data += view.firstLayer * image->level[i].slice;
    image->level[i].depth = static_cast<int>(view.lastLayer - view.firstLayer + 1u);
  }
  return true;
}

inline hipError_t upload(const Object& object, void** handle) {
  void* memory = nullptr;
  hipError_t error = hipMalloc(&memory, sizeof(Object));
  if (error != hipSuccess) return error;
  error = hipMemcpy(memory, &object, sizeof(Object), hipMemcpyHostToDevice);
  if (error != hipSuccess) {
    (void)hipFree(memory);
    return error;
  }
  *handle = memory;
  return hipSuccess;
}

}  // namespace texture

// ------------------------------------------------------------------------------------ host: arrays

inline hipError_t malloc3DArray(hipArray_t* array, const hipChannelFormatDesc* format,
                                hipExtent extent, unsigned flags = 0) {
  if (!texture::software()) return hipMalloc3DArray(array, format, extent, flags);
  if (array == nullptr || format == nullptr || extent.width == 0 || !texture::supported(*format)) {
    return hipErrorInvalidValue;
  }
  texture::Array* mine = new texture::Array(texture::describe(*format, extent, flags));
  mine->owner = true;
  const hipError_t error =
      hipMalloc(reinterpret_cast<void**>(&mine->level.data), texture::bytes_of(*mine));
  if (error != hipSuccess) {
    delete mine;
    return error;
  }
  *array = reinterpret_cast<hipArray_t>(mine);
  return hipSuccess;
}

inline hipError_t mallocArray(hipArray_t* array, const hipChannelFormatDesc* format, size_t width,
                              size_t height = 0, unsigned flags = 0) {
  if (!texture::software()) return hipMallocArray(array, format, width, height, flags);
  return malloc3DArray(array, format, make_hipExtent(width, height, 0), flags);
}

inline hipError_t freeArray(hipArray_t array) {
  texture::Array* mine = texture::own(array);
  if (mine == nullptr) return hipFreeArray(array);
  const hipError_t error = mine->owner ? hipFree(mine->level.data) : hipErrorInvalidValue;
  if (mine->owner) {
    mine->magic = 0;
    delete mine;
  }
  return error;
}

inline hipError_t arrayGetInfo(hipChannelFormatDesc* format, hipExtent* extent, unsigned* flags,
                               hipArray_t array) {
  const texture::Array* mine = texture::own(array);
  if (mine == nullptr) return hipArrayGetInfo(format, extent, flags, array);
  if (format != nullptr) *format = mine->format;
  if (extent != nullptr) *extent = mine->extent;
  if (flags != nullptr) *flags = mine->flags;
  return hipSuccess;
}

inline hipError_t getChannelDesc(hipChannelFormatDesc* format, hipArray_const_t array) {
  const texture::Array* mine = texture::own(array);
  if (mine == nullptr) return hipGetChannelDesc(format, array);
  *format = mine->format;
  return hipSuccess;
}

inline hipError_t mallocMipmappedArray(hipMipmappedArray_t* mipmap,
                                       const hipChannelFormatDesc* format, hipExtent extent,
                                       unsigned levels, unsigned flags = 0) {
  if (!texture::software()) return hipMallocMipmappedArray(mipmap, format, extent, levels, flags);
  if (mipmap == nullptr || format == nullptr || extent.width == 0 || levels == 0 ||
      levels > texture::kMaxLevels || !texture::supported(*format)) {
    return hipErrorInvalidValue;
  }
  texture::Mipmap* mine = new texture::Mipmap();
  mine->magic = texture::kMipmapMagic;
  mine->count = levels;
  size_t bytes = 0;
  for (unsigned i = 0; i < levels; ++i) {
    mine->level[i] = texture::describe(*format, extent, flags);
    mine->level[i].level.data = reinterpret_cast<unsigned char*>(bytes);
    bytes += (texture::bytes_of(mine->level[i]) + 255) / 256 * 256;
    extent.width = extent.width > 1 ? extent.width / 2 : 1;
    extent.height = extent.height > 1 ? extent.height / 2 : extent.height;
    const bool slices = (flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    if (!slices) extent.depth = extent.depth > 1 ? extent.depth / 2 : extent.depth;
  }
  unsigned char* memory = nullptr;
  const hipError_t error = hipMalloc(reinterpret_cast<void**>(&memory), bytes);
  if (error != hipSuccess) {
    delete mine;
    return error;
  }
  for (unsigned i = 0; i < levels; ++i) {
    mine->level[i].level.data = memory + reinterpret_cast<size_t>(mine->level[i].level.data);
  }
  *mipmap = reinterpret_cast<hipMipmappedArray_t>(mine);
  return hipSuccess;
}

inline hipError_t getMipmappedArrayLevel(hipArray_t* array, hipMipmappedArray_t mipmap,
                                         unsigned level) {
  texture::Mipmap* mine = texture::own(mipmap);
  if (mine == nullptr) return hipGetMipmappedArrayLevel(array, mipmap, level);
  if (level >= mine->count) return hipErrorInvalidValue;
  *array = reinterpret_cast<hipArray_t>(&mine->level[level]);
  return hipSuccess;
}

inline hipError_t freeMipmappedArray(hipMipmappedArray_t mipmap) {
  texture::Mipmap* mine = texture::own(mipmap);
  if (mine == nullptr) return hipFreeMipmappedArray(mipmap);
  const hipError_t error = hipFree(mine->level[0].level.data);
  mine->magic = 0;
  delete mine;
  return error;
}

// ------------------------------------------------------------------------------------ host: copies

inline hipError_t memcpy2DToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                  size_t width, size_t height, hipMemcpyKind kind) {
  texture::Array* mine = texture::own(to);
  if (mine == nullptr) return hipMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
  return texture::copy_rows_to(mine, x, y, from, pitch, width, height, kind, nullptr, false);
}

inline hipError_t memcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from,
                                       size_t pitch, size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream = nullptr) {
  texture::Array* mine = texture::own(to);
  if (mine == nullptr) {
    return hipMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, stream);
  }
  return texture::copy_rows_to(mine, x, y, from, pitch, width, height, kind, stream, true);
}

inline hipError_t memcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x,
                                    size_t y, size_t width, size_t height, hipMemcpyKind kind) {
  const texture::Array* mine = texture::own(from);
  if (mine == nullptr) return hipMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
  return texture::copy_rows_from(mine, x, y, to, pitch, width, height, kind, nullptr, false);
}

inline hipError_t memcpy2DFromArrayAsync(void* to, size_t pitch, hipArray_const_t from, size_t x,
                                         size_t y, size_t width, size_t height, hipMemcpyKind kind,
                                         hipStream_t stream = nullptr) {
  const texture::Array* mine = texture::own(from);
  if (mine == nullptr) {
    return hipMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, stream);
  }
  return texture::copy_rows_from(mine, x, y, to, pitch, width, height, kind, stream, true);
}

inline hipError_t memcpy2DArrayToArray(hipArray_t to, size_t to_x, size_t to_y,
                                       hipArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height,
                                       hipMemcpyKind kind = hipMemcpyDeviceToDevice) {
  const texture::Array* target = texture::own(to);
  const texture::Array* source = texture::own(from);
  if (target == nullptr || source == nullptr) return hipErrorInvalidValue;
  return texture::copy(texture::block(*target, to_x, to_y, 0), texture::block(*source, x, y, 0),
                       width, height, 1, kind, nullptr, false);
}

/// Rows are contiguous, so a run of bytes may span them.
inline hipError_t memcpyToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                hipMemcpyKind kind) {
  const texture::Array* mine = texture::own(to);
  if (mine == nullptr) return hipErrorInvalidValue;
  return hipMemcpy(texture::block(*mine, x, y, 0).data, from, bytes, kind);
}

inline hipError_t memcpyToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from,
                                     size_t bytes, hipMemcpyKind kind,
                                     hipStream_t stream = nullptr) {
  const texture::Array* mine = texture::own(to);
  if (mine == nullptr) return hipErrorInvalidValue;
  return hipMemcpyAsync(texture::block(*mine, x, y, 0).data, from, bytes, kind, stream);
}

inline hipError_t memcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t bytes,
                                  hipMemcpyKind kind) {
  const texture::Array* mine = texture::own(from);
  if (mine == nullptr) return hipErrorInvalidValue;
  return hipMemcpy(to, texture::block(*mine, x, y, 0).data, bytes, kind);
}

inline hipError_t memcpyFromArrayAsync(void* to, hipArray_const_t from, size_t x, size_t y,
                                       size_t bytes, hipMemcpyKind kind,
                                       hipStream_t stream = nullptr) {
  const texture::Array* mine = texture::own(from);
  if (mine == nullptr) return hipErrorInvalidValue;
  return hipMemcpyAsync(to, texture::block(*mine, x, y, 0).data, bytes, kind, stream);
}

inline hipError_t memcpy3D(const hipMemcpy3DParms* parameters) {
  return texture::copy_3d(*parameters, nullptr, false);
}

inline hipError_t memcpy3DAsync(const hipMemcpy3DParms* parameters, hipStream_t stream = nullptr) {
  return texture::copy_3d(*parameters, stream, true);
}

// ----------------------------------------------------------------------------------- host: objects

inline hipError_t createTextureObject(hipTextureObject_t* handle, const hipResourceDesc* resource,
                                      const hipTextureDesc* description,
                                      const hipResourceViewDesc* view) {
  if (!texture::software()) return hipCreateTextureObject(handle, resource, description, view);
  if (handle == nullptr || resource == nullptr || description == nullptr) {
    return hipErrorInvalidValue;
  }
  texture::Object object = {};
  texture::Image& image = object.image;
  if (!texture::set_resource(&image, *resource)) return hipErrorInvalidValue;
  if (view != nullptr && !texture::set_view(&image, *view)) return hipErrorNotSupported;
  object.resource = *resource;
  object.description = *description;
  for (int i = 0; i < 3; ++i) image.address[i] = static_cast<int>(description->addressMode[i]);
  image.linear = description->filterMode == hipFilterModeLinear;
  image.normalized_coordinates = description->normalizedCoords != 0;
  image.normalized_read = image.kind != texture::kFloat && image.bits < 32 &&
                          description->readMode == hipReadModeNormalizedFloat;
  image.srgb = description->sRGB != 0;
  image.mip_linear = description->mipmapFilterMode == hipFilterModeLinear;
  image.lod_bias = description->mipmapLevelBias;
  image.min_lod = description->minMipmapLevelClamp;
  image.max_lod = description->maxMipmapLevelClamp;
  texture::set_border(&image, description->borderColor);
  return texture::upload(object, reinterpret_cast<void**>(handle));
}

inline hipError_t destroyTextureObject(hipTextureObject_t handle) {
  if (!texture::software()) return hipDestroyTextureObject(handle);
  return hipFree(reinterpret_cast<void*>(handle));
}

inline hipError_t getTextureObjectResourceDesc(hipResourceDesc* resource,
                                               hipTextureObject_t handle) {
  if (!texture::software()) return hipGetTextureObjectResourceDesc(resource, handle);
  return hipMemcpy(resource,
                   reinterpret_cast<char*>(handle) + offsetof(texture::Object, resource),
                   sizeof(*resource), hipMemcpyDeviceToHost);
}

inline hipError_t getTextureObjectTextureDesc(hipTextureDesc* description,
                                              hipTextureObject_t handle) {
  if (!texture::software()) return hipGetTextureObjectTextureDesc(description, handle);
  return hipMemcpy(description,
                   reinterpret_cast<char*>(handle) + offsetof(texture::Object, description),
                   sizeof(*description), hipMemcpyDeviceToHost);
}

/// In HIP 6.4, the headers declare this function without the format; older headers do not have it.
inline hipError_t deviceGetTexture1DLinearMaxWidth(size_t* width,
                                                   const hipChannelFormatDesc* format, int device) {
  if (width == nullptr || format == nullptr || !texture::supported(*format)) {
    return hipErrorInvalidValue;
  }
  int images = 0;
  const hipError_t error =
      hipDeviceGetAttribute(&images, hipDeviceAttributeMaxTexture1DLinear, device);
  if (error != hipSuccess) return error;
  if (texture::software(device)) {
    *width = INT_MAX;  // the sampler indexes texels with int
    return hipSuccess;
  }
#if HIP_VERSION_MAJOR >= 7
  return hipDeviceGetTexture1DLinearMaxWidth(width, format, device);
#else
  *width = static_cast<size_t>(images);
  return hipSuccess;
#endif
}

inline hipError_t createSurfaceObject(hipSurfaceObject_t* handle, const hipResourceDesc* resource) {
  if (!texture::software()) return hipCreateSurfaceObject(handle, resource);
  if (handle == nullptr || resource == nullptr || resource->resType != hipResourceTypeArray) {
    return hipErrorInvalidValue;
  }
  texture::Object object = {};
  if (!texture::set_resource(&object.image, *resource)) return hipErrorInvalidValue;
  object.resource = *resource;
  return texture::upload(object, reinterpret_cast<void**>(handle));
}

inline hipError_t destroySurfaceObject(hipSurfaceObject_t handle) {
  if (!texture::software()) return hipDestroySurfaceObject(handle);
  return hipFree(reinterpret_cast<void*>(handle));
}

}  // namespace rocport

#if defined(__HIP__) && defined(__clang__)
#include "texture_device.h"
#endif

#endif  // ROCPORT_TEXTURE_H
