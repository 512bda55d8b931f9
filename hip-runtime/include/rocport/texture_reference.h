// CUDA's texture and surface references (removed in CUDA 12), implemented with the objects of
// texture.h.
//
// A reference is two variables in a ported program. The host variable, with the name of the
// reference, has the fields (filterMode, addressMode, normalized ...) and is the argument of the
// bind functions. The device variable, NAME_handle, is a constant that holds the bound object:
//   __constant__ rocport::texture_handle<float, 2, hipReadModeElementType> image_handle;
//   rocport::texture_reference<float, 2, hipReadModeElementType> image(image_handle);
//   host:   image.filterMode = hipFilterModeLinear; rocport::bindTextureToArray(image, array);
//   device: float v = rocport::tex2D(image_handle, x, y);
// Host: bindTexture bindTexture2D bindTextureToArray bindTextureToMipmappedArray unbindTexture
//   getTextureAlignmentOffset bindSurfaceToArray
// Device: all fetches of texture.h and its surface functions, on handles
//
// As in CUDA, a binding belongs to the current device, and a field that is set while the reference
// is bound takes effect with the next kernel. Offsets are always 0: any address may be bound.
//
// Limits: binding waits for the kernels of blocking streams (it writes a constant), so a kernel that
// runs on a non-blocking stream meanwhile may see the new binding. A fetch through a reference that
// was never bound is a memory fault; CUDA returns 0.
#ifndef ROCPORT_TEXTURE_REFERENCE_H
#define ROCPORT_TEXTURE_REFERENCE_H

#include <climits>
#include <map>

#include "texture.h"

namespace rocport {

/// Device-side view of a texture reference; a plain value that can be a function argument.
template <typename T, int type = hipTextureType1D,
          hipTextureReadMode mode = hipReadModeElementType>
struct texture_handle {
  hipTextureObject_t object;
};

// Kinds of surfaces, as CUDA numbers them; HIP only has those of textures.
constexpr int surfaceType1D = 0x01;
constexpr int surfaceType2D = 0x02;
constexpr int surfaceType3D = 0x03;
constexpr int surfaceTypeCubemap = 0x0c;
constexpr int surfaceType1DLayered = 0xf1;
constexpr int surfaceType2DLayered = 0xf2;
constexpr int surfaceTypeCubemapLayered = 0xfc;

/// Device-side view of a surface reference.
template <typename T, int type = surfaceType1D>
struct surface_handle {
  hipSurfaceObject_t object;
};

namespace texture {

/// Maximum number of elements of linear memory in a texture.
constexpr size_t kMostLinear = size_t{1} << 28;

class Reference;

/// A field of a reference; setting it updates the binding.
template <typename V>
class Setting {
 public:
  Setting(Reference* owner, V value) : owner_(owner), value_(value) {}
  Setting(const Setting&) = delete;
  operator V() const { return value_; }
  inline Setting& operator=(V value);
  Setting& operator=(const Setting& other) { return *this = other.value_; }

 private:
  Reference* owner_;
  V value_;
};

/// The part of a texture reference that does not depend on its type.
class Reference {
 public:
  Setting<int> normalized;
  Setting<hipTextureFilterMode> filterMode;
  Setting<hipTextureAddressMode> addressMode[3];
  hipChannelFormatDesc channelDesc;
  Setting<int> sRGB;
  Setting<unsigned> maxAnisotropy;
  Setting<hipTextureFilterMode> mipmapFilterMode;
  Setting<float> mipmapLevelBias;
  Setting<float> minMipmapLevelClamp;
  Setting<float> maxMipmapLevelClamp;

  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// Binds on the current device.
  hipError_t bind(const hipResourceDesc& resource) const {
    int device = 0;
    const hipError_t error = hipGetDevice(&device);
    return error == hipSuccess ? bind(&bindings_[device], resource) : error;
  }

  hipError_t unbind() const {
    int device = 0;
    const hipError_t error = hipGetDevice(&device);
    if (error == hipSuccess) bindings_[device].bound = false;
    return error;
  }

  /// A field was set.
  void renew() const {
    int current = 0;
    if (bindings_.empty() || hipGetDevice(&current) != hipSuccess) return;
    for (auto& entry : bindings_) {
      if (!entry.second.bound) continue;
      (void)hipSetDevice(entry.first);
      (void)bind(&entry.second, entry.second.resource);
    }
    (void)hipSetDevice(current);
  }

 protected:
  Reference(const void* handle, hipTextureReadMode mode, int normalized_coordinates,
            hipTextureFilterMode filter, hipTextureAddressMode address,
            const hipChannelFormatDesc& format)
      : normalized(this, normalized_coordinates),
        filterMode(this, filter),
        addressMode{{this, address}, {this, address}, {this, address}},
        channelDesc(format),
        sRGB(this, 0),
        maxAnisotropy(this, 0u),
        mipmapFilterMode(this, hipFilterModePoint),
        mipmapLevelBias(this, 0.0f),
        minMipmapLevelClamp(this, 0.0f),
        maxMipmapLevelClamp(this, 0.0f),
        handle_(handle),
        mode_(mode) {}

 private:
  /// The binding of one device.
  struct Binding {
    hipTextureObject_t object;
    hipResourceDesc resource;
    hipTextureDesc description;
    bool bound;
  };

  hipTextureDesc describe(const hipResourceDesc& resource) const {
    hipTextureDesc description;
    std::memset(&description, 0, sizeof(description));
    description.readMode = mode_;
    if (resource.resType == hipResourceTypeLinear) return description;  // fetched by index only
    for (int i = 0; i < 3; ++i) description.addressMode[i] = addressMode[i];
    description.filterMode = filterMode;
    description.normalizedCoords = normalized;
    description.sRGB = sRGB;
    description.maxAnisotropy = maxAnisotropy;
    description.mipmapFilterMode = mipmapFilterMode;
    description.mipmapLevelBias = mipmapLevelBias;
    description.minMipmapLevelClamp = minMipmapLevelClamp;
    description.maxMipmapLevelClamp = maxMipmapLevelClamp;
    return description;
  }

  hipError_t bind(Binding* binding, const hipResourceDesc& resource) const {
    const hipTextureDesc description = describe(resource);
    // Plain memory is identified by address and size; an array may be a different one at this
    // address.
    const bool plain = resource.resType == hipResourceTypeLinear ||
                       resource.resType == hipResourceTypePitch2D;
    if (plain && binding->object != nullptr &&
        std::memcmp(&resource, &binding->resource, sizeof(resource)) == 0 &&
        std::memcmp(&description, &binding->description, sizeof(description)) == 0) {
      binding->bound = true;
      return hipSuccess;
    }
    hipTextureObject_t object = nullptr;
    hipError_t error = createTextureObject(&object, &resource, &description, nullptr);
    if (error != hipSuccess) return error;
    error = hipMemcpyToSymbol(handle_, &object, sizeof(object), 0, hipMemcpyHostToDevice);
    if (error != hipSuccess) {
      (void)destroyTextureObject(object);
      return error;
    }
    if (binding->object != nullptr) (void)destroyTextureObject(binding->object);
    *binding = Binding{object, resource, description, true};
    return hipSuccess;
  }

  const void* handle_;
  hipTextureReadMode mode_;
  mutable std::map<int, Binding> bindings_;  // by device
};

template <typename V>
inline Setting<V>& Setting<V>::operator=(V value) {
  if (value != value_) {
    value_ = value;
    owner_->renew();
  }
  return *this;
}

inline hipResourceDesc resource_of(hipResourceType type) {
  hipResourceDesc resource;
  std::memset(&resource, 0, sizeof(resource));
  resource.resType = type;
  return resource;
}

inline hipError_t bind_linear(size_t* offset, const Reference& to, const void* memory,
                              const hipChannelFormatDesc& format, size_t bytes) {
  const size_t texel = texel_bytes(format);
  if (memory == nullptr || texel == 0) return hipErrorInvalidValue;
  if (offset != nullptr) *offset = 0;
  hipResourceDesc resource = resource_of(hipResourceTypeLinear);
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes / texel < kMostLinear ? bytes : kMostLinear * texel;
  return to.bind(resource);
}

inline hipError_t bind_rows(size_t* offset, const Reference& to, const void* memory,
                            const hipChannelFormatDesc& format, size_t width, size_t height,
                            size_t pitch) {
  if (memory == nullptr) return hipErrorInvalidValue;
  if (offset != nullptr) *offset = 0;
  hipResourceDesc resource = resource_of(hipResourceTypePitch2D);
  resource.res.pitch2D.devPtr = const_cast<void*>(memory);
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return to.bind(resource);
}

inline hipError_t bind_array(const Reference& to, hipArray_const_t array) {
  hipResourceDesc resource = resource_of(hipResourceTypeArray);
  resource.res.array.array = const_cast<hipArray_t>(array);
  return array == nullptr ? hipErrorInvalidValue : to.bind(resource);
}

inline hipError_t bind_mipmap(const Reference& to, hipMipmappedArray_const_t mipmap) {
  hipResourceDesc resource = resource_of(hipResourceTypeMipmappedArray);
  resource.res.mipmap.mipmap = const_cast<hipMipmappedArray_t>(mipmap);
  return mipmap == nullptr ? hipErrorInvalidValue : to.bind(resource);
}

}  // namespace texture

/// Host-side view of a texture reference. Fields have the same initial values as in CUDA.
template <typename T, int type = hipTextureType1D,
          hipTextureReadMode mode = hipReadModeElementType>
class texture_reference : public texture::Reference {
 public:
  explicit texture_reference(const texture_handle<T, type, mode>& handle, int normalized = 0,
                             hipTextureFilterMode filter = hipFilterModePoint,
                             hipTextureAddressMode address = hipAddressModeClamp)
      : Reference(&handle, mode, normalized, filter, address, hipCreateChannelDesc<T>()) {}

  texture_reference(const texture_handle<T, type, mode>& handle, int normalized,
                    hipTextureFilterMode filter, hipTextureAddressMode address,
                    const hipChannelFormatDesc& format)
      : Reference(&handle, mode, normalized, filter, address, format) {}
};

/// Host-side view of a surface reference.
template <typename T, int type = surfaceType1D>
class surface_reference {
 public:
  explicit surface_reference(const surface_handle<T, type>& handle) : handle_(&handle) {}
  surface_reference(const surface_reference&) = delete;
  surface_reference& operator=(const surface_reference&) = delete;

  hipError_t bind(hipArray_const_t array) const {
    int device = 0;
    hipError_t error = hipGetDevice(&device);
    if (error != hipSuccess) return error;
    hipResourceDesc resource = texture::resource_of(hipResourceTypeArray);
    resource.res.array.array = const_cast<hipArray_t>(array);
    hipSurfaceObject_t object = nullptr;
    error = createSurfaceObject(&object, &resource);
    if (error != hipSuccess) return error;
    error = hipMemcpyToSymbol(handle_, &object, sizeof(object), 0, hipMemcpyHostToDevice);
    hipSurfaceObject_t& bound = objects_[device];
    const hipSurfaceObject_t unused = error == hipSuccess ? bound : object;
    if (error == hipSuccess) bound = object;
    if (unused != nullptr) (void)destroySurfaceObject(unused);
    return error;
  }

 private:
  const void* handle_;
  mutable std::map<int, hipSurfaceObject_t> objects_;  // by device
};

inline hipError_t bindTexture(size_t* offset, const texture::Reference& to, const void* memory,
                              const hipChannelFormatDesc& format, size_t bytes = UINT_MAX) {
  return texture::bind_linear(offset, to, memory, format, bytes);
}

inline hipError_t bindTexture(size_t* offset, const texture::Reference& to, const void* memory,
                              size_t bytes = UINT_MAX) {
  return texture::bind_linear(offset, to, memory, to.channelDesc, bytes);
}

inline hipError_t bindTexture(size_t* offset, const texture::Reference* to, const void* memory,
                              const hipChannelFormatDesc* format, size_t bytes = UINT_MAX) {
  return texture::bind_linear(offset, *to, memory, *format, bytes);
}

inline hipError_t bindTexture2D(size_t* offset, const texture::Reference& to, const void* memory,
                                const hipChannelFormatDesc& format, size_t width, size_t height,
                                size_t pitch) {
  return texture::bind_rows(offset, to, memory, format, width, height, pitch);
}

inline hipError_t bindTexture2D(size_t* offset, const texture::Reference& to, const void* memory,
                                size_t width, size_t height, size_t pitch) {
  return texture::bind_rows(offset, to, memory, to.channelDesc, width, height, pitch);
}

inline hipError_t bindTexture2D(size_t* offset, const texture::Reference* to, const void* memory,
                                const hipChannelFormatDesc* format, size_t width, size_t height,
                                size_t pitch) {
  return texture::bind_rows(offset, *to, memory, *format, width, height, pitch);
}

inline hipError_t bindTextureToArray(const texture::Reference& to, hipArray_const_t array) {
  return texture::bind_array(to, array);
}

/// The array knows its format.
inline hipError_t bindTextureToArray(const texture::Reference& to, hipArray_const_t array,
                                     const hipChannelFormatDesc&) {
  return texture::bind_array(to, array);
}

inline hipError_t bindTextureToArray(const texture::Reference* to, hipArray_const_t array,
                                     const hipChannelFormatDesc*) {
  return texture::bind_array(*to, array);
}

inline hipError_t bindTextureToMipmappedArray(const texture::Reference& to,
                                              hipMipmappedArray_const_t mipmap) {
  return texture::bind_mipmap(to, mipmap);
}

inline hipError_t bindTextureToMipmappedArray(const texture::Reference& to,
                                              hipMipmappedArray_const_t mipmap,
                                              const hipChannelFormatDesc&) {
  return texture::bind_mipmap(to, mipmap);
}

inline hipError_t bindTextureToMipmappedArray(const texture::Reference* to,
                                              hipMipmappedArray_const_t mipmap,
                                              const hipChannelFormatDesc*) {
  return texture::bind_mipmap(*to, mipmap);
}

inline hipError_t unbindTexture(const texture::Reference& from) { return from.unbind(); }
inline hipError_t unbindTexture(const texture::Reference* from) { return from->unbind(); }

inline hipError_t getTextureAlignmentOffset(size_t* offset, const texture::Reference&) {
  *offset = 0;
  return hipSuccess;
}

template <typename T, int type>
inline hipError_t bindSurfaceToArray(const surface_reference<T, type>& to,
                                     hipArray_const_t array) {
  return to.bind(array);
}

template <typename T, int type>
inline hipError_t bindSurfaceToArray(const surface_reference<T, type>& to, hipArray_const_t array,
                                     const hipChannelFormatDesc&) {
  return to.bind(array);
}

}  // namespace rocport

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace texture {

template <int channels>
struct Floats {
  using type = float;
};
template <>
struct Floats<2> {
  using type = float2;
};
template <>
struct Floats<4> {
  using type = float4;
};

/// The result of a fetch: the texel, or floats of as many channels.
template <typename T, hipTextureReadMode mode>
struct Fetched {
  using type = T;
};
template <typename T>
struct Fetched<T, hipReadModeNormalizedFloat> {
  using type =
      typename Floats<static_cast<int>(sizeof(T) / sizeof(typename Channel<T>::type))>::type;
};

}  // namespace texture

#define ROCPORT_FETCH(name)                                                               \
  template <typename T, int type, hipTextureReadMode mode, typename... Arguments>         \
  __device__ inline typename texture::Fetched<T, mode>::type name(                        \
      texture_handle<T, type, mode> handle, Arguments... arguments) {                     \
    return ::rocport::name<typename texture::Fetched<T, mode>::type>(handle.object,       \
                                                                     arguments...);       \
  }
ROCPORT_FETCH(tex1Dfetch)
ROCPORT_FETCH(tex1D)
ROCPORT_FETCH(tex1DLod)
ROCPORT_FETCH(tex1DGrad)
ROCPORT_FETCH(tex2D)
ROCPORT_FETCH(tex2DLod)
ROCPORT_FETCH(tex2DGrad)
ROCPORT_FETCH(tex3D)
ROCPORT_FETCH(tex3DLod)
ROCPORT_FETCH(tex3DGrad)
ROCPORT_FETCH(tex1DLayered)
ROCPORT_FETCH(tex1DLayeredLod)
ROCPORT_FETCH(tex2DLayered)
ROCPORT_FETCH(tex2DLayeredLod)
ROCPORT_FETCH(tex2DLayeredGrad)
ROCPORT_FETCH(texCubemap)
ROCPORT_FETCH(texCubemapLod)
ROCPORT_FETCH(texCubemapLayered)
ROCPORT_FETCH(texCubemapLayeredLod)
#undef ROCPORT_FETCH

/// Four texels' component, whatever the texture's own number of channels.
template <typename T, int type, hipTextureReadMode mode>
__device__ inline auto tex2Dgather(texture_handle<T, type, mode> handle, float x, float y,
                                   int component = 0) {
  using C = typename texture::Channel<typename texture::Fetched<T, mode>::type>::type;
  return ::rocport::tex2Dgather<HIP_vector_type<C, 4>>(handle.object, x, y, component);
}

#define ROCPORT_SURFACE(name)                                                             \
  template <typename V, typename T, int type, typename... Arguments>                      \
  __device__ inline V name##read(surface_handle<T, type> handle, Arguments... arguments) { \
    return ::rocport::name##read<V>(handle.object, arguments...);                         \
  }                                                                                       \
  template <typename V, typename T, int type, typename... Arguments>                      \
  __device__ inline void name##read(V* value, surface_handle<T, type> handle,             \
                                    Arguments... arguments) {                             \
    *value = ::rocport::name##read<V>(handle.object, arguments...);                       \
  }                                                                                       \
  template <typename V, typename T, int type, typename... Arguments>                      \
  __device__ inline void name##write(V value, surface_handle<T, type> handle,             \
                                     Arguments... arguments) {                            \
    ::rocport::name##write(value, handle.object, arguments...);                           \
  }
ROCPORT_SURFACE(surf1D)
ROCPORT_SURFACE(surf2D)
ROCPORT_SURFACE(surf3D)
ROCPORT_SURFACE(surf1DLayered)
ROCPORT_SURFACE(surf2DLayered)
ROCPORT_SURFACE(surfCubemap)
ROCPORT_SURFACE(surfCubemapLayered)
#undef ROCPORT_SURFACE

}  // namespace rocport

#endif

#endif  // ROCPORT_TEXTURE_REFERENCE_H
