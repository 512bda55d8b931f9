#include "copy.h"

#include <string.h>

#include "allocation.h"
#include "capture.h"
#include "device.h"
#include "hip5.h"
#include "registration.h"
#include "session.h"
#include "signatures.h"
#include "stream.h"
#include "touched.h"

namespace rocport {
namespace {

/** Copies of this many bytes from pageable memory are taken at once and done later. */
constexpr size_t SNAPSHOT = 64 << 10;

size_t span(const Plane& plane, const Copy& copy) {
  return (copy.depth - 1) * plane.slice + (copy.height - 1) * plane.pitch + copy.width;
}

bool nothing(const Copy& copy) { return copy.width == 0 || copy.height == 0 || copy.depth == 0; }

/** Checks both sides against what is allocated, and the direction against what they are. */
void check(const Copy& copy, hipMemcpyKind kind) {
  require((kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault) ||
              kind == hipMemcpyDeviceToDeviceNoCU,
          hipErrorInvalidMemcpyDirection);
  if (nothing(copy)) return;
  auto to = checked(copy.to.address, span(copy.to, copy));
  auto from = checked(copy.from.address, span(copy.from, copy));
  bool known = to.has_value() || from.has_value();
  require(known || kind == hipMemcpyHostToHost || kind == hipMemcpyDefault);
}

bool pageable(const void* address) { return !Allocations::get().find(address).has_value(); }

bool onHost(const void* address) {
  auto found = Allocations::get().find(address);
  return !found || found->onHost();
}

/** Whether it is memory of the current GPU, which the program has not declared synchronous. */
bool onGpu(const void* address) {
  auto found = Allocations::get().find(address);
  return found && found->kind == Kind::DEVICE && found->gpu == currentDevice() && !found->synchronous;
}

/** Whether it is between memory of one GPU that the program has not declared synchronous. */
bool staysOnGpu(const Copy& copy) {
  auto to = Allocations::get().find(copy.to.address);
  auto from = Allocations::get().find(copy.from.address);
  return to && from && to->kind == Kind::DEVICE && from->kind == Kind::DEVICE && to->gpu == from->gpu &&
         !to->synchronous && !from->synchronous;
}

void move(const Copy& copy) {
  if (nothing(copy)) return;
  for (size_t z = 0; z < copy.depth; z++) {
    char* to = copy.to.address + z * copy.to.slice;
    const char* from = copy.from.address + z * copy.from.slice;
    if (copy.to.pitch == copy.width && copy.from.pitch == copy.width) {
      memmove(to, from, copy.width * copy.height);
      touchedByCopy(to, from, copy.width * copy.height);
      continue;
    }
    for (size_t y = 0; y < copy.height; y++) {
      memmove(to + y * copy.to.pitch, from + y * copy.from.pitch, copy.width);
      touchedByCopy(to + y * copy.to.pitch, from + y * copy.from.pitch, copy.width);
    }
  }
}

template <class T>
void fillRow(char* row, T value, size_t count) {
  for (size_t i = 0; i < count; i++) memcpy(row + i * sizeof value, &value, sizeof value);
}

void copyNow(Copy copy, hipStream_t stream = nullptr) {
  auto target = streamOf(stream);
  if (!nothing(copy)) forbidWhileCapturing(*target);
  forbidUnsafe();
  if (nothing(copy)) return;
  target->perform(std::move(copy));
}

/** As copyNow in the null stream, but the call does not wait for copies between memory of one GPU. */
void copyInOrder(Copy copy) {
  if (nothing(copy) || !staysOnGpu(copy)) return copyNow(std::move(copy));
  auto target = streamOf(nullptr);
  forbidWhileCapturing(*target);
  forbidUnsafe();
  target->enqueue(std::move(copy));
}

/** Pageable memory of the host may change or be read once the call has returned. Copies on the host are done then. */
void copyLater(Copy copy, hipStream_t stream) {
  auto target = streamOf(stream);
  if (nothing(copy)) return;
  Operation operation = copy;
  if (captured(*target, operation)) return;
  if (pageable(copy.to.address) || (onHost(copy.to.address) && onHost(copy.from.address))) {
    target->perform(std::move(copy));
    return;
  }
  if (pageable(copy.from.address)) {
    size_t bytes = span(copy.from, copy);
    if (bytes > SNAPSHOT) {
      target->perform(std::move(copy));
      return;
    }
    copy.kept = std::shared_ptr<char[]>(new char[bytes]);
    memcpy(copy.kept.get(), copy.from.address, bytes);
    copy.from.address = copy.kept.get();
  }
  target->enqueue(std::move(copy));
}

/** In the null stream. The call does not wait for fills of memory of the current GPU. */
void fillInOrder(const Fill& fill) {
  auto target = legacyStream(currentDevice());
  forbidWhileCapturing(*target);
  forbidUnsafe();
  if (onGpu(fill.to.address)) {
    target->enqueue(fill);
  } else {
    target->perform(fill);
  }
}

Fill fillVolume(hipPitchedPtr to, int value, hipExtent extent) {
  Fill fill = fillOf(to.ptr, static_cast<unsigned char>(value), 1, to.pitch, extent.width,
                     extent.height * extent.depth);
  if (fill.width > 0 && extent.depth > 1) {
    fill.to.slice = to.pitch * to.ysize;
    fill.height = extent.height;
    fill.depth = extent.depth;
    checked(to.ptr, (fill.depth - 1) * fill.to.slice + (fill.height - 1) * fill.to.pitch + fill.width);
  }
  return fill;
}

HIP_MEMCPY3D volume(const hip_Memcpy2D& flat) {
  HIP_MEMCPY3D parms = {};
  parms.srcXInBytes = flat.srcXInBytes;
  parms.srcY = flat.srcY;
  parms.srcMemoryType = flat.srcMemoryType;
  parms.srcHost = flat.srcHost;
  parms.srcDevice = flat.srcDevice;
  parms.srcArray = flat.srcArray;
  parms.srcPitch = flat.srcPitch;
  parms.dstXInBytes = flat.dstXInBytes;
  parms.dstY = flat.dstY;
  parms.dstMemoryType = flat.dstMemoryType;
  parms.dstHost = flat.dstHost;
  parms.dstDevice = flat.dstDevice;
  parms.dstArray = flat.dstArray;
  parms.dstPitch = flat.dstPitch;
  parms.WidthInBytes = flat.WidthInBytes;
  parms.Height = flat.Height;
  parms.Depth = 1;
  return parms;
}

/** One side of a copy of the driver API. */
Plane side(hipMemoryType type, const void* host, hipDeviceptr_t device, hipArray_t array,
           size_t pitch, size_t rows, size_t x, size_t y, size_t z, const HIP_MEMCPY3D& parms) {
  const void* base = nullptr;
  switch (type) {
    case hipMemoryTypeArray:
      require(array != nullptr);
      return planeOf(array, x, y, z);
    case hipMemoryTypeHost:
      base = host;
      break;
    case hipMemoryTypeDevice:
    case hipMemoryTypeUnified:
    case hipMemoryTypeManaged:
      base = device;
      break;
    default:
      fail(hipErrorInvalidValue);
  }
  require(base != nullptr);
  Plane plane;
  plane.pitch = pitch ? pitch : parms.WidthInBytes + x;
  require(plane.pitch >= parms.WidthInBytes + x);
  plane.slice = plane.pitch * (rows ? rows : parms.Height + y);
  plane.address = static_cast<char*>(const_cast<void*>(base)) + z * plane.slice + y * plane.pitch + x;
  return plane;
}

Plane side(hipPitchedPtr pointer, hipPos at, size_t height) {
  Plane plane;
  plane.pitch = pointer.pitch;
  plane.slice = pointer.pitch * (pointer.ysize ? pointer.ysize : height);
  plane.address = static_cast<char*>(pointer.ptr) + at.z * plane.slice + at.y * plane.pitch + at.x;
  return plane;
}

hipStream_t perThread(hipStream_t stream) { return stream ? stream : hipStreamPerThread; }

}  // namespace

void perform(const Copy& copy) { move(copy); }

void perform(const Fill& fill) {
  for (size_t z = 0; z < fill.depth; z++) {
    for (size_t y = 0; y < fill.height; y++) {
      char* row = fill.to.address + z * fill.to.slice + y * fill.to.pitch;
      if (fill.elementSize == 1) {
        memset(row, static_cast<int>(fill.value), fill.width);
      } else if (fill.elementSize == 2) {
        fillRow(row, static_cast<uint16_t>(fill.value), fill.width);
      } else {
        fillRow(row, fill.value, fill.width);
      }
      touchedByWrite(row, fill.width * fill.elementSize);
    }
  }
}

Copy linearCopy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  Copy copy;
  copy.to = {static_cast<char*>(to), bytes, bytes};
  copy.from = {static_cast<char*>(const_cast<void*>(from)), bytes, bytes};
  copy.width = bytes;
  copy.asked.srcPtr = make_hipPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  copy.asked.dstPtr = make_hipPitchedPtr(to, bytes, bytes, 1);
  copy.asked.extent = make_hipExtent(bytes, 1, 1);
  copy.asked.kind = kind;
  check(copy, kind);
  return copy;
}

Copy rowsCopy(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
              size_t height, hipMemcpyKind kind) {
  Copy copy;
  copy.width = width;
  copy.height = height;
  copy.to = {static_cast<char*>(to), toPitch, toPitch * height};
  copy.from = {static_cast<char*>(const_cast<void*>(from)), fromPitch, fromPitch * height};
  copy.asked.srcPtr = make_hipPitchedPtr(const_cast<void*>(from), fromPitch, width, height);
  copy.asked.dstPtr = make_hipPitchedPtr(to, toPitch, width, height);
  copy.asked.extent = make_hipExtent(width, height, 1);
  copy.asked.kind = kind;
  require(nothing(copy) || (toPitch >= width && fromPitch >= width), hipErrorInvalidPitchValue);
  check(copy, kind);
  return copy;
}

Copy volumeCopy(const hipMemcpy3DParms& parms) {
  // Each side is an array or a pointer, never both.
  require((parms.srcArray == nullptr) != (parms.srcPtr.ptr == nullptr));
  require((parms.dstArray == nullptr) != (parms.dstPtr.ptr == nullptr));
  Copy copy;
  // Widths are in array elements if an array takes part, else in bytes; positions are in units of each side.
  const hipArray* counted = parms.srcArray ? parms.srcArray : parms.dstArray;
  size_t unit = counted ? counted->elementSize : 1;
  copy.width = parms.extent.width * unit;
  copy.height = parms.extent.height;
  copy.depth = parms.extent.depth;
  copy.asked = parms;
  if (nothing(copy)) return copy;
  copy.from = parms.srcArray ? planeOf(parms.srcArray, parms.srcPos.x * unit, parms.srcPos.y, parms.srcPos.z)
                             : side(parms.srcPtr, parms.srcPos, copy.height);
  copy.to = parms.dstArray ? planeOf(parms.dstArray, parms.dstPos.x * unit, parms.dstPos.y, parms.dstPos.z)
                           : side(parms.dstPtr, parms.dstPos, copy.height);
  require(copy.from.pitch >= copy.width && copy.to.pitch >= copy.width, hipErrorInvalidPitchValue);
  check(copy, parms.kind);
  return copy;
}

Copy volumeCopy(const HIP_MEMCPY3D& parms) {
  require(parms.srcLOD == 0 && parms.dstLOD == 0);
  Copy copy;
  copy.width = parms.WidthInBytes;
  copy.height = parms.Height;
  copy.depth = parms.Depth;
  if (nothing(copy)) return copy;
  copy.from = side(parms.srcMemoryType, parms.srcHost, parms.srcDevice, parms.srcArray, parms.srcPitch,
                   parms.srcHeight, parms.srcXInBytes, parms.srcY, parms.srcZ, parms);
  copy.to = side(parms.dstMemoryType, parms.dstHost, parms.dstDevice, parms.dstArray, parms.dstPitch,
                 parms.dstHeight, parms.dstXInBytes, parms.dstY, parms.dstZ, parms);
  copy.asked.srcPtr = make_hipPitchedPtr(copy.from.address, copy.from.pitch, copy.width, copy.from.slice / copy.from.pitch);
  copy.asked.dstPtr = make_hipPitchedPtr(copy.to.address, copy.to.pitch, copy.width, copy.to.slice / copy.to.pitch);
  copy.asked.extent = make_hipExtent(copy.width, copy.height, copy.depth);
  copy.asked.kind = hipMemcpyDefault;
  copy.driver = std::make_shared<const HIP_MEMCPY3D>(parms);
  check(copy, hipMemcpyDefault);
  return copy;
}

HIP_MEMCPY3D driverForm(const Copy& copy) {
  if (copy.driver) return *copy.driver;
  const hipMemcpy3DParms& asked = copy.asked;
  HIP_MEMCPY3D parms = {};
  parms.WidthInBytes = copy.width;
  parms.Height = copy.height;
  parms.Depth = copy.depth;
  parms.srcY = asked.srcPos.y;
  parms.srcZ = asked.srcPos.z;
  parms.dstY = asked.dstPos.y;
  parms.dstZ = asked.dstPos.z;
  // Positions are in elements if an array takes part, else in bytes.
  const hipArray* counted = asked.srcArray ? asked.srcArray : asked.dstArray;
  size_t unit = counted ? counted->elementSize : 1;
  parms.srcXInBytes = asked.srcPos.x * (asked.srcArray ? unit : 1);
  parms.dstXInBytes = asked.dstPos.x * (asked.dstArray ? unit : 1);
  if (asked.srcArray) {
    parms.srcMemoryType = hipMemoryTypeArray;
    parms.srcArray = asked.srcArray;
  } else {
    parms.srcMemoryType = pageable(asked.srcPtr.ptr) ? hipMemoryTypeHost : hipMemoryTypeDevice;
    parms.srcHost = asked.srcPtr.ptr;
    parms.srcDevice = asked.srcPtr.ptr;
    parms.srcPitch = asked.srcPtr.pitch;
    parms.srcHeight = asked.srcPtr.ysize;
  }
  if (asked.dstArray) {
    parms.dstMemoryType = hipMemoryTypeArray;
    parms.dstArray = asked.dstArray;
  } else {
    parms.dstMemoryType = pageable(asked.dstPtr.ptr) ? hipMemoryTypeHost : hipMemoryTypeDevice;
    parms.dstHost = asked.dstPtr.ptr;
    parms.dstDevice = asked.dstPtr.ptr;
    parms.dstPitch = asked.dstPtr.pitch;
    parms.dstHeight = asked.dstPtr.ysize;
  }
  return parms;
}

Copy symbolCopyTo(const void* symbol, const void* from, size_t bytes, size_t offset,
                  hipMemcpyKind kind) {
  Variable variable = variableOfHost(symbol, currentDevice());
  require(offset <= variable.size && bytes <= variable.size - offset);
  require(kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault,
          hipErrorInvalidMemcpyDirection);
  return linearCopy(reinterpret_cast<void*>(variable.address + offset), from, bytes, kind);
}

Copy symbolCopyFrom(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  Variable variable = variableOfHost(symbol, currentDevice());
  require(offset <= variable.size && bytes <= variable.size - offset);
  require(kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault,
          hipErrorInvalidMemcpyDirection);
  return linearCopy(to, reinterpret_cast<const void*>(variable.address + offset), bytes, kind);
}

Fill fillOf(void* to, uint32_t value, uint32_t elementSize, size_t pitch, size_t width,
            size_t height) {
  require(elementSize == 1 || elementSize == 2 || elementSize == 4);
  Fill fill;
  fill.value = value;
  fill.elementSize = elementSize;
  fill.width = width;
  fill.height = height;
  size_t row = width * elementSize;
  fill.to = {static_cast<char*>(to), height > 1 ? pitch : row, 0};
  if (width == 0 || height == 0) {
    fill.width = fill.height = 0;
    return fill;
  }
  require(fill.to.pitch >= row);
  require(reinterpret_cast<uintptr_t>(to) % elementSize == 0);
  // The device cannot fill pageable host memory.
  require(checked(to, (height - 1) * fill.to.pitch + row).has_value());
  return fill;
}

hipMemsetParams described(const Fill& fill) {
  hipMemsetParams params = {};
  params.dst = fill.to.address;
  params.elementSize = fill.elementSize;
  params.height = fill.height;
  params.pitch = fill.to.pitch;
  params.value = fill.value;
  params.width = fill.width;
  return params;
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return api([&] { copyInOrder(linearCopy(to, from, bytes, kind)); });
}

hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream) {
  return api([&] { copyNow(linearCopy(to, from, bytes, kind), stream); });
}

hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return api([&] { copyLater(linearCopy(to, from, bytes, kind), stream); });
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t to, HostBytes from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, HostBytes from, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes,
                              hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t bytes) {
  return api([&] {
    Session::get().gpu(toDevice);
    Session::get().gpu(fromDevice);
    copyNow(linearCopy(to, from, bytes, hipMemcpyDeviceToDevice));
  });
}

hipError_t hipMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                              size_t bytes, hipStream_t stream) {
  return api([&] {
    Session::get().gpu(toDevice);
    Session::get().gpu(fromDevice);
    copyLater(linearCopy(to, from, bytes, hipMemcpyDeviceToDevice), stream);
  });
}

hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                             hipMemcpyKind kind) {
  return api([&] { copyNow(symbolCopyTo(symbol, from, bytes, offset, kind)); });
}

hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { copyLater(symbolCopyTo(symbol, from, bytes, offset, kind), stream); });
}

hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                               hipMemcpyKind kind) {
  return api([&] { copyNow(symbolCopyFrom(to, symbol, bytes, offset, kind)); });
}

hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { copyLater(symbolCopyFrom(to, symbol, bytes, offset, kind), stream); });
}

hipError_t hipMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return api([&] { copyNow(rowsCopy(to, toPitch, from, fromPitch, width, height, kind)); });
}

hipError_t hipMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                            size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { copyLater(rowsCopy(to, toPitch, from, fromPitch, width, height, kind), stream); });
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D* parms) {
  const void* caller = CALLER;
  return api([&] {
    require(parms != nullptr);
    copyNow(volumeCopy(volume(converted(*parms, caller))));
  });
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* parms, hipStream_t stream) {
  const void* caller = CALLER;
  return api([&] {
    require(parms != nullptr);
    copyLater(volumeCopy(volume(converted(*parms, caller))), stream);
  });
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* parms) {
  const void* caller = CALLER;
  return api([&] {
    require(parms != nullptr);
    copyNow(volumeCopy(volume(converted(*parms, caller))));
  });
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms* parms) {
  return api([&] {
    require(parms != nullptr);
    copyNow(volumeCopy(*parms));
  });
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* parms, hipStream_t stream) {
  return api([&] {
    require(parms != nullptr);
    copyLater(volumeCopy(*parms), stream);
  });
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* parms) {
  const void* caller = CALLER;
  return api([&] {
    require(parms != nullptr);
    copyNow(volumeCopy(converted(*parms, caller)));
  });
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* parms, hipStream_t stream) {
  const void* caller = CALLER;
  return api([&] {
    require(parms != nullptr);
    copyLater(volumeCopy(converted(*parms, caller)), stream);
  });
}

hipError_t hipMemset(void* to, int value, size_t bytes) {
  return api([&] { fillInOrder(fillOf(to, static_cast<unsigned char>(value), 1, 0, bytes, 1)); });
}

hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream) {
  return api([&] { submit(stream, fillOf(to, static_cast<unsigned char>(value), 1, 0, bytes, 1)); });
}

hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return api([&] { fillInOrder(fillOf(to, value, 1, 0, count, 1)); });
}

hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count,
                            hipStream_t stream) {
  return api([&] { submit(stream, fillOf(to, value, 1, 0, count, 1)); });
}

hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return api([&] { fillInOrder(fillOf(to, value, 2, 0, count, 1)); });
}

hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count,
                             hipStream_t stream) {
  return api([&] { submit(stream, fillOf(to, value, 2, 0, count, 1)); });
}

hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return api([&] { fillInOrder(fillOf(to, static_cast<uint32_t>(value), 4, 0, count, 1)); });
}

hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream) {
  return api([&] { submit(stream, fillOf(to, static_cast<uint32_t>(value), 4, 0, count, 1)); });
}

hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return api([&] { fillInOrder(fillOf(to, static_cast<unsigned char>(value), 1, pitch, width, height)); });
}

hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
  return api([&] {
    submit(stream, fillOf(to, static_cast<unsigned char>(value), 1, pitch, width, height));
  });
}

hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return api([&] { fillInOrder(fillVolume(to, value, extent)); });
}

hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return api([&] { submit(stream, fillVolume(to, value, extent)); });
}

// With -fgpu-default-stream=per-thread the headers call these.

hipError_t hipMemcpy_spt(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return hipMemcpyWithStream(to, from, bytes, kind, hipStreamPerThread);
}

hipError_t hipMemcpyAsync_spt(void* to, const void* from, size_t bytes, hipMemcpyKind kind,
                              hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, kind, perThread(stream));
}

hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* from, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  return api([&] { copyNow(symbolCopyTo(symbol, from, bytes, offset, kind), hipStreamPerThread); });
}

hipError_t hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, size_t bytes,
                                      size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, perThread(stream));
}

hipError_t hipMemcpyFromSymbol_spt(void* to, const void* symbol, size_t bytes, size_t offset,
                                   hipMemcpyKind kind) {
  return api([&] { copyNow(symbolCopyFrom(to, symbol, bytes, offset, kind), hipStreamPerThread); });
}

hipError_t hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, size_t bytes, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, perThread(stream));
}

hipError_t hipMemcpy2D_spt(void* to, size_t toPitch, const void* from, size_t fromPitch,
                           size_t width, size_t height, hipMemcpyKind kind) {
  return api([&] {
    copyNow(rowsCopy(to, toPitch, from, fromPitch, width, height, kind), hipStreamPerThread);
  });
}

hipError_t hipMemcpy2DAsync_spt(void* to, size_t toPitch, const void* from, size_t fromPitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
  return hipMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, perThread(stream));
}

hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* parms) {
  return api([&] {
    require(parms != nullptr);
    copyNow(volumeCopy(*parms), hipStreamPerThread);
  });
}

hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms* parms, hipStream_t stream) {
  return hipMemcpy3DAsync(parms, perThread(stream));
}

hipError_t hipMemsetAsync_spt(void* to, int value, size_t bytes, hipStream_t stream) {
  return hipMemsetAsync(to, value, bytes, perThread(stream));
}

hipError_t hipMemset_spt(void* to, int value, size_t bytes) {
  hipError_t result = hipMemsetAsync(to, value, bytes, hipStreamPerThread);
  return result == hipSuccess ? hipStreamSynchronize(hipStreamPerThread) : result;
}

hipError_t hipMemset2DAsync_spt(void* to, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
  return hipMemset2DAsync(to, pitch, value, width, height, perThread(stream));
}

hipError_t hipMemset2D_spt(void* to, size_t pitch, int value, size_t width, size_t height) {
  hipError_t result = hipMemset2DAsync(to, pitch, value, width, height, hipStreamPerThread);
  return result == hipSuccess ? hipStreamSynchronize(hipStreamPerThread) : result;
}

hipError_t hipMemset3DAsync_spt(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return hipMemset3DAsync(to, value, extent, perThread(stream));
}

hipError_t hipMemset3D_spt(hipPitchedPtr to, int value, hipExtent extent) {
  hipError_t result = hipMemset3DAsync(to, value, extent, hipStreamPerThread);
  return result == hipSuccess ? hipStreamSynchronize(hipStreamPerThread) : result;
}

}  // extern "C"
