#include "virtual.h"

#include <string.h>
#include <sys/mman.h>

#include <map>
#include <memory>
#include <mutex>

#include "allocation.h"
#include "capture.h"
#include "descriptor.h"
#include "device.h"
#include "stream.h"

namespace rocport {
namespace {

/** Sizes of memory and of reservations are multiples of a page. */
constexpr size_t PAGE = 4096;

/** What ROCm recommends for memory of these GPUs: the pages of 2 MiB that their drivers prefer. */
constexpr size_t RECOMMENDED = 2 << 20;

/** What a hipMemGenericAllocationHandle_t points to. */
struct Memory {
  uint64_t name;  // its address in the arena
  size_t size;
  hipMemAllocationProp properties;
  unsigned holders = 1;  // of the program
  unsigned mappings = 0;
};

struct Mapping {
  size_t size;
  size_t offset;
  Memory* memory;
  std::map<int, hipMemAccessFlags> access;

  bool accessible() const { return !access.empty(); }
};

struct Table {
  std::mutex mutex;
  std::map<uintptr_t, size_t> reserved;
  std::map<uintptr_t, Mapping> mapped;
  std::map<Memory*, std::unique_ptr<Memory>> memories;
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

hipMemGenericAllocationHandle_t handleOf(Memory* memory) {
  return reinterpret_cast<hipMemGenericAllocationHandle_t>(memory);
}

// The functions below that access the table require its lock to be held.

Memory& memoryOf(hipMemGenericAllocationHandle_t handle) {
  auto* memory = reinterpret_cast<Memory*>(handle);
  require(memory != nullptr && table().memories.count(memory) != 0);
  require(memory->holders > 0);
  return *memory;
}

hipMemGenericAllocationHandle_t add(uint64_t name, size_t size, const hipMemAllocationProp& properties) {
  auto memory = std::make_unique<Memory>(Memory{name, size, properties});
  Memory* added = memory.get();
  table().memories[added] = std::move(memory);
  return handleOf(added);
}

void drop(Memory* memory) {
  if (memory->holders > 0 || memory->mappings > 0) return;
  Session::get().call(Message::RELEASE, Writer().u64(memory->name));
  table().memories.erase(memory);
}

/** Makes these pages of the process inaccessible. */
void seal(uintptr_t address, size_t size, int how) {
  void* want = reinterpret_cast<void*>(address);
  void* got = mmap(want, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0);
  require(got == want, hipErrorOutOfMemory);
}

uintptr_t reserve(size_t size, size_t align) {
  Session& session = Session::get();
  uintptr_t address = session.call(Message::RESERVE, Writer().u64(size).u64(align)).u64();
  try {
    seal(address, size, MAP_FIXED_NOREPLACE);
  } catch (const Failure&) {
    session.call(Message::UNRESERVE, Writer().u64(address));
    throw;
  }
  table().reserved[address] = size;
  return address;
}

void unreserve(uintptr_t address) {
  auto found = table().reserved.find(address);
  require(found != table().reserved.end());
  Session::get().call(Message::UNRESERVE, Writer().u64(address));
  munmap(reinterpret_cast<void*>(address), found->second);
  table().reserved.erase(found);
}

void map(uintptr_t address, size_t size, size_t offset, Memory& memory) {
  Session::get().call(Message::MAP,
                      Writer().u64(address).u64(memory.name).u64(offset).u64(size));
  memory.mappings++;
  table().mapped[address] = Mapping{size, offset, &memory, {}};
}

/** The host writes there where a GPU may. */
void protect(uintptr_t address, const Mapping& mapping) {
  bool writable = false;
  for (const auto& [gpu, flags] : mapping.access) writable |= flags == hipMemAccessFlagsProtReadWrite;
  int how = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  require(mprotect(reinterpret_cast<void*>(address), mapping.size, how) == 0, hipErrorOperatingSystem);
}

void allow(uintptr_t address, Mapping& mapping, int gpu, hipMemAccessFlags flags) {
  bool before = mapping.accessible();
  Session::get().call(Message::ACCESS, Writer().u64(address).u32(static_cast<uint32_t>(gpu)).u32(flags));
  if (flags != hipMemAccessFlagsProtNone) {
    mapping.access[gpu] = flags;
  } else {
    mapping.access.erase(gpu);
  }
  if (!mapping.accessible()) {
    if (!before) return;
    Allocations::get().remove(address);
    seal(address, mapping.size, MAP_FIXED);
    return;
  }
  if (before) return protect(address, mapping);
  Session::get().alias(mapping.memory->name + mapping.offset, address, mapping.size);
  Allocation known;
  known.start = known.device = address;
  known.size = mapping.size;
  known.kind = Kind::MAPPED;
  known.gpu = mapping.memory->properties.location.id;
  Allocations::get().add(known);
  protect(address, mapping);
}

void unmap(uintptr_t address) {
  auto found = table().mapped.find(address);
  Mapping gone = found->second;
  if (gone.accessible()) {
    Allocations::get().remove(address);
    seal(address, gone.size, MAP_FIXED);
  }
  Session::get().call(Message::UNMAP, Writer().u64(address));
  table().mapped.erase(found);
  gone.memory->mappings--;
  drop(gone.memory);
}

/** The mappings that a range is made of; hipErrorInvalidValue where it is not made of whole ones. */
std::vector<uintptr_t> mappingsIn(const void* address, size_t size) {
  std::vector<uintptr_t> all;
  auto at = reinterpret_cast<uintptr_t>(address);
  require(address != nullptr && size > 0);
  for (size_t left = size; left > 0;) {
    auto found = table().mapped.find(at);
    require(found != table().mapped.end() && found->second.size <= left);
    all.push_back(at);
    at += found->second.size;
    left -= found->second.size;
  }
  return all;
}

/** The mapping that holds an address. */
Mapping& mappingAt(const void* address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  auto after = table().mapped.upper_bound(at);
  require(after != table().mapped.begin());
  auto& [start, mapping] = *std::prev(after);
  require(at - start < mapping.size);
  return mapping;
}

void checkProperties(const hipMemAllocationProp* properties) {
  require(properties != nullptr && properties->type == hipMemAllocationTypePinned);
  require(properties->location.type == hipMemLocationTypeDevice);
  require(properties->location.id >= 0 && properties->location.id < Session::get().count());
}

/** What still runs may use what is about to go; called without the lock. */
void settle() {
  forbidUnsafe();
  drainAll();
}

}  // namespace

bool reserves(uintptr_t address) {
  std::lock_guard lock(table().mutex);
  auto after = table().reserved.upper_bound(address);
  if (after == table().reserved.begin()) return false;
  auto& [start, size] = *std::prev(after);
  return address - start < size;
}

uintptr_t arenaAddress(uintptr_t mapped) {
  std::lock_guard lock(table().mutex);
  auto found = table().mapped.find(mapped);
  if (found == table().mapped.end()) return 0;
  return found->second.memory->name + found->second.offset;
}

hipMemAccessFlags accessAt(const void* address, int gpu) {
  std::lock_guard lock(table().mutex);
  const Mapping& mapping = mappingAt(address);
  auto found = mapping.access.find(gpu);
  return found == mapping.access.end() ? hipMemAccessFlagsProtNone : found->second;
}

hipMemGenericAllocationHandle_t importMemory(int descriptor) {
  Handle handle = handleIn(descriptor, Shared::MEMORY);
  Reader reply = Session::get().call(Message::IMPORT, Writer().raw(handle.data(), handle.size()));
  uint64_t name = reply.u64();
  uint64_t size = reply.u64();
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, static_cast<int>(reply.u32())};
  std::lock_guard lock(table().mutex);
  return add(name, size, properties);
}

void* mapWhole(hipMemGenericAllocationHandle_t handle, size_t offset, size_t size, int gpu) {
  std::lock_guard lock(table().mutex);
  Memory& memory = memoryOf(handle);
  require(size > 0 && offset <= memory.size && size <= memory.size - offset);
  uintptr_t address = reserve(memory.size, RECOMMENDED);
  map(address, memory.size, 0, memory);
  allow(address, table().mapped.at(address), gpu, hipMemAccessFlagsProtReadWrite);
  return reinterpret_cast<void*>(address + offset);
}

void unmapWhole(void* address) {
  std::lock_guard lock(table().mutex);
  auto after = table().mapped.upper_bound(reinterpret_cast<uintptr_t>(address));
  require(after != table().mapped.begin());
  uintptr_t start = std::prev(after)->first;
  unmap(start);
  unreserve(start);
}

}  // namespace rocport

using namespace rocport;
using Lock = std::lock_guard<std::mutex>;

extern "C" {

hipError_t hipMemGetAllocationGranularity(size_t* granularity, const hipMemAllocationProp* properties,
                                          hipMemAllocationGranularity_flags option) {
  return api([&] {
    require(granularity != nullptr);
    checkProperties(properties);
    require(option == hipMemAllocationGranularityMinimum || option == hipMemAllocationGranularityRecommended);
    *granularity = option == hipMemAllocationGranularityMinimum ? PAGE : RECOMMENDED;
  });
}

// In HIP a requested address is only a hint: the device assigns addresses that no program uses.
hipError_t hipMemAddressReserve(void** address, size_t size, size_t align, void*,
                                unsigned long long flags) {
  return api([&] {
    require(address != nullptr && flags == 0);
    require(size > 0 && size % PAGE == 0 && (align & (align - 1)) == 0, hipErrorOutOfMemory);
    require(size <= PTRDIFF_MAX, hipErrorOutOfMemory);
    Lock lock(table().mutex);
    *address = reinterpret_cast<void*>(reserve(size, std::max(align, RECOMMENDED)));
  });
}

hipError_t hipMemAddressFree(void* address, size_t size) {
  return api([&] {
    require(address != nullptr && size > 0);
    Lock lock(table().mutex);
    auto found = table().reserved.find(reinterpret_cast<uintptr_t>(address));
    require(found != table().reserved.end() && found->second == size);
    unreserve(found->first);
  });
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t size,
                        const hipMemAllocationProp* properties, unsigned long long flags) {
  return api([&] {
    require(handle != nullptr && size > 0 && flags == 0);
    checkProperties(properties);
    require(size <= PTRDIFF_MAX, hipErrorOutOfMemory);
    require(size % PAGE == 0);
    require(properties->requestedHandleType == hipMemHandleTypeNone ||
                properties->requestedHandleType == hipMemHandleTypePosixFileDescriptor,
            hipErrorNotSupported);
    Writer request;
    request.u32(static_cast<uint32_t>(properties->location.id)).u64(size);
    Lock lock(table().mutex);
    *handle = add(Session::get().call(Message::CREATE, request).u64(), size, *properties);
  });
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return api([&] {
    Lock lock(table().mutex);
    Memory& memory = memoryOf(handle);
    memory.holders--;
    drop(&memory);
  });
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* address) {
  return api([&] {
    require(handle != nullptr && address != nullptr);
    Lock lock(table().mutex);
    Memory* memory = mappingAt(address).memory;
    memory->holders++;
    *handle = handleOf(memory);
  });
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                   hipMemGenericAllocationHandle_t handle) {
  return api([&] {
    require(properties != nullptr);
    Lock lock(table().mutex);
    *properties = memoryOf(handle).properties;
  });
}

hipError_t hipMemMap(void* address, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
  return api([&] {
    require(address != nullptr && size > 0 && offset == 0 && flags == 0);
    require(size % PAGE == 0);
    Lock lock(table().mutex);
    map(reinterpret_cast<uintptr_t>(address), size, offset, memoryOf(handle));
  });
}

// Sparse arrays are images, which these GPUs do not have.
hipError_t hipMemMapArrayAsync(hipArrayMapInfo* list, unsigned count, hipStream_t) {
  return api([&] {
    require(list != nullptr && count > 0);
    currentDevice();
    fail(hipErrorNotSupported);
  });
}

hipError_t hipMemUnmap(void* address, size_t size) {
  return api([&] {
    settle();
    Lock lock(table().mutex);
    for (uintptr_t start : mappingsIn(address, size)) unmap(start);
  });
}

hipError_t hipMemSetAccess(void* address, size_t size, const hipMemAccessDesc* access, size_t count) {
  return api([&] {
    require(access != nullptr && count > 0);
    for (size_t i = 0; i < count; i++) {
      require(access[i].location.type == hipMemLocationTypeDevice);
      require(access[i].location.id >= 0 && access[i].location.id < Session::get().count());
      require(access[i].flags == hipMemAccessFlagsProtNone || access[i].flags == hipMemAccessFlagsProtRead ||
              access[i].flags == hipMemAccessFlagsProtReadWrite);
    }
    settle();
    Lock lock(table().mutex);
    for (uintptr_t start : mappingsIn(address, size)) {
      for (size_t i = 0; i < count; i++) {
        allow(start, table().mapped.at(start), access[i].location.id, access[i].flags);
      }
    }
  });
}

hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* address) {
  return api([&] {
    require(flags != nullptr && location != nullptr && address != nullptr);
    require(location->type == hipMemLocationTypeDevice);
    require(location->id >= 0 && location->id < Session::get().count());
    *flags = accessAt(address, location->id);
  });
}

hipError_t hipMemExportToShareableHandle(void* shared, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type, unsigned long long flags) {
  return api([&] {
    require(shared != nullptr && flags == 0 && type == hipMemHandleTypePosixFileDescriptor);
    Lock lock(table().mutex);
    Memory& memory = memoryOf(handle);
    require((memory.properties.requestedHandleType & type) != 0);
    Reader reply = Session::get().call(Message::EXPORT, Writer().u64(memory.name));
    Handle name;
    memcpy(name.data(), reply.take(name.size()), name.size());
    *static_cast<int*>(shared) = descriptorOf(Shared::MEMORY, name);
  });
}

// Before 7.1, HIP takes the address of the descriptor; from 7.1 on, as in CUDA, its number.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* shared,
                                           hipMemAllocationHandleType type) {
  return api([&] {
    require(handle != nullptr);
    require(type == hipMemHandleTypePosixFileDescriptor, hipErrorNotSupported);
    auto number = reinterpret_cast<uintptr_t>(shared);
#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR < 701
    constexpr uintptr_t NULL_PAGES = 4096;
    if (number < NULL_PAGES) {
      tell("hipMemImportFromShareableHandle: before HIP 7.1 this takes the address of the file descriptor, not its number");
      fail(hipErrorInvalidValue);
    }
    number = static_cast<uintptr_t>(*static_cast<const int*>(shared));
#endif
    *handle = importMemory(static_cast<int>(number));
  });
}

}  // extern "C"
