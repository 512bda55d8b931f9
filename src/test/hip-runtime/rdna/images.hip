// A GPU with image instructions: textures and surfaces of all shapes, formats, filters and clamps, compared with what
// the host computes, and the calls that make and describe them.
#include <hip/hip_runtime.h>

#include <cmath>
#include <vector>

#include "../check.h"

namespace {

constexpr int W = 13, H = 6, D = 5;

template <typename T>
T* device(size_t count) {
  T* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), count * sizeof(T)));
  return memory;
}

template <typename T>
std::vector<T> host(const T* memory, size_t count) {
  std::vector<T> copy(count);
  WORKS(hipMemcpy(copy.data(), memory, count * sizeof(T), hipMemcpyDeviceToHost));
  return copy;
}

hipResourceDesc of(hipArray_t array) {
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

hipTextureDesc sampler(hipTextureFilterMode filter, hipTextureAddressMode mode, bool normalized) {
  hipTextureDesc texture = {};
  for (auto& axis : texture.addressMode) axis = mode;
  texture.filterMode = filter;
  texture.normalizedCoords = normalized;
  return texture;
}

hipTextureObject_t create(const hipResourceDesc& resource, const hipTextureDesc& texture,
                          const hipResourceViewDesc* view = nullptr) {
  hipTextureObject_t object = nullptr;
  WORKS(hipCreateTextureObject(&object, &resource, &texture, view));
  return object;
}

hipArray_t filled(const hipChannelFormatDesc& desc, hipExtent extent, unsigned flags, const void* from, size_t texel) {
  hipArray_t array = nullptr;
  WORKS(hipMalloc3DArray(&array, &desc, extent, flags));
  hipMemcpy3DParms copy = {};
  copy.dstArray = array;
  size_t rows = extent.height ? extent.height : 1;
  copy.srcPtr = make_hipPitchedPtr(const_cast<void*>(from), extent.width * texel, extent.width, rows);
  copy.extent = make_hipExtent(extent.width, rows, extent.depth ? extent.depth : 1);
  copy.kind = hipMemcpyHostToDevice;
  WORKS(hipMemcpy3D(&copy));
  return array;
}

__global__ void volume(hipTextureObject_t t, float* out, float scale) {
  int i = threadIdx.x;
  out[i] = tex3D<float>(t, (0.25f + i * 0.25f) * scale, 1.5f * scale, (1 + i % 3) * scale);
}

void volumes() {
  std::vector<float> texels(W * H * D);
  for (size_t i = 0; i < texels.size(); i++) texels[i] = static_cast<float>(i * 37 % 101);
  hipArray_t array = filled(hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat), make_hipExtent(W, H, D), 0,
                            texels.data(), sizeof(float));
  hipTextureObject_t object = create(of(array), sampler(hipFilterModeLinear, hipAddressModeClamp, false));
  float* out = device<float>(32);
  volume<<<1, 32>>>(object, out, 1);
  std::vector<float> got = host(out, 32);
  for (int i = 0; i < 32; i++) {
    float x = 0.25f + static_cast<float>(i) * 0.25f - 0.5f, z = static_cast<float>(1 + i % 3) - 0.5f;
    int x0 = static_cast<int>(std::floor(x)), z0 = static_cast<int>(std::floor(z));
    auto at = [&](int a, int c) { return texels[static_cast<size_t>((std::clamp(c, 0, D - 1) * H + 1) * W + std::clamp(a, 0, W - 1))]; };
    float fx = x - static_cast<float>(x0), fz = z - static_cast<float>(z0);
    float want = (1 - fz) * ((1 - fx) * at(x0, z0) + fx * at(x0 + 1, z0)) + fz * ((1 - fx) * at(x0, z0 + 1) + fx * at(x0 + 1, z0 + 1));
    HOLDS(std::fabs(got[static_cast<size_t>(i)] - want) < 1e-4f);
  }
  hipResourceDesc resource = {};
  WORKS(hipGetTextureObjectResourceDesc(&resource, object));
  HOLDS(resource.resType == hipResourceTypeArray && resource.res.array.array == array);
  hipTextureDesc texture = {};
  WORKS(hipGetTextureObjectTextureDesc(&texture, object));
  HOLDS(texture.filterMode == hipFilterModeLinear && texture.addressMode[1] == hipAddressModeClamp);
  hipResourceViewDesc view = {};
  GIVES(hipGetTextureObjectResourceViewDesc(&view, object), hipErrorInvalidValue);
  HIP_TEXTURE_DESC driver = {};
  WORKS(hipTexObjectGetTextureDesc(&driver, object));
  HOLDS(driver.filterMode == HIP_TR_FILTER_MODE_LINEAR && (driver.flags & HIP_TRSF_NORMALIZED_COORDINATES) == 0);
  WORKS(hipDestroyTextureObject(object));
  GIVES(hipDestroyTextureObject(object), hipErrorInvalidValue);
  WORKS(hipFreeArray(array));
  WORKS(hipFree(out));
}

__global__ void layers(hipTextureObject_t lines, hipTextureObject_t planes, hipTextureObject_t cube, uchar4* out) {
  int i = threadIdx.x;
  out[i] = tex1DLayered<uchar4>(lines, i + 0.5f, i % 2);
  out[32 + i] = tex2DLayered<uchar4>(planes, i % 4 + 0.5f, i / 4 + 0.5f, i % 3);
  const float3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  float3 at = axes[i % 6];
  out[64 + i] = texCubemap<uchar4>(cube, at.x, at.y, at.z);
}

void layered() {
  const hipChannelFormatDesc desc = hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned);
  std::vector<uchar4> texels(512);
  for (size_t i = 0; i < texels.size(); i++) {
    auto byte = [&](size_t f) { return static_cast<unsigned char>(i * f + f); };
    texels[i] = make_uchar4(byte(3), byte(5), byte(7), byte(11));
  }
  hipArray_t lines = filled(desc, make_hipExtent(32, 0, 2), hipArrayLayered, texels.data(), 4);
  hipArray_t planes = filled(desc, make_hipExtent(4, 8, 3), hipArrayLayered, texels.data(), 4);
  hipArray_t faces = filled(desc, make_hipExtent(3, 3, 6), hipArrayCubemap, texels.data(), 4);
  hipTextureDesc point = sampler(hipFilterModePoint, hipAddressModeClamp, false);
  hipTextureDesc normalized = sampler(hipFilterModePoint, hipAddressModeClamp, true);
  hipTextureObject_t a = create(of(lines), point), b = create(of(planes), point), c = create(of(faces), normalized);
  uchar4* out = device<uchar4>(96);
  layers<<<1, 32>>>(a, b, c, out);
  std::vector<uchar4> got = host(out, 96);
  for (size_t i = 0; i < 32; i++) {
    HOLDS(got[i] == texels[i % 2 * 32 + i]);
    HOLDS(got[32 + i] == texels[i % 3 * 32 + i]);
    HOLDS(got[64 + i] == texels[i % 6 * 9 + 4]);
  }
  hipResourceViewDesc view = {};
  view.firstLayer = view.lastLayer = 2;
  hipTextureObject_t last = create(of(planes), point, &view);
  layers<<<1, 32>>>(a, last, c, out);
  got = host(out, 96);
  for (size_t i = 0; i < 32; i++) HOLDS(got[32 + i] == texels[2 * 32 + i]);
  for (hipTextureObject_t object : {a, b, c, last}) WORKS(hipDestroyTextureObject(object));
  for (hipArray_t array : {lines, planes, faces}) WORKS(hipFreeArray(array));
  WORKS(hipFree(out));
}

__global__ void levels(hipTextureObject_t t, float* out) {
  int i = threadIdx.x;
  out[i] = tex2DLod<float>(t, 0.5f, 0.5f, i * 0.25f);
  out[32 + i] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2((i + 1) / 16.0f, 0), make_float2(0, 0));
}

void mipmaps() {
  const hipChannelFormatDesc desc = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipMipmappedArray_t mipmapped = nullptr;
  WORKS(hipMallocMipmappedArray(&mipmapped, &desc, make_hipExtent(16, 16, 0), 4, 0));
  for (unsigned l = 0; l < 4; l++) {
    hipArray_t level = nullptr;
    WORKS(hipGetMipmappedArrayLevel(&level, mipmapped, l));
    std::vector<float> texels(256, static_cast<float>(100 * l));
    size_t row = (16u >> l) * sizeof(float);
    WORKS(hipMemcpy2DToArray(level, 0, 0, texels.data(), row, row, 16u >> l, hipMemcpyHostToDevice));
  }
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmapped;
  hipTextureDesc texture = sampler(hipFilterModeLinear, hipAddressModeClamp, true);
  texture.mipmapFilterMode = hipFilterModeLinear;
  texture.maxMipmapLevelClamp = 2.5f;
  hipTextureObject_t object = create(resource, texture);
  float* out = device<float>(64);
  levels<<<1, 32>>>(object, out);
  std::vector<float> got = host(out, 64);
  for (size_t i = 0; i < 32; i++) {
    HOLDS(got[i] == std::fmin(25.0f * static_cast<float>(i), 250.0f));
    float detail = std::log2(static_cast<float>(i + 1));
    HOLDS(std::fabs(got[32 + i] - 100 * std::fmin(detail, 2.5f)) < 0.5f);
  }
  hipResourceViewDesc view = {};
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  hipTextureObject_t part = create(resource, texture, &view);
  levels<<<1, 32>>>(part, out);
  got = host(out, 64);
  for (size_t i = 0; i < 32; i++) HOLDS(got[i] == 100 + std::fmin(25.0f * static_cast<float>(i), 100.0f));
  WORKS(hipDestroyTextureObject(part));
  view.lastMipmapLevel = 4;
  GIVES(hipCreateTextureObject(&part, &resource, &texture, &view), hipErrorInvalidValue);
  WORKS(hipDestroyTextureObject(object));
  WORKS(hipFreeMipmappedArray(mipmapped));
  WORKS(hipFree(out));
}

template <typename T>
__global__ void fetch(hipTextureObject_t t, T* out) {
  out[threadIdx.x] = tex1Dfetch<T>(t, static_cast<int>(threadIdx.x) - 4);
}

void linear() {
  std::vector<short2> texels(20);
  for (size_t i = 0; i < texels.size(); i++) texels[i] = make_short2(static_cast<short>(i * 3000 - 32768), static_cast<short>(-i));
  short2* memory = device<short2>(20);
  WORKS(hipMemcpy(memory, texels.data(), 80, hipMemcpyHostToDevice));
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = hipCreateChannelDesc(16, 16, 0, 0, hipChannelFormatKindSigned);
  resource.res.linear.sizeInBytes = 80;
  hipTextureDesc texture = {};
  hipTextureObject_t plain = create(resource, texture);
  texture.readMode = hipReadModeNormalizedFloat;
  hipTextureObject_t normalized = create(resource, texture);
  short2* shorts = device<short2>(32);
  float2* floats = device<float2>(32);
  fetch<<<1, 32>>>(plain, shorts);
  fetch<<<1, 32>>>(normalized, floats);
  std::vector<short2> a = host(shorts, 32);
  std::vector<float2> b = host(floats, 32);
  for (size_t i = 0; i < 32; i++) {
    short2 want = i >= 4 && i < 24 ? texels[i - 4] : make_short2(0, 0);
    HOLDS(a[i] == want);
    HOLDS(b[i].x == std::fmax(static_cast<float>(want.x) / 32767, -1.0f));
    HOLDS(b[i].y == static_cast<float>(want.y) / 32767);
  }
  for (hipTextureObject_t object : {plain, normalized}) WORKS(hipDestroyTextureObject(object));
  WORKS(hipFree(memory));
  WORKS(hipFree(shorts));
  WORKS(hipFree(floats));
}

__global__ void four(hipTextureObject_t t, float4* out) {
  out[0] = tex2Dgather<float4>(t, 1.0f, 1.0f, 1);
  out[1] = tex2D<float4>(t, -3.0f, 0.5f);
  out[2] = tex2D<float4>(t, 0.5f, 0.5f);
}

void gathers() {
  const hipChannelFormatDesc desc = hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned);
  const uchar4 texels[4] = {{0, 51, 255, 255}, {102, 0, 0, 0}, {153, 0, 0, 0}, {204, 0, 0, 128}};
  hipArray_t array = filled(desc, make_hipExtent(2, 2, 0), hipArrayTextureGather, texels, 4);
  hipTextureDesc texture = sampler(hipFilterModePoint, hipAddressModeBorder, false);
  texture.readMode = hipReadModeNormalizedFloat;
  texture.borderColor[3] = 1;
  hipTextureObject_t object = create(of(array), texture);
  texture.sRGB = 1;
  hipTextureObject_t light = create(of(array), texture);
  float4* out = device<float4>(3);
  four<<<1, 1>>>(object, out);
  std::vector<float4> got = host(out, 3);
  HOLDS(got[0] == make_float4(0.6f, 0.8f, 0.4f, 0.0f));
  HOLDS(got[1] == make_float4(0, 0, 0, 1));
  HOLDS(got[2] == make_float4(0, 0.2f, 1, 1));
  four<<<1, 1>>>(light, out);
  got = host(out, 3);
  HOLDS(std::fabs(got[2].y - 0.0331f) < 1e-4f && got[2].z == 1);
  texture.borderColor[0] = 0.5f;
  hipTextureObject_t other = nullptr;
  hipResourceDesc resource = of(array);
  GIVES(hipCreateTextureObject(&other, &resource, &texture, nullptr), hipErrorNotSupported);
  texture = sampler(hipFilterModeLinear, hipAddressModeClamp, false);
  GIVES(hipCreateTextureObject(&other, &resource, &texture, nullptr), hipErrorInvalidValue);
  for (hipTextureObject_t made : {object, light}) WORKS(hipDestroyTextureObject(made));
  WORKS(hipFreeArray(array));
  WORKS(hipFree(out));
}

__global__ void turn(hipSurfaceObject_t from, hipSurfaceObject_t to, hipSurfaceObject_t deep) {
  int x = threadIdx.x, y = threadIdx.y;
  short2 value;
  surf2Dread(&value, from, x * 4, y);
  value.y = -value.y;
  surf2Dwrite(value, to, y * 4, x);
  surf3Dwrite(x * 1.5f + y, deep, x * 4, y, 1);
  surf2Dwrite(value, to, 100 * 4, 0);  // outside: goes nowhere
}

void surfaces() {
  std::vector<short2> texels(W * H);
  for (size_t i = 0; i < texels.size(); i++) texels[i] = make_short2(static_cast<short>(i * 411), static_cast<short>(i - 40));
  const hipChannelFormatDesc desc = hipCreateChannelDesc(16, 16, 0, 0, hipChannelFormatKindSigned);
  hipArray_t from = filled(desc, make_hipExtent(W, H, 0), hipArraySurfaceLoadStore, texels.data(), 4), to = nullptr, deep = nullptr;
  const hipChannelFormatDesc one = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  WORKS(hipMallocArray(&to, &desc, H, W, hipArraySurfaceLoadStore));
  WORKS(hipMalloc3DArray(&deep, &one, make_hipExtent(W, H, 2), hipArraySurfaceLoadStore));
  hipSurfaceObject_t surfaces[3] = {};
  hipArray_t arrays[3] = {from, to, deep};
  for (int i = 0; i < 3; i++) {
    hipResourceDesc resource = of(arrays[i]);
    WORKS(hipCreateSurfaceObject(&surfaces[i], &resource));
  }
  turn<<<1, dim3(W, H)>>>(surfaces[0], surfaces[1], surfaces[2]);
  std::vector<short2> back(W * H);
  WORKS(hipMemcpy2DFromArray(back.data(), H * 4, to, 0, 0, H * 4, W, hipMemcpyDeviceToHost));
  for (size_t y = 0; y < H; y++) {
    for (size_t x = 0; x < W; x++) {
      short2 was = texels[y * W + x];
      HOLDS(back[x * H + y] == make_short2(was.x, static_cast<short>(-was.y)));
    }
  }
  std::vector<float> depths(W * H * 2);
  hipMemcpy3DParms copy = {};
  copy.srcArray = deep;
  copy.dstPtr = make_hipPitchedPtr(depths.data(), W * 4, W, H);
  copy.extent = make_hipExtent(W, H, 2);
  copy.kind = hipMemcpyDeviceToHost;
  WORKS(hipMemcpy3D(&copy));
  for (size_t y = 0; y < H; y++) {
    for (size_t x = 0; x < W; x++) HOLDS(depths[(H + y) * W + x] == static_cast<float>(x) * 1.5f + static_cast<float>(y));
  }
  GIVES(hipDestroyTextureObject(reinterpret_cast<hipTextureObject_t>(surfaces[0])), hipErrorInvalidValue);
  for (hipSurfaceObject_t surface : surfaces) WORKS(hipDestroySurfaceObject(surface));
  for (hipArray_t array : arrays) WORKS(hipFreeArray(array));
}

void driver() {
  HIP_ARRAY_DESCRIPTOR shape = {4, 1, HIP_AD_FORMAT_UNSIGNED_INT8, 1};
  hipArray_t array = nullptr;
  WORKS(hipArrayCreate(&array, &shape));
  HIP_RESOURCE_DESC resource = {};
  resource.resType = HIP_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  HIP_TEXTURE_DESC texture = {};
  texture.filterMode = HIP_TR_FILTER_MODE_LINEAR;
  hipTextureObject_t object = nullptr;
  WORKS(hipTexObjectCreate(&object, &resource, &texture, nullptr));
  HIP_RESOURCE_DESC seen = {};
  WORKS(hipTexObjectGetResourceDesc(&seen, object));
  HOLDS(seen.resType == HIP_RESOURCE_TYPE_ARRAY && seen.res.array.hArray == array);
  hipTextureDesc runtime = {};
  WORKS(hipGetTextureObjectTextureDesc(&runtime, object));
  HOLDS(runtime.readMode == hipReadModeNormalizedFloat);
  WORKS(hipTexObjectDestroy(object));
  texture.flags = HIP_TRSF_READ_AS_INTEGER;
  GIVES(hipTexObjectCreate(&object, &resource, &texture, nullptr), hipErrorInvalidValue);
  WORKS(hipFreeArray(array));
  GIVES(hipTexObjectCreate(&object, &resource, &texture, nullptr), hipErrorInvalidValue);
}

}  // namespace

int main() {
  int images = 0;
  WORKS(hipDeviceGetAttribute(&images, hipDeviceAttributeImageSupport, 0));
  HOLDS(images == 1);
  volumes();
  layered();
  mipmaps();
  linear();
  gathers();
  surfaces();
  driver();
  WORKS(hipDestroyTextureObject(nullptr));
  return done();
}
