// The device functions of texture.h; include that.
#ifndef ROCPORT_TEXTURE_DEVICE_H
#define ROCPORT_TEXTURE_DEVICE_H

#if defined(ROCPORT_SOFTWARE_TEXTURES)
#define ROCPORT_SAMPLES_IN_SOFTWARE ROCPORT_SOFTWARE_TEXTURES
#elif !defined(__HIP_DEVICE_COMPILE__) || defined(__HIP_NO_IMAGE_SUPPORT) ||         \
    defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) ||             \
    defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__)
#define ROCPORT_SAMPLES_IN_SOFTWARE 1
#else
#define ROCPORT_SAMPLES_IN_SOFTWARE 0
#endif

namespace rocport {
namespace texture {

template <typename T, bool = std::is_arithmetic<T>::value>
struct Channel {
  using type = T;
};
template <typename T>
struct Channel<T, false> {
  using type = typename T::value_type;
};

/// The channels of T and their type.
template <typename T>
__device__ inline T as(const Texel& texel) {
  using C = typename Channel<T>::type;
  constexpr int count = static_cast<int>(sizeof(T) / sizeof(C));
  C channels[count];
  for (int c = 0; c < count; ++c) {
    channels[c] = std::is_floating_point<C>::value ? static_cast<C>(texel.f[c])
                                                   : static_cast<C>(texel.u[c]);
  }
  T result;
  __builtin_memcpy(static_cast<void*>(&result), channels, sizeof(T));
  return result;
}

template <typename Handle>
__device__ inline const Image& image_of(Handle handle) {
  return reinterpret_cast<const Object*>(handle)->image;
}

/// The level of detail at which the longer gradient is one texel.
__device__ inline float lod_of(float ax, float ay, float az, float bx, float by, float bz) {
  const float a = ax * ax + ay * ay + az * az;
  const float b = bx * bx + by * by + bz * bz;
  const float longest = a > b ? a : b;
  return longest > 0.0f ? 0.5f * __builtin_log2f(longest) : -126.0f;
}

/// A surface's texel in bytes: null if the boundary mode allows no access.
__device__ inline unsigned char* surface_at(hipSurfaceObject_t surface, int x, int y, int z,
                                            int bytes, int mode) {
  const Image& image = image_of(surface);
  const Level& level = image.level[0];
  const int last = static_cast<int>(level.pitch) - bytes;
  const bool inside = x >= 0 && x <= last && y >= 0 && y < level.height && z >= 0 && z < level.depth;
  if (!inside) {
    if (mode == hipBoundaryModeTrap) __builtin_trap();
    if (mode == hipBoundaryModeZero) return nullptr;
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y >= level.height ? level.height - 1 : y;
    z = z < 0 ? 0 : z >= level.depth ? level.depth - 1 : z;
  }
  return level.data + static_cast<unsigned long long>(z) * level.slice +
         static_cast<unsigned long long>(y) * level.pitch + x;
}

template <typename T>
__device__ inline T surface_read(hipSurfaceObject_t surface, int x, int y, int z, int mode) {
  const unsigned char* at = surface_at(surface, x, y, z, sizeof(T), mode);
  T result = {};
  if (at != nullptr) __builtin_memcpy(static_cast<void*>(&result), at, sizeof(T));
  return result;
}

template <typename T>
__device__ inline void surface_write(const T& value, hipSurfaceObject_t surface, int x, int y,
                                     int z, int mode) {
  unsigned char* at = surface_at(surface, x, y, z, sizeof(T), mode);
  if (at != nullptr) __builtin_memcpy(at, static_cast<const void*>(&value), sizeof(T));
}

}  // namespace texture

#if ROCPORT_SAMPLES_IN_SOFTWARE
#define ROCPORT_TEXEL(software, native) \
  return ::rocport::texture::as<T>(software)
#else
#define ROCPORT_TEXEL(software, native) return native
#endif
#define ROCPORT_IMAGE ::rocport::texture::image_of(texture_object)
#define ROCPORT_LAYERS(layer) \
  ::rocport::texture::layer_of(layer, ROCPORT_IMAGE.level[0].depth)
#define ROCPORT_CUBES(layer) \
  ::rocport::texture::layer_of(layer, ROCPORT_IMAGE.level[0].depth / 6)

// Each fetch has the two forms of CUDA: returning T, or storing it through a pointer.
#define ROCPORT_FETCH(name, parameters, arguments, software)                              \
  template <typename T>                                                                   \
  __device__ inline T name parameters {                                                   \
    ROCPORT_TEXEL(software, ::name<T> arguments);                                         \
  }
#define ROCPORT_PLAIN(...) __VA_ARGS__

ROCPORT_FETCH(tex1D, (hipTextureObject_t texture_object, float x), (texture_object, x),
              texture::sample(ROCPORT_IMAGE, {x, 0, 0, false, 0}, 0))
ROCPORT_FETCH(tex1DLod, (hipTextureObject_t texture_object, float x, float lod),
              (texture_object, x, lod), texture::sample(ROCPORT_IMAGE, {x, 0, 0, false, 0}, lod))
ROCPORT_FETCH(tex2D, (hipTextureObject_t texture_object, float x, float y), (texture_object, x, y),
              texture::sample(ROCPORT_IMAGE, {x, y, 0, false, 0}, 0))
ROCPORT_FETCH(tex2DLod, (hipTextureObject_t texture_object, float x, float y, float lod),
              (texture_object, x, y, lod),
              texture::sample(ROCPORT_IMAGE, {x, y, 0, false, 0}, lod))
ROCPORT_FETCH(tex3D, (hipTextureObject_t texture_object, float x, float y, float z),
              (texture_object, x, y, z), texture::sample(ROCPORT_IMAGE, {x, y, z, true, 0}, 0))
ROCPORT_FETCH(tex3DLod, (hipTextureObject_t texture_object, float x, float y, float z, float lod),
              (texture_object, x, y, z, lod),
              texture::sample(ROCPORT_IMAGE, {x, y, z, true, 0}, lod))
ROCPORT_FETCH(tex1DLayered, (hipTextureObject_t texture_object, float x, int layer),
              (texture_object, x, layer),
              texture::sample(ROCPORT_IMAGE, {x, 0, 0, false, ROCPORT_LAYERS(layer)}, 0))
ROCPORT_FETCH(tex1DLayeredLod, (hipTextureObject_t texture_object, float x, int layer, float lod),
              (texture_object, x, layer, lod),
              texture::sample(ROCPORT_IMAGE, {x, 0, 0, false, ROCPORT_LAYERS(layer)}, lod))
ROCPORT_FETCH(tex2DLayered, (hipTextureObject_t texture_object, float x, float y, int layer),
              (texture_object, x, y, layer),
              texture::sample(ROCPORT_IMAGE, {x, y, 0, false, ROCPORT_LAYERS(layer)}, 0))
ROCPORT_FETCH(tex2DLayeredLod,
              (hipTextureObject_t texture_object, float x, float y, int layer, float lod),
              (texture_object, x, y, layer, lod),
              texture::sample(ROCPORT_IMAGE, {x, y, 0, false, ROCPORT_LAYERS(layer)}, lod))
ROCPORT_FETCH(texCubemap, (hipTextureObject_t texture_object, float x, float y, float z),
              (texture_object, x, y, z),
              texture::sample(ROCPORT_IMAGE, texture::on_cube(x, y, z, 0), 0))
ROCPORT_FETCH(texCubemapLod,
              (hipTextureObject_t texture_object, float x, float y, float z, float lod),
              (texture_object, x, y, z, lod),
              texture::sample(ROCPORT_IMAGE, texture::on_cube(x, y, z, 0), lod))
ROCPORT_FETCH(texCubemapLayered,
              (hipTextureObject_t texture_object, float x, float y, float z, int layer),
              (texture_object, x, y, z, layer),
              texture::sample(ROCPORT_IMAGE, texture::on_cube(x, y, z, ROCPORT_CUBES(layer)), 0))
ROCPORT_FETCH(texCubemapLayeredLod,
              (hipTextureObject_t texture_object, float x, float y, float z, int layer, float lod),
              (texture_object, x, y, z, layer, lod),
              texture::sample(ROCPORT_IMAGE, texture::on_cube(x, y, z, ROCPORT_CUBES(layer)), lod))
ROCPORT_FETCH(tex2Dgather, (hipTextureObject_t texture_object, float x, float y, int component = 0),
              (texture_object, x, y, component),
              texture::gather(ROCPORT_IMAGE, x, y, component))
ROCPORT_FETCH(tex1DGrad, (hipTextureObject_t texture_object, float x, float dx, float dy),
              (texture_object, x, dx, dy),
              texture::sample(ROCPORT_IMAGE, {x, 0, 0, false, 0},
                              texture::lod_of(dx * ROCPORT_IMAGE.level[0].width, 0, 0,
                                              dy * ROCPORT_IMAGE.level[0].width, 0, 0)))
ROCPORT_FETCH(tex2DGrad,
              (hipTextureObject_t texture_object, float x, float y, float2 dx, float2 dy),
              (texture_object, x, y, dx, dy),
              texture::sample(ROCPORT_IMAGE, {x, y, 0, false, 0},
                              texture::lod_of(dx.x * ROCPORT_IMAGE.level[0].width,
                                              dx.y * ROCPORT_IMAGE.level[0].height, 0,
                                              dy.x * ROCPORT_IMAGE.level[0].width,
                                              dy.y * ROCPORT_IMAGE.level[0].height, 0)))
ROCPORT_FETCH(tex2DLayeredGrad,
              (hipTextureObject_t texture_object, float x, float y, int layer, float2 dx, float2 dy),
              (texture_object, x, y, layer, dx, dy),
              texture::sample(ROCPORT_IMAGE, {x, y, 0, false, ROCPORT_LAYERS(layer)},
                              texture::lod_of(dx.x * ROCPORT_IMAGE.level[0].width,
                                              dx.y * ROCPORT_IMAGE.level[0].height, 0,
                                              dy.x * ROCPORT_IMAGE.level[0].width,
                                              dy.y * ROCPORT_IMAGE.level[0].height, 0)))
ROCPORT_FETCH(tex3DGrad,
              (hipTextureObject_t texture_object, float x, float y, float z, float4 dx, float4 dy),
              (texture_object, x, y, z, dx, dy),
              texture::sample(ROCPORT_IMAGE, {x, y, z, true, 0},
                              texture::lod_of(dx.x * ROCPORT_IMAGE.level[0].width,
                                              dx.y * ROCPORT_IMAGE.level[0].height,
                                              dx.z * ROCPORT_IMAGE.level[0].depth,
                                              dy.x * ROCPORT_IMAGE.level[0].width,
                                              dy.y * ROCPORT_IMAGE.level[0].height,
                                              dy.z * ROCPORT_IMAGE.level[0].depth)))

/// The texel at an index of linear memory; 0 outside.
template <typename T>
__device__ inline T tex1Dfetch(hipTextureObject_t texture_object, int x) {
#if ROCPORT_SAMPLES_IN_SOFTWARE
  const texture::Image& image = texture::image_of(texture_object);
  if (x < 0 || x >= image.level[0].width) return T{};
  return texture::as<T>(texture::load(image, 0, x, 0, 0));
#else
  return ::tex1Dfetch<T>(texture_object, x);
#endif
}

// The form with a pointer, for every fetch: rocport::tex2D(&value, texture, x, y).
#define ROCPORT_STORE(name)                                                               \
  template <typename T, typename... Arguments>                                            \
  __device__ inline void name(T* result, hipTextureObject_t texture_object,               \
                              Arguments... arguments) {                                   \
    *result = ::rocport::name<T>(texture_object, arguments...);                           \
  }
ROCPORT_STORE(tex1Dfetch)
ROCPORT_STORE(tex1D)
ROCPORT_STORE(tex1DLod)
ROCPORT_STORE(tex1DGrad)
ROCPORT_STORE(tex2D)
ROCPORT_STORE(tex2DLod)
ROCPORT_STORE(tex2DGrad)
ROCPORT_STORE(tex2Dgather)
ROCPORT_STORE(tex3D)
ROCPORT_STORE(tex3DLod)
ROCPORT_STORE(tex3DGrad)
ROCPORT_STORE(tex1DLayered)
ROCPORT_STORE(tex1DLayeredLod)
ROCPORT_STORE(tex2DLayered)
ROCPORT_STORE(tex2DLayeredLod)
ROCPORT_STORE(tex2DLayeredGrad)
ROCPORT_STORE(texCubemap)
ROCPORT_STORE(texCubemapLod)
ROCPORT_STORE(texCubemapLayered)
ROCPORT_STORE(texCubemapLayeredLod)

// Surfaces: x counts bytes, as in CUDA; outside, the boundary mode decides (trap by default).
#if ROCPORT_SAMPLES_IN_SOFTWARE
#define ROCPORT_SURFACE(name, parameters, arguments, y, z)                                \
  template <typename T>                                                                   \
  __device__ inline T name##read(hipSurfaceObject_t surface, ROCPORT_PLAIN parameters,    \
                                 int mode = hipBoundaryModeTrap) {                        \
    return texture::surface_read<T>(surface, x, y, z, mode);                              \
  }                                                                                       \
  template <typename T>                                                                   \
  __device__ inline void name##read(T* result, hipSurfaceObject_t surface,                \
                                    ROCPORT_PLAIN parameters,                             \
                                    int mode = hipBoundaryModeTrap) {                     \
    *result = texture::surface_read<T>(surface, x, y, z, mode);                           \
  }                                                                                       \
  template <typename T>                                                                   \
  __device__ inline void name##write(T value, hipSurfaceObject_t surface,                 \
                                     ROCPORT_PLAIN parameters,                            \
                                     int mode = hipBoundaryModeTrap) {                    \
    texture::surface_write(value, surface, x, y, z, mode);                                \
  }
#else
#define ROCPORT_SURFACE(name, parameters, arguments, y, z)                                \
  template <typename T>                                                                   \
  __device__ inline T name##read(hipSurfaceObject_t surface, ROCPORT_PLAIN parameters,    \
                                 int = hipBoundaryModeTrap) {                             \
    T result;                                                                             \
    ::name##read(&result, surface, ROCPORT_PLAIN arguments);                              \
    return result;                                                                        \
  }                                                                                       \
  template <typename T>                                                                   \
  __device__ inline void name##read(T* result, hipSurfaceObject_t surface,                \
                                    ROCPORT_PLAIN parameters, int = hipBoundaryModeTrap) { \
    ::name##read(result, surface, ROCPORT_PLAIN arguments);                               \
  }                                                                                       \
  template <typename T>                                                                   \
  __device__ inline void name##write(T value, hipSurfaceObject_t surface,                 \
                                     ROCPORT_PLAIN parameters, int = hipBoundaryModeTrap) { \
    ::name##write(value, surface, ROCPORT_PLAIN arguments);                               \
  }
#endif
ROCPORT_SURFACE(surf1D, (int x), (x), 0, 0)
ROCPORT_SURFACE(surf2D, (int x, int y), (x, y), y, 0)
ROCPORT_SURFACE(surf3D, (int x, int y, int z), (x, y, z), y, z)
ROCPORT_SURFACE(surf1DLayered, (int x, int layer), (x, layer), 0, layer)
ROCPORT_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), y, layer)
ROCPORT_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), y, face)
ROCPORT_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face), y,
                layer_face)

#undef ROCPORT_SURFACE
#undef ROCPORT_STORE
#undef ROCPORT_FETCH
#undef ROCPORT_PLAIN
#undef ROCPORT_TEXEL
#undef ROCPORT_IMAGE
#undef ROCPORT_LAYERS
#undef ROCPORT_CUBES

}  // namespace rocport

#endif  // ROCPORT_TEXTURE_DEVICE_H
