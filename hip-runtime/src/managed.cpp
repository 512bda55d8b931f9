// Advice and prefetches for managed memory. Managed memory is in the shared arena, so they only change the results of
// queries.
#include <map>
#include <mutex>

#include "allocation.h"
#include "capture.h"
#include "device.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

struct Advice {
  bool readMostly = false;
  int preferred = hipInvalidDeviceId;
  int accessedBy = hipInvalidDeviceId;
  int prefetched = hipInvalidDeviceId;
  bool coarse = false;
};

struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Advice> byAllocation;
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

uintptr_t managed(const void* address, size_t bytes) {
  require(bytes > 0);
  auto found = checked(address, bytes);
  require(found && found->kind == Kind::MANAGED);
  return found->start;
}

void location(int device) {
  require(device == hipCpuDeviceId || (device >= 0 && device < Session::get().count()),
          hipErrorInvalidDevice);
}

void answer(void* data, size_t size, hipMemRangeAttribute attribute, const Advice& advice) {
  require(data != nullptr && size >= sizeof(int) && size % sizeof(int) == 0);
  require(size == sizeof(int) || attribute == hipMemRangeAttributeAccessedBy);
  int* out = static_cast<int*>(data);
  switch (attribute) {
    case hipMemRangeAttributeReadMostly:
      *out = advice.readMostly;
      return;
    case hipMemRangeAttributePreferredLocation:
      *out = advice.preferred;
      return;
    case hipMemRangeAttributeAccessedBy:
      for (size_t i = 0; i < size / sizeof(int); i++) out[i] = i == 0 ? advice.accessedBy : hipInvalidDeviceId;
      return;
    case hipMemRangeAttributeLastPrefetchLocation:
      *out = advice.prefetched;
      return;
    case hipMemRangeAttributeCoherencyMode:
      *out = advice.coarse ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
      return;
  }
  fail(hipErrorInvalidValue);
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipMemPrefetchAsync(const void* address, size_t bytes, int device, hipStream_t stream) {
  return api([&] {
    uintptr_t start = managed(address, bytes);
    location(device);
    auto target = streamOf(stream);
    forbidWhileCapturing(*target);
    target->enqueue(Empty{});
    std::lock_guard lock(table().mutex);
    table().byAllocation[start].prefetched = device;
  });
}

hipError_t hipMemAdvise(const void* address, size_t bytes, hipMemoryAdvise advice, int device) {
  return api([&] {
    uintptr_t start = managed(address, bytes);
    std::lock_guard lock(table().mutex);
    Advice& kept = table().byAllocation[start];
    switch (advice) {
      case hipMemAdviseSetReadMostly:
      case hipMemAdviseUnsetReadMostly:
        kept.readMostly = advice == hipMemAdviseSetReadMostly;
        return;
      case hipMemAdviseSetPreferredLocation:
        location(device);
        kept.preferred = device;
        return;
      case hipMemAdviseUnsetPreferredLocation:
        kept.preferred = hipInvalidDeviceId;
        return;
      case hipMemAdviseSetAccessedBy:
        location(device);
        kept.accessedBy = device;
        return;
      case hipMemAdviseUnsetAccessedBy:
        kept.accessedBy = hipInvalidDeviceId;
        return;
      case hipMemAdviseSetCoarseGrain:
      case hipMemAdviseUnsetCoarseGrain:
        kept.coarse = advice == hipMemAdviseSetCoarseGrain;
        return;
    }
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipMemRangeGetAttribute(void* data, size_t size, hipMemRangeAttribute attribute,
                                   const void* address, size_t bytes) {
  return api([&] {
    uintptr_t start = managed(address, bytes);
    std::lock_guard lock(table().mutex);
    answer(data, size, attribute, table().byAllocation[start]);
  });
}

hipError_t hipMemRangeGetAttributes(void** data, size_t* sizes, hipMemRangeAttribute* attributes,
                                    size_t count, const void* address, size_t bytes) {
  return api([&] {
    require(data != nullptr && sizes != nullptr && attributes != nullptr && count > 0);
    uintptr_t start = managed(address, bytes);
    std::lock_guard lock(table().mutex);
    const Advice& advice = table().byAllocation[start];
    for (size_t i = 0; i < count; i++) answer(data[i], sizes[i], attributes[i], advice);
  });
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* address, size_t, unsigned flags) {
  return api([&] {
    require(flags == hipMemAttachGlobal || flags == hipMemAttachHost || flags == hipMemAttachSingle);
    managed(address, 1);
    auto target = streamOf(stream);
    forbidWhileCapturing(*target);
    target->enqueue(Empty{});
  });
}

}  // extern "C"
