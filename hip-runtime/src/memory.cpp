#include "memory.h"

#include <algorithm>

#include "capture.h"
#include "device.h"
#include "external.h"
#include "graphmemory.h"
#include "hip5.h"
#include "pool.h"
#include "session.h"
#include "stream.h"
#include "turns.h"
#include "virtual.h"

namespace rocport {
namespace {

constexpr size_t PAGE = 4096;

/** Rows of pitched memory begin at multiples of this. */
constexpr size_t PITCH = 256;

uint32_t kindOf(Kind kind) {
  switch (kind) {
    case Kind::HOST:
    case Kind::REGISTERED:
      return 1;
    case Kind::MANAGED:
      return 2;
    case Kind::FINE_GRAINED:
      return 3;
    default:
      return 0;
  }
}

void give(void** address, Kind kind, size_t bytes, unsigned flags = 0) {
  require(address != nullptr);
  forbidUnsafe();
  *address = nullptr;
  *address = allocate(kind, bytes, flags);
}

void giveHost(void** address, size_t bytes, unsigned flags) {
  constexpr unsigned KNOWN = hipHostMallocPortable | hipHostMallocMapped |
                             hipHostMallocWriteCombined | hipHostMallocNumaUser |
                             hipHostMallocCoherent | hipHostMallocNonCoherent;
  require((flags & ~KNOWN) == 0);
  require((flags & hipHostMallocCoherent) == 0 || (flags & hipHostMallocNonCoherent) == 0);
  give(address, Kind::HOST, bytes, flags);
}

void giveBack(void* address, bool host) {
  if (address == nullptr) return;
  forbidUnsafe();
  auto found = Allocations::get().find(address);
  require(found && (found->start == reinterpret_cast<uintptr_t>(address) || found->kind == Kind::MAPPED));
  if (!host && found->kind == Kind::IPC && found->pool) {
    drainAll();
    return closeImported(found->start);
  }
  if (!host && found->kind == Kind::MAPPED) return freeExternal(address);
  require(found->kind != Kind::VARIABLE && found->kind != Kind::REGISTERED &&
          found->kind != Kind::IPC);
  require(!host || found->kind == Kind::HOST);
  // Running work may still use it.
  if (found->kind == Kind::HOST || found->kind == Kind::MANAGED) {
    drainAll();
  } else {
    drainDevice(found->gpu);
  }
  if (auto allocated = graphMemoryFreed(address)) return require(*allocated);
  if (found->pool) return found->pool->giveBack(address);
  release(address);
}

void givePitched(void** address, size_t* pitch, size_t width, size_t rows) {
  require(address != nullptr && pitch != nullptr && width <= SIZE_MAX - PITCH);
  size_t row = (width + PITCH - 1) / PITCH * PITCH;
  size_t bytes;
  require(!__builtin_mul_overflow(row, rows, &bytes), hipErrorOutOfMemory);
  give(address, Kind::DEVICE, bytes);
  *pitch = row;
}

/** Asks for memory; again, if there is not enough, without what pools keep. */
Reader allocated(const Writer& request) {
  try {
    return Session::get().call(Message::ALLOC, request);
  } catch (const Failure& failure) {
    if (failure.code != hipErrorOutOfMemory || !emptyPools()) throw;
  }
  return Session::get().call(Message::ALLOC, request);
}

hipMemoryType typeOf(const Allocation& allocation) {
  switch (allocation.kind) {
    case Kind::HOST:
    case Kind::REGISTERED:
      return hipMemoryTypeHost;
    case Kind::MANAGED:
      return hipMemoryTypeManaged;
    default:
      return hipMemoryTypeDevice;
  }
}

uintptr_t deviceAddress(const Allocation& allocation, const void* pointer) {
  return allocation.device + (reinterpret_cast<uintptr_t>(pointer) - allocation.start);
}

bool seenByHost(const Allocation& allocation) {
  return allocation.onHost() || allocation.kind == Kind::MANAGED;
}

void pointerAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t pointer, const void* caller) {
  auto found = Allocations::get().find(pointer);
  require(found.has_value());
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(data) = isHip5(caller) ? inHip5(typeOf(*found)) : typeOf(*found);
      return;
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<void**>(data) = reinterpret_cast<void*>(deviceAddress(*found, pointer));
      return;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      require(seenByHost(*found));
      *static_cast<void**>(data) = pointer;
      return;
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      *static_cast<bool*>(data) = found->synchronous;
      return;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(data) = found->start;
      return;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(data) = found->kind == Kind::MANAGED;
      return;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(data) = found->gpu;
      return;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<void**>(data) = reinterpret_cast<void*>(found->start);
      return;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(data) = found->size;
      return;
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<bool*>(data) = true;
      return;
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      *static_cast<unsigned*>(data) = 
          found->kind == Kind::MAPPED ? accessAt(pointer, found->gpu) : hipMemAccessFlagsProtReadWrite;
      return;
    default:
      fail(hipErrorNotSupported);
  }
}

}  // namespace

void* allocate(Kind kind, size_t bytes, unsigned flags, size_t align) {
  if (bytes == 0) return nullptr;
  require(bytes <= PTRDIFF_MAX, hipErrorOutOfMemory);
  int gpu = currentDevice();
  // Protection applies to whole pages.
  if (late() && (kind == Kind::HOST || kind == Kind::MANAGED)) align = std::max(align, PAGE);
  Writer request;
  request.u32(static_cast<uint32_t>(gpu)).u32(kindOf(kind)).u64(bytes).u64(align);
  Reader reply = allocated(request);
  Allocation made;
  made.start = made.device = reply.u64();
  made.size = bytes;
  made.kind = kind;
  made.gpu = gpu;
  made.flags = flags;
  Allocations::get().add(made);
  return reinterpret_cast<void*>(made.start);
}

void closeImported(uintptr_t start) {
  Session::get().call(Message::IPC_CLOSE, Writer().u64(start));
  auto known = Allocations::get().find(start);
  if (known && known->kind == Kind::IPC) Allocations::get().remove(start);
}

void release(const void* address) {
  auto start = reinterpret_cast<uintptr_t>(address);
  auto removed = Allocations::get().remove(start);
  require(removed.has_value());
  if (removed->kind == Kind::MANAGED) forgetAdvice(start);
  Session::get().call(Message::FREE, Writer().u64(removed->device));
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipMalloc(void** address, size_t bytes) {
  return api([&] { give(address, Kind::DEVICE, bytes); });
}

hipError_t hipExtMallocWithFlags(void** address, size_t bytes, unsigned flags) {
  return api([&] {
    switch (flags) {
      case hipDeviceMallocDefault:
      case hipDeviceMallocContiguous:
        return give(address, Kind::DEVICE, bytes, flags);
      case hipDeviceMallocFinegrained:
      case hipDeviceMallocUncached:
        return give(address, Kind::FINE_GRAINED, bytes, flags);
      case hipMallocSignalMemory:
        require(bytes == 8);
        return give(address, Kind::HOST, bytes, flags);
      default:
        fail(hipErrorInvalidValue);
    }
  });
}

hipError_t hipMallocManaged(void** address, size_t bytes, unsigned flags) {
  return api([&] {
    require(bytes > 0);
    require(flags == hipMemAttachGlobal || flags == hipMemAttachHost);
    give(address, Kind::MANAGED, bytes, flags);
  });
}

hipError_t hipHostMalloc(void** address, size_t bytes, unsigned flags) {
  return api([&] { giveHost(address, bytes, flags); });
}

hipError_t hipHostAlloc(void** address, size_t bytes, unsigned flags) {
  return hipHostMalloc(address, bytes, flags);
}

hipError_t hipMallocHost(void** address, size_t bytes) { return hipHostMalloc(address, bytes, 0); }

hipError_t hipMemAllocHost(void** address, size_t bytes) {
  return hipHostMalloc(address, bytes, 0);
}

hipError_t hipMallocPitch(void** address, size_t* pitch, size_t width, size_t height) {
  return api([&] { givePitched(address, pitch, width, height); });
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* address, size_t* pitch, size_t width, size_t height,
                            unsigned elementSize) {
  return api([&] {
    require(elementSize == 4 || elementSize == 8 || elementSize == 16);
    givePitched(address, pitch, width, height);
  });
}

hipError_t hipMalloc3D(hipPitchedPtr* pitched, hipExtent extent) {
  return api([&] {
    require(pitched != nullptr);
    void* address = nullptr;
    size_t pitch = 0;
    size_t rows;
    require(!__builtin_mul_overflow(extent.height, extent.depth, &rows), hipErrorOutOfMemory);
    givePitched(&address, &pitch, extent.width, rows);
    *pitched = make_hipPitchedPtr(address, pitch, extent.width, extent.height);
  });
}

hipError_t hipFree(void* address) {
  return api([&] { giveBack(address, false); });
}

hipError_t hipHostFree(void* address) {
  return api([&] { giveBack(address, true); });
}

hipError_t hipFreeHost(void* address) { return hipHostFree(address); }

hipError_t hipHostGetFlags(unsigned* flags, void* address) {
  return api([&] {
    require(flags != nullptr);
    auto found = Allocations::get().find(address);
    require(found && found->onHost());
    *flags = found->flags;
  });
}

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api([&] {
    require(device != nullptr && host != nullptr && flags == 0);
    auto found = Allocations::get().find(host);
    require(found && (found->onHost() || found->kind == Kind::MANAGED));
    *device = reinterpret_cast<void*>(deviceAddress(*found, host));
  });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return api([&] {
    Reader reply = Session::get().call(
        Message::MEMINFO, Writer().u32(static_cast<uint32_t>(currentDevice())));
    uint64_t freeBytes = reply.u64();
    uint64_t totalBytes = reply.u64();
    if (free) *free = freeBytes;
    if (total) *total = totalBytes;
  });
}

hipError_t hipMemPtrGetInfo(void* address, size_t* size) {
  return api([&] {
    require(address != nullptr && size != nullptr);
    auto found = Allocations::get().find(address);
    require(found.has_value());
    *size = found->size;
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t address) {
  return api([&] {
    auto found = Allocations::get().find(address);
    require(found.has_value(), hipErrorNotFound);
    if (base) *base = reinterpret_cast<void*>(found->start);
    if (size) *size = found->size;
  });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  bool hip5 = isHip5(CALLER);
  return api([&] {
    require(attributes != nullptr && pointer != nullptr);
    *attributes = {};
    auto found = Allocations::get().find(pointer);
    if (!found) {
      require(!hip5);
      require(!Session::get().shares(reinterpret_cast<uintptr_t>(pointer)));
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = hipInvalidDeviceId;
      return;
    }
    hipMemoryType type = typeOf(*found);
    attributes->type = hip5 ? static_cast<hipMemoryType>(inHip5(type)) : type;
    attributes->device = found->gpu;
    attributes->devicePointer = reinterpret_cast<void*>(deviceAddress(*found, pointer));
    if (found->onHost() || found->kind == Kind::MANAGED) {
      attributes->hostPointer = const_cast<void*>(pointer);
    }
    attributes->isManaged = found->kind == Kind::MANAGED;
    attributes->allocationFlags = found->flags;
  });
}

hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute,
                                  hipDeviceptr_t pointer) {
  const void* caller = CALLER;
  return api([&] {
    require(data != nullptr && pointer != nullptr);
    pointerAttribute(data, attribute, pointer, caller);
  });
}

hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                  hipDeviceptr_t pointer) {
  return api([&] {
    require(value != nullptr && pointer != nullptr && attribute == HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS);
    auto found = Allocations::get().find(pointer);
    require(found.has_value(), hipErrorInvalidDevicePointer);
    found->synchronous = *static_cast<const bool*>(value);
    Allocations::get().add(*found);
  });
}

hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t pointer) {
  const void* caller = CALLER;
  return api([&] {
    require(count > 0 && attributes != nullptr && data != nullptr && pointer != nullptr);
    auto found = Allocations::get().find(pointer);
    for (unsigned i = 0; i < count; i++) {
      if (attributes[i] == HIP_POINTER_ATTRIBUTE_HOST_POINTER && found && !seenByHost(*found)) {
        *static_cast<void**>(data[i]) = nullptr;
      } else {
        pointerAttribute(data[i], attributes[i], pointer, caller);
      }
    }
  });
}

}  // extern "C"
