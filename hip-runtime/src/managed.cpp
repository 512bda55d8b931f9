// Advice and prefetches for managed memory. Managed memory is in the shared arena, so they only change the results of
// queries.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "allocation.h"
#include "capture.h"
#include "device.h"
#include "memory.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

constexpr uintptr_t PAGE = 4096;

struct Advice {
  bool readMostly = false;
  int preferred = hipInvalidDeviceId;
  std::set<int> accessedBy;
  int prefetched = hipInvalidDeviceId;
  bool coarse = false;
};

/** Pieces of an allocation, by their first address: each one reaches to the next, the last one to the end. */
using Pieces = std::map<uintptr_t, Advice>;

struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Pieces> byAllocation;
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

/** Pages of a managed allocation. */
struct Range {
  uintptr_t allocation;
  uintptr_t from;
  uintptr_t to;
};

Range managed(const void* address, size_t bytes) {
  require(bytes > 0);
  auto found = checked(address, bytes);
  require(found && found->kind == Kind::MANAGED);
  auto first = reinterpret_cast<uintptr_t>(address);
  uintptr_t past = (first + bytes + PAGE - 1) / PAGE * PAGE;
  return {found->start, std::max(found->start, first / PAGE * PAGE), std::min(found->start + found->size, past)};
}

/** Lets a piece begin at an address, if it is inside of the allocation. */
void split(Pieces& pieces, uintptr_t at, uintptr_t end) {
  if (at < end) pieces.emplace(at, std::prev(pieces.upper_bound(at))->second);
}

/** Changes what is known of a range. Requires the lock. */
template <class Change>
void advise(const Range& range, Change change) {
  Pieces& pieces = table().byAllocation[range.allocation];
  if (pieces.empty()) pieces.emplace(range.allocation, Advice());
  auto whole = Allocations::get().find(range.allocation);
  split(pieces, range.from, UINTPTR_MAX);
  split(pieces, range.to, whole ? whole->start + whole->size : range.to);
  for (auto piece = pieces.lower_bound(range.from); piece != pieces.end() && piece->first < range.to; ++piece) {
    change(piece->second);
  }
}

/** What is known of the pieces of a range. Requires the lock. */
std::vector<Advice> adviceOn(const Range& range) {
  std::vector<Advice> found;
  auto known = table().byAllocation.find(range.allocation);
  if (known == table().byAllocation.end()) return {Advice()};
  auto piece = std::prev(known->second.upper_bound(range.from));
  for (; piece != known->second.end() && piece->first < range.to; ++piece) found.push_back(piece->second);
  return found;
}

void location(int device) {
  require(device == hipCpuDeviceId || (device >= 0 && device < Session::get().count()),
          hipErrorInvalidDevice);
}

/** The value that all have, or the other one. */
template <class T>
int common(const std::vector<Advice>& all, T Advice::*member, int otherwise) {
  for (const Advice& one : all) {
    if (one.*member != all.front().*member) return otherwise;
  }
  return static_cast<int>(all.front().*member);
}

void answer(void* data, size_t size, hipMemRangeAttribute attribute, const std::vector<Advice>& all) {
  require(data != nullptr && size >= sizeof(int) && size % sizeof(int) == 0);
  require(size == sizeof(int) || attribute == hipMemRangeAttributeAccessedBy);
  int* out = static_cast<int*>(data);
  switch (attribute) {
    case hipMemRangeAttributeReadMostly:
      *out = common(all, &Advice::readMostly, 0);
      return;
    case hipMemRangeAttributePreferredLocation:
      *out = common(all, &Advice::preferred, hipInvalidDeviceId);
      return;
    case hipMemRangeAttributeAccessedBy: {
      std::set<int> devices = all.front().accessedBy;
      for (const Advice& one : all) {
        for (auto device = devices.begin(); device != devices.end();) {
          device = one.accessedBy.count(*device) != 0 ? std::next(device) : devices.erase(device);
        }
      }
      auto device = devices.begin();
      for (size_t i = 0; i < size / sizeof(int); i++) out[i] = device == devices.end() ? hipInvalidDeviceId : *device++;
      return;
    }
    case hipMemRangeAttributeLastPrefetchLocation:
      *out = common(all, &Advice::prefetched, hipInvalidDeviceId);
      return;
    case hipMemRangeAttributeCoherencyMode: {
      constexpr int MIXED = hipMemRangeCoherencyModeIndeterminate;
      static_assert(hipMemRangeCoherencyModeCoarseGrain == 1 && hipMemRangeCoherencyModeFineGrain == 0);
      *out = common(all, &Advice::coarse, MIXED);
      return;
    }
  }
  fail(hipErrorInvalidValue);
}

void answer(void* data, size_t size, hipMemRangeAttribute attribute, const void* address, size_t bytes) {
  auto found = checked(address, bytes);
  bool device = found && (found->kind == Kind::DEVICE || found->kind == Kind::FINE_GRAINED);
  if (attribute == hipMemRangeAttributeCoherencyMode && device) {
    Advice whole;
    whole.coarse = found->kind == Kind::DEVICE;
    return answer(data, size, attribute, {whole});
  }
  Range range = managed(address, bytes);
  std::lock_guard lock(table().mutex);
  answer(data, size, attribute, adviceOn(range));
}

}  // namespace

void forgetAdvice(uintptr_t allocation) {
  std::lock_guard lock(table().mutex);
  table().byAllocation.erase(allocation);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipMemPrefetchAsync(const void* address, size_t bytes, int device, hipStream_t stream) {
  return api([&] {
    Range range = managed(address, bytes);
    location(device);
    auto target = streamOf(stream);
    forbidWhileCapturing(*target);
    target->enqueue(Empty{});
    std::lock_guard lock(table().mutex);
    advise(range, [&](Advice& kept) { kept.prefetched = device; });
  });
}

hipError_t hipMemAdvise(const void* address, size_t bytes, hipMemoryAdvise advice, int device) {
  return api([&] {
    Range range = managed(address, bytes);
    std::lock_guard lock(table().mutex);
    switch (advice) {
      case hipMemAdviseSetReadMostly:
      case hipMemAdviseUnsetReadMostly:
        return advise(range, [&](Advice& kept) { kept.readMostly = advice == hipMemAdviseSetReadMostly; });
      case hipMemAdviseSetPreferredLocation:
        location(device);
        return advise(range, [&](Advice& kept) { kept.preferred = device; });
      case hipMemAdviseUnsetPreferredLocation:
        return advise(range, [](Advice& kept) { kept.preferred = hipInvalidDeviceId; });
      case hipMemAdviseSetAccessedBy:
        location(device);
        return advise(range, [&](Advice& kept) { kept.accessedBy.insert(device); });
      case hipMemAdviseUnsetAccessedBy:
        return advise(range, [&](Advice& kept) { kept.accessedBy.erase(device); });
      case hipMemAdviseSetCoarseGrain:
      case hipMemAdviseUnsetCoarseGrain:
        return advise(range, [&](Advice& kept) { kept.coarse = advice == hipMemAdviseSetCoarseGrain; });
    }
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipMemRangeGetAttribute(void* data, size_t size, hipMemRangeAttribute attribute,
                                   const void* address, size_t bytes) {
  return api([&] { answer(data, size, attribute, address, bytes); });
}

hipError_t hipMemRangeGetAttributes(void** data, size_t* sizes, hipMemRangeAttribute* attributes,
                                    size_t count, const void* address, size_t bytes) {
  return api([&] {
    require(data != nullptr && sizes != nullptr && attributes != nullptr && count > 0);
    for (size_t i = 0; i < count; i++) answer(data[i], sizes[i], attributes[i], address, bytes);
  });
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* address, size_t length, unsigned flags) {
  return api([&] {
    require(flags == hipMemAttachGlobal || flags == hipMemAttachHost || flags == hipMemAttachSingle);
    require(flags != hipMemAttachSingle || stream != nullptr);
    managed(address, 1);
    require(length == 0 || length == Allocations::get().find(address)->size);
    auto target = streamOf(stream);
    forbidWhileCapturing(*target);
    target->enqueue(Empty{});
  });
}

}  // extern "C"
