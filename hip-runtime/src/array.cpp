#include "array.h"

#include <hip/channel_descriptor.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include "copy.h"
#include "memory.h"
#include "stream.h"

namespace rocport {
namespace {

/** The arrays that the program has: other pointers are refused before they are read. */
class Live {
 public:
  void add(const void* array) {
    std::lock_guard lock(mutex_);
    all_.insert(array);
  }

  bool has(const void* array) {
    std::lock_guard lock(mutex_);
    return all_.count(array) != 0;
  }

  void remove(const void* array) {
    std::lock_guard lock(mutex_);
    all_.erase(array);
  }

 private:
  std::mutex mutex_;
  std::set<const void*> all_;
};

Live& live() {
  static auto* all = new Live;
  return *all;
}

/** Whether the first one, two or four channels, and no others, have a size that their kind can have. */
bool isFormat(const hipChannelFormatDesc& desc) {
  bool kind = desc.f == hipChannelFormatKindSigned || desc.f == hipChannelFormatKindUnsigned;
  bool size = desc.x == 16 || desc.x == 32 || (desc.x == 8 && kind);
  int second = desc.y ? desc.x : 0;
  int others = desc.z ? second : 0;
  return size && desc.y == second && desc.z == others && desc.w == others;
}

std::unique_ptr<hipArray> shaped(const hipChannelFormatDesc& desc, hipExtent extent, unsigned flags) {
  constexpr unsigned KNOWN = hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap |
                             hipArrayTextureGather;
  require((flags & ~KNOWN) == 0 && extent.width > 0 && isFormat(desc));
  require(extent.height > 0 || extent.depth == 0 || (flags & hipArrayLayered));
  auto array = std::make_unique<hipArray>();
  *array = {};
  array->channels = desc;
  array->format = formatOf(desc);
  array->channelCount = static_cast<unsigned>((desc.x > 0) + (desc.y > 0) + (desc.z > 0) + (desc.w > 0));
  array->elementSize = static_cast<size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
  size_t bytes = array->elementSize;
  for (size_t size : {extent.width, extent.height, extent.depth}) {
    require(size == 0 || !__builtin_mul_overflow(bytes, size, &bytes));
  }
  array->width = extent.width;
  array->height = extent.height;
  array->depth = extent.depth;
  array->flags = flags;
  return array;
}

hipArray_t make(const hipChannelFormatDesc& desc, hipExtent extent, unsigned flags) {
  auto array = shaped(desc, extent, flags);
  array->data = static_cast<char*>(allocate(Kind::DEVICE, array->bytes()));
  array->owned = true;
  live().add(array.get());
  return array.release();
}

void destroy(hipArray_t array) {
  require(array != nullptr);
  require(live().has(array), hipErrorContextIsDestroyed);
  require(array->owned, hipErrorInvalidHandle);
  drainAll();
  live().remove(array);
  release(array->data);
  delete array;
}

/** How many levels a mipmapped array can have: each has half the size of the one before. Layers keep their number. */
unsigned mostLevels(hipExtent extent, unsigned flags) {
  size_t depth = flags & (hipArrayLayered | hipArrayCubemap) ? 0 : extent.depth;
  unsigned levels = 0;
  for (size_t size = std::max({extent.width, extent.height, depth}); size > 0; size /= 2) levels++;
  return levels;
}

size_t level(size_t size, unsigned of) { return size ? std::max<size_t>(1, size >> of) : 0; }

/** The shape of a level. */
hipExtent level(hipExtent extent, unsigned of, unsigned flags) {
  bool layers = flags & (hipArrayLayered | hipArrayCubemap);
  return make_hipExtent(level(extent.width, of), level(extent.height, of), layers ? extent.depth : level(extent.depth, of));
}

/** What a level takes of memory: the next one begins where a texture can. */
size_t room(const hipArray& level) { return (level.bytes() + 255) / 256 * 256; }

}  // namespace

hipArray_Format formatOf(const hipChannelFormatDesc& desc) {
  switch (desc.f) {
    case hipChannelFormatKindUnsigned:
      return desc.x == 8    ? HIP_AD_FORMAT_UNSIGNED_INT8
             : desc.x == 16 ? HIP_AD_FORMAT_UNSIGNED_INT16
                            : HIP_AD_FORMAT_UNSIGNED_INT32;
    case hipChannelFormatKindSigned:
      return desc.x == 8    ? HIP_AD_FORMAT_SIGNED_INT8
             : desc.x == 16 ? HIP_AD_FORMAT_SIGNED_INT16
                            : HIP_AD_FORMAT_SIGNED_INT32;
    case hipChannelFormatKindFloat:
      return desc.x == 16 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
    default:
      fail(hipErrorInvalidValue);
  }
}

hipChannelFormatDesc channelsOf(hipArray_Format format, unsigned count) {
  struct Row {
    hipArray_Format format;
    int bits;
    hipChannelFormatKind kind;
  };
  constexpr Row ROWS[] = {{HIP_AD_FORMAT_UNSIGNED_INT8, 8, hipChannelFormatKindUnsigned},
                          {HIP_AD_FORMAT_UNSIGNED_INT16, 16, hipChannelFormatKindUnsigned},
                          {HIP_AD_FORMAT_UNSIGNED_INT32, 32, hipChannelFormatKindUnsigned},
                          {HIP_AD_FORMAT_SIGNED_INT8, 8, hipChannelFormatKindSigned},
                          {HIP_AD_FORMAT_SIGNED_INT16, 16, hipChannelFormatKindSigned},
                          {HIP_AD_FORMAT_SIGNED_INT32, 32, hipChannelFormatKindSigned},
                          {HIP_AD_FORMAT_HALF, 16, hipChannelFormatKindFloat},
                          {HIP_AD_FORMAT_FLOAT, 32, hipChannelFormatKindFloat}};
  for (const Row& row : ROWS) {
    if (row.format == format) {
      return {row.bits, count > 1 ? row.bits : 0, count > 2 ? row.bits : 0,
              count > 3 ? row.bits : 0, row.kind};
    }
  }
  fail(hipErrorInvalidValue);
}

Plane planeOf(hipArray_const_t array, size_t xBytes, size_t y, size_t z) {
  require(array != nullptr, hipErrorInvalidHandle);
  Plane plane;
  plane.pitch = array->rowBytes();
  plane.slice = plane.pitch * array->rows();
  require(xBytes < plane.pitch && y < array->rows() && z < array->planes());
  plane.address = array->data + z * plane.slice + y * plane.pitch + xBytes;
  return plane;
}

bool isArray(const void* array) { return live().has(array); }

/** HIP's headers declare the structure; its data are the levels. */
hipArray* levelsOf(hipMipmappedArray_const_t array) { return static_cast<hipArray*>(array->data); }

}  // namespace rocport

using namespace rocport;

namespace {

void checkRoom(hipArray_const_t array, size_t x, size_t y, size_t width, size_t height) {
  require(array != nullptr, hipErrorInvalidHandle);
  require(x + width <= array->rowBytes() && y + height <= array->rows());
}

hipError_t toArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                   size_t height, hipMemcpyKind kind, bool async, hipStream_t stream) {
  return api([&] {
    checkRoom(to, x, y, width, height);
    Plane plane = planeOf(to, x, y, 0);
    return async ? hipMemcpy2DAsync(plane.address, plane.pitch, from, pitch, width, height, kind, stream)
                 : hipMemcpy2D(plane.address, plane.pitch, from, pitch, width, height, kind);
  });
}

hipError_t fromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                     size_t height, hipMemcpyKind kind, bool async, hipStream_t stream) {
  return api([&] {
    checkRoom(from, x, y, width, height);
    Plane plane = planeOf(from, x, y, 0);
    return async ? hipMemcpy2DAsync(to, pitch, plane.address, plane.pitch, width, height, kind, stream)
                 : hipMemcpy2D(to, pitch, plane.address, plane.pitch, width, height, kind);
  });
}

/** A run of bytes in an array's memory. */
char* run(hipArray_const_t array, size_t offset, size_t bytes) {
  require(array != nullptr, hipErrorInvalidHandle);
  require(offset <= array->bytes() && bytes <= array->bytes() - offset);
  return array->data + offset;
}

}  // namespace

extern "C" {

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* desc, size_t width,
                          size_t height, unsigned flags) {
  return api([&] {
    require(array != nullptr && desc != nullptr);
    *array = make(*desc, make_hipExtent(width, height, 0), flags);
  });
}

hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* desc, hipExtent extent,
                            unsigned flags) {
  return api([&] {
    require(array != nullptr && desc != nullptr);
    *array = make(*desc, extent, flags);
  });
}

hipError_t hipArrayCreate(hipArray_t* array, const HIP_ARRAY_DESCRIPTOR* desc) {
  return api([&] {
    require(array != nullptr && desc != nullptr);
    *array = make(channelsOf(desc->Format, desc->NumChannels), make_hipExtent(desc->Width, desc->Height, 0), 0);
  });
}

hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* desc) {
  return api([&] {
    require(array != nullptr && desc != nullptr);
    *array = make(channelsOf(desc->Format, desc->NumChannels),
                  make_hipExtent(desc->Width, desc->Height, desc->Depth), desc->Flags);
  });
}

hipError_t hipFreeArray(hipArray_t array) {
  return api([&] { destroy(array); });
}

hipError_t hipArrayDestroy(hipArray_t array) {
  return api([&] { destroy(array); });
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned* flags,
                           hipArray_t array) {
  return api([&] {
    require(live().has(array), hipErrorInvalidHandle);
    if (desc) *desc = array->channels;
    if (extent) *extent = make_hipExtent(array->width, array->height, array->depth);
    if (flags) *flags = array->flags;
  });
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc* desc, hipArray_const_t array) {
  return api([&] {
    require(desc != nullptr && array != nullptr);
    *desc = array->channels;
  });
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* desc, hipArray_t array) {
  return api([&] {
    require(desc != nullptr);
    require(live().has(array), hipErrorInvalidHandle);
    *desc = {array->width, array->height, array->format, array->channelCount};
  });
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* desc, hipArray_t array) {
  return api([&] {
    require(desc != nullptr);
    require(live().has(array), hipErrorInvalidHandle);
    *desc = {array->width, array->height, array->depth, array->format, array->channelCount, array->flags};
  });
}

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* mipmapped, const hipChannelFormatDesc* desc,
                                   hipExtent extent, unsigned levels, unsigned flags) {
  return api([&] {
    require(mipmapped != nullptr && desc != nullptr && levels > 0 && levels <= mostLevels(extent, flags));
    auto kept = std::make_unique<hipArray[]>(levels);
    size_t bytes = 0;
    for (unsigned i = 0; i < levels; i++) {
      kept[i] = *shaped(*desc, level(extent, i, flags), flags);
      bytes += room(kept[i]);
    }
    char* data = static_cast<char*>(allocate(Kind::DEVICE, bytes));
    for (unsigned i = 0; i < levels; i++) {
      live().add(&kept[i]);
      kept[i].data = data;
      data += room(kept[i]);
    }
    auto made = std::make_unique<hipMipmappedArray>();
    *made = {};
    made->desc = *desc;
    made->width = static_cast<unsigned>(extent.width);
    made->height = static_cast<unsigned>(extent.height);
    made->depth = static_cast<unsigned>(extent.depth);
    made->max_mipmap_level = levels - 1;
    made->flags = flags;
    made->format = kept[0].format;
    made->num_channels = kept[0].channelCount;
    made->data = kept.release();
    live().add(made.get());
    *mipmapped = made.release();
  });
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array) {
  return api([&] {
    require(array != nullptr);
    require(live().has(array), hipErrorContextIsDestroyed);
    drainAll();
    live().remove(array);
    for (unsigned i = 0; i <= array->max_mipmap_level; i++) live().remove(levelsOf(array) + i);
    release(levelsOf(array)->data);
    delete[] levelsOf(array);
    delete array;
  });
}

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t* mipmapped, HIP_ARRAY3D_DESCRIPTOR* desc,
                                   unsigned levels) {
  return api([&] {
    require(desc != nullptr);
    hipChannelFormatDesc channels = channelsOf(desc->Format, desc->NumChannels);
    hipExtent extent = make_hipExtent(desc->Width, desc->Height, desc->Depth);
    return hipMallocMipmappedArray(mipmapped, &channels, extent, levels, desc->Flags);
  });
}

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t array) {
  return api([&] {
    require(array != nullptr, hipErrorInvalidHandle);
    return hipFreeMipmappedArray(array);
  });
}

hipError_t hipMipmappedArrayGetLevel(hipArray_t* array, hipMipmappedArray_t mipmapped, unsigned level) {
  return hipGetMipmappedArrayLevel(array, mipmapped, level);
}

hipError_t hipGetMipmappedArrayLevel(hipArray_t* array, hipMipmappedArray_const_t mipmapped,
                                     unsigned level) {
  return api([&] {
    require(array != nullptr);
    require(live().has(mipmapped), hipErrorInvalidHandle);
    require(level <= mipmapped->max_mipmap_level);
    *array = levelsOf(mipmapped) + level;
  });
}

hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                              size_t width, size_t height, hipMemcpyKind kind) {
  return toArray(to, x, y, from, pitch, width, height, kind, false, nullptr);
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                   size_t width, size_t height, hipMemcpyKind kind,
                                   hipStream_t stream) {
  return toArray(to, x, y, from, pitch, width, height, kind, true, stream);
}

hipError_t hipMemcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y,
                                size_t width, size_t height, hipMemcpyKind kind) {
  return fromArray(to, pitch, from, x, y, width, height, kind, false, nullptr);
}

hipError_t hipMemcpy2DFromArrayAsync(void* to, size_t pitch, hipArray_const_t from, size_t x,
                                     size_t y, size_t width, size_t height, hipMemcpyKind kind,
                                     hipStream_t stream) {
  return fromArray(to, pitch, from, x, y, width, height, kind, true, stream);
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t to, size_t toX, size_t toY, hipArray_const_t from,
                                   size_t fromX, size_t fromY, size_t width, size_t height,
                                   hipMemcpyKind kind) {
  return api([&] {
    checkRoom(from, fromX, fromY, width, height);
    Plane plane = planeOf(from, fromX, fromY, 0);
    return toArray(to, toX, toY, plane.address, plane.pitch, width, height, kind, false, nullptr);
  });
}

hipError_t hipMemcpyToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                            hipMemcpyKind kind) {
  return api([&] {
    require(to != nullptr, hipErrorInvalidHandle);
    return hipMemcpy(run(to, y * to->rowBytes() + x, bytes), from, bytes, kind);
  });
}

hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t bytes,
                              hipMemcpyKind kind) {
  return api([&] {
    require(from != nullptr, hipErrorInvalidHandle);
    return hipMemcpy(to, run(from, y * from->rowBytes() + x, bytes), bytes, kind);
  });
}

hipError_t hipMemcpyAtoH(void* to, hipArray_t from, size_t offset, size_t bytes) {
  return api([&] { return hipMemcpy(to, run(from, offset, bytes), bytes, hipMemcpyDeviceToHost); });
}

hipError_t hipMemcpyHtoA(hipArray_t to, size_t offset, const void* from, size_t bytes) {
  return api([&] { return hipMemcpy(run(to, offset, bytes), from, bytes, hipMemcpyHostToDevice); });
}

hipError_t hipMemcpyAtoD(hipDeviceptr_t to, hipArray_t from, size_t offset, size_t bytes) {
  return api([&] { return hipMemcpy(to, run(from, offset, bytes), bytes, hipMemcpyDeviceToDevice); });
}

hipError_t hipMemcpyDtoA(hipArray_t to, size_t offset, hipDeviceptr_t from, size_t bytes) {
  return api([&] { return hipMemcpy(run(to, offset, bytes), from, bytes, hipMemcpyDeviceToDevice); });
}

hipError_t hipMemcpyAtoA(hipArray_t to, size_t toOffset, hipArray_t from, size_t fromOffset,
                         size_t bytes) {
  return api([&] {
    return hipMemcpy(run(to, toOffset, bytes), run(from, fromOffset, bytes), bytes, hipMemcpyDeviceToDevice);
  });
}

hipError_t hipMemcpyAtoHAsync(void* to, hipArray_t from, size_t offset, size_t bytes,
                              hipStream_t stream) {
  return api([&] { return hipMemcpyAsync(to, run(from, offset, bytes), bytes, hipMemcpyDeviceToHost, stream); });
}

hipError_t hipMemcpyHtoAAsync(hipArray_t to, size_t offset, const void* from, size_t bytes,
                              hipStream_t stream) {
  return api([&] { return hipMemcpyAsync(run(to, offset, bytes), from, bytes, hipMemcpyHostToDevice, stream); });
}

hipError_t hipMemcpyFromArray_spt(void* to, hipArray_const_t from, size_t x, size_t y, size_t bytes,
                                  hipMemcpyKind kind) {
  return api([&] {
    require(from != nullptr, hipErrorInvalidHandle);
    return hipMemcpyWithStream(to, run(from, y * from->rowBytes() + x, bytes), bytes, kind, hipStreamPerThread);
  });
}

hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t to, size_t x, size_t y, const void* from,
                                       size_t pitch, size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, stream ? stream : hipStreamPerThread);
}

hipError_t hipMemcpy2DToArray_spt(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                  size_t width, size_t height, hipMemcpyKind kind) {
  hipError_t result = hipMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, hipStreamPerThread);
  return result == hipSuccess ? hipStreamSynchronize(hipStreamPerThread) : result;
}

hipError_t hipMemcpy2DFromArrayAsync_spt(void* to, size_t pitch, hipArray_const_t from, size_t x,
                                         size_t y, size_t width, size_t height, hipMemcpyKind kind,
                                         hipStream_t stream) {
  return hipMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, stream ? stream : hipStreamPerThread);
}

hipError_t hipMemcpy2DFromArray_spt(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y,
                                    size_t width, size_t height, hipMemcpyKind kind) {
  hipError_t result = hipMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, hipStreamPerThread);
  return result == hipSuccess ? hipStreamSynchronize(hipStreamPerThread) : result;
}

}  // extern "C"
