#include "graphmemory.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "device.h"

namespace rocport {
namespace {

struct Account {
  uint64_t used = 0;
  uint64_t high = 0;
};

struct Book {
  std::mutex mutex;
  std::map<int, Account> byDevice;
  std::map<void*, bool> allocated;  // whether it is allocated now, by address
};

Book& book() {
  static auto* all = new Book;
  return *all;
}

}  // namespace

void graphMemoryTaken(int device, size_t bytes) {
  std::lock_guard lock(book().mutex);
  Account& account = book().byDevice[device];
  account.used += bytes;
  account.high = std::max(account.high, account.used);
}

void graphMemoryGiven(int device, size_t bytes) {
  std::lock_guard lock(book().mutex);
  book().byDevice[device].used -= bytes;
}

void graphMemoryStarts(void* address) {
  std::lock_guard lock(book().mutex);
  book().allocated[address] = true;
}

void graphMemoryEnds(void* address) {
  std::lock_guard lock(book().mutex);
  book().allocated.erase(address);
}

void graphMemoryLaunched(void* address) {
  std::lock_guard lock(book().mutex);
  auto found = book().allocated.find(address);
  if (found != book().allocated.end()) found->second = true;
}

std::optional<bool> graphMemoryFreed(void* address) {
  std::lock_guard lock(book().mutex);
  auto found = book().allocated.find(address);
  if (found == book().allocated.end()) return std::nullopt;
  return std::exchange(found->second, false);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

// A graph owns its memory from the creation of the node to the end of the graph, so the reserved and the used amounts
// are equal.
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  return api([&] {
    require(value != nullptr);
    Session::get().gpu(device);
    std::lock_guard lock(book().mutex);
    const Account& account = book().byDevice[device];
    switch (attribute) {
      case hipGraphMemAttrUsedMemCurrent:
      case hipGraphMemAttrReservedMemCurrent:
        *static_cast<uint64_t*>(value) = account.used;
        return;
      case hipGraphMemAttrUsedMemHigh:
      case hipGraphMemAttrReservedMemHigh:
        *static_cast<uint64_t*>(value) = account.high;
        return;
    }
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  return api([&] {
    require(value != nullptr);
    Session::get().gpu(device);
    // Only the high-water marks can be set, and only back to what is used now.
    require(attribute == hipGraphMemAttrUsedMemHigh || attribute == hipGraphMemAttrReservedMemHigh);
    require(*static_cast<const uint64_t*>(value) == 0);
    std::lock_guard lock(book().mutex);
    Account& account = book().byDevice[device];
    account.high = account.used;
  });
}

// Nothing is cached, so there is nothing to trim.
hipError_t hipDeviceGraphMemTrim(int device) {
  return api([&] { Session::get().gpu(device); });
}

}  // extern "C"
