// The functions for memory pools.
#include "pool.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "allocation.h"
#include "capture.h"
#include "descriptor.h"
#include "device.h"
#include "graph.h"
#include "graphmemory.h"
#include "memory.h"
#include "session.h"
#include "stream.h"

namespace rocport {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<int, std::shared_ptr<Pool>> byDefault;
  std::map<int, Pool*> chosen;
  std::map<Pool*, std::shared_ptr<Pool>> made;
};

Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

Pool* defaultPool(int device) {
  Session::get().gpu(device);
  std::lock_guard lock(registry().mutex);
  auto& pool = registry().byDefault[device];
  if (!pool) pool = std::make_shared<Pool>(device);
  return pool.get();
}

Pool* currentPool(int device) {
  Pool* otherwise = defaultPool(device);
  std::lock_guard lock(registry().mutex);
  auto chosen = registry().chosen.find(device);
  return chosen == registry().chosen.end() ? otherwise : chosen->second;
}

Pool* poolOf(hipMemPool_t handle) {
  auto* pool = reinterpret_cast<Pool*>(handle);
  std::lock_guard lock(registry().mutex);
  for (const auto& [device, known] : registry().byDefault) {
    if (known.get() == pool) return pool;
  }
  require(registry().made.count(pool) != 0);
  return pool;
}

hipMemPool_t handle(Pool* pool) { return reinterpret_cast<hipMemPool_t>(pool); }

hipMemPool_t add(std::shared_ptr<Pool> pool) {
  Pool* added = pool.get();
  std::lock_guard lock(registry().mutex);
  registry().made[added] = std::move(pool);
  return handle(added);
}

std::vector<std::shared_ptr<Pool>> pools() {
  std::lock_guard lock(registry().mutex);
  std::vector<std::shared_ptr<Pool>> all;
  for (const auto& [device, pool] : registry().byDefault) all.push_back(pool);
  for (const auto& [handle, pool] : registry().made) all.push_back(pool);
  return all;
}

void allocateInOrder(void** address, size_t bytes, Pool* pool, hipStream_t stream) {
  require(address != nullptr);
  *address = nullptr;
  auto target = streamOf(stream, hipErrorInvalidHandle);
  if (isCapturing(*target)) {
    *address = captureAllocation(*target, bytes);
    return;
  }
  // Memory that unordered commands still use is not free yet, so an allocation may start at once.
  *address = pool->take(bytes, *target);
}

}  // namespace

void trimPools() {
  if (!Pool::anyIdle()) return;
  for (const auto& pool : pools()) pool->synchronized();
}

bool emptyPools() {
  if (!Pool::anyIdle()) return false;
  bool any = false;
  for (const auto& pool : pools()) any |= pool->empty();
  return any;
}

void resetPools(int device) {
  for (const auto& pool : pools()) {
    if (pool->device == device) pool->reset();
  }
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipMallocAsync(void** address, size_t bytes, hipStream_t stream) {
  return api([&] {
    allocateInOrder(address, bytes, currentPool(streamOf(stream, hipErrorInvalidHandle)->device), stream);
  });
}

hipError_t hipMallocFromPoolAsync(void** address, size_t bytes, hipMemPool_t pool,
                                  hipStream_t stream) {
  return api([&] { allocateInOrder(address, bytes, poolOf(pool), stream); });
}

hipError_t hipFreeAsync(void* address, hipStream_t stream) {
  return api([&] {
    if (address == nullptr) return;
    auto target = streamOf(stream, hipErrorInvalidHandle);
    if (captured(*target, FreeNode{address})) return;
    auto found = Allocations::get().find(address);
    require(found && found->start == reinterpret_cast<uintptr_t>(address));
    if (found->kind == Kind::IPC) {
      // A free by the importer; the owner keeps the memory.
      require(found->pool != nullptr);
      target->enqueue(Task{[start = found->start] { closeImported(start); }});
      return;
    }
    require(found->kind == Kind::DEVICE || found->kind == Kind::FINE_GRAINED || found->kind == Kind::MANAGED);
    if (found->pool) return found->pool->giveBack(address, *target);
    target->enqueue(Task{[address] {
      if (!graphMemoryFreed(address)) release(address);
    }});
  });
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* props) {
  return api([&] {
    require(pool != nullptr && props != nullptr);
    require(props->allocType == hipMemAllocationTypePinned &&
            props->location.type == hipMemLocationTypeDevice);
    require(props->handleTypes == hipMemHandleTypeNone ||
                props->handleTypes == hipMemHandleTypePosixFileDescriptor,
            hipErrorNotSupported);
    require(props->location.id >= 0 && props->location.id < Session::get().count());
    *pool = add(std::make_shared<Pool>(props->location.id, props->handleTypes, false, props->maxSize));
  });
}

hipError_t hipMemPoolDestroy(hipMemPool_t given) {
  return api([&] {
    Pool* pool = poolOf(given);
    drainDevice(pool->device);
    std::shared_ptr<Pool> gone;
    {
      std::lock_guard lock(registry().mutex);
      require(registry().made.count(pool) != 0);
      for (auto chosen = registry().chosen.begin(); chosen != registry().chosen.end();) {
        chosen = chosen->second == pool ? registry().chosen.erase(chosen) : std::next(chosen);
      }
      gone = registry().made[pool];
      registry().made.erase(pool);
    }
    gone->dissolve();  // allocations outlive their pool
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    require(pool != nullptr);
    *pool = handle(defaultPool(device));
  });
}

hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    require(pool != nullptr && device >= 0 && device < Session::get().count());
    *pool = handle(currentPool(device));
  });
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t given) {
  return api([&] {
    Pool* pool = poolOf(given);
    require(pool->device == device);
    std::lock_guard lock(registry().mutex);
    registry().chosen[device] = pool;
  });
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t least) {
  return api([&] { poolOf(pool)->trim(least); });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr name, void* value) {
  return api([&] {
    require(value != nullptr);
    poolOf(pool)->set(name, value);
  });
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr name, void* value) {
  return api([&] {
    require(value != nullptr);
    poolOf(pool)->get(name, value);
  });
}

hipError_t hipMemPoolSetAccess(hipMemPool_t given, const hipMemAccessDesc* access, size_t count) {
  return api([&] {
    require(count == 0 || access != nullptr);
    Pool* pool = poolOf(given);
    for (size_t i = 0; i < count; i++) {
      require(access[i].location.type == hipMemLocationTypeDevice);
      require(access[i].flags == hipMemAccessFlagsProtNone || access[i].flags == hipMemAccessFlagsProtRead ||
              access[i].flags == hipMemAccessFlagsProtReadWrite);
      Session::get().gpu(access[i].location.id);
      // Other GPUs can access the memory of a pool once they have access to the memory of this GPU.
      require(access[i].location.id == pool->device || access[i].flags != hipMemAccessFlagsProtRead,
              hipErrorNotSupported);
      pool->access[access[i].location.id] = access[i].flags;
      if (access[i].location.id != pool->device && access[i].flags == hipMemAccessFlagsProtReadWrite) {
        Session::get().call(Message::PEER, Writer()
                                               .u32(static_cast<uint32_t>(access[i].location.id))
                                               .u32(static_cast<uint32_t>(pool->device))
                                               .u32(1));
      }
    }
  });
}

// The descriptor of a pool identifies its GPU; allocations are imported one by one.
hipError_t hipMemPoolExportToShareableHandle(void* shared, hipMemPool_t given,
                                             hipMemAllocationHandleType type, unsigned flags) {
  return api([&] {
    require(shared != nullptr && flags == 0);
    Pool* pool = poolOf(given);
    require(type == hipMemHandleTypePosixFileDescriptor && (pool->handles & type) != 0);
    Handle name = {};
    name[0] = static_cast<unsigned char>(pool->device);
    *static_cast<int*>(shared) = descriptorOf(Shared::POOL, name);
  });
}

// For pools, every HIP version passes the number of the descriptor as a pointer.
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* pool, void* shared,
                                               hipMemAllocationHandleType type, unsigned flags) {
  return api([&] {
    require(pool != nullptr && flags == 0 && type == hipMemHandleTypePosixFileDescriptor);
    int descriptor = static_cast<int>(reinterpret_cast<uintptr_t>(shared));
    int device = handleIn(descriptor, Shared::POOL)[0];
    Session::get().gpu(device);
    *pool = add(std::make_shared<Pool>(device, hipMemHandleTypeNone, true));
  });
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData* data, void* address) {
  return api([&] {
    require(data != nullptr && address != nullptr);
    auto found = Allocations::get().find(address);
    require(found && found->start == reinterpret_cast<uintptr_t>(address));
    require(found->pool != nullptr && found->pool->handles != hipMemHandleTypeNone);
    Reader reply = Session::get().call(Message::IPC_EXPORT, Writer().u64(found->start));
    memcpy(data->reserved, reply.take(sizeof data->reserved), sizeof data->reserved);
  });
}

hipError_t hipMemPoolImportPointer(void** address, hipMemPool_t given, hipMemPoolPtrExportData* data) {
  return api([&] {
    require(address != nullptr && data != nullptr);
    Pool* pool = poolOf(given);
    require(pool->foreign);
    Writer request;
    request.raw(data->reserved, sizeof data->reserved).u32(static_cast<uint32_t>(pool->device));
    Reader reply = Session::get().call(Message::IPC_OPEN, request);
    Allocation opened;
    opened.start = opened.device = reply.u64();
    opened.size = reply.u64();
    opened.kind = Kind::IPC;
    opened.gpu = pool->device;
    opened.pool = pool;
    // If the allocating process imports it, the original entry remains.
    if (!Allocations::get().find(opened.start)) Allocations::get().add(opened);
    *address = reinterpret_cast<void*>(opened.start);
  });
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t given,
                               hipMemLocation* location) {
  return api([&] {
    require(flags != nullptr && location != nullptr && location->type == hipMemLocationTypeDevice);
    require(location->id >= 0 && location->id < Session::get().count());
    Pool* pool = poolOf(given);
    auto kept = pool->access.find(location->id);
    *flags = kept != pool->access.end()     ? kept->second
             : location->id == pool->device ? hipMemAccessFlagsProtReadWrite
                                            : hipMemAccessFlagsProtNone;
  });
}

}  // extern "C"
