// hipHostRegister: the program's own memory is moved into pages of the arena, which are mapped over
// the old ones, so that the host sees it at the old address and the device at another one.
//
// Small pieces of a heap share pages, and each must be contiguous for the device. So the arena
// mirrors the heap in windows: pieces of one window keep their distances there.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>

#include "capture.h"
#include "device.h"
#include "memory.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

constexpr uintptr_t WINDOW = 16 << 20;

uintptr_t pageSize() {
  static const auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return size;
}

uintptr_t down(uintptr_t address, uintptr_t to) { return address / to * to; }
uintptr_t up(uintptr_t address, uintptr_t to) { return down(address + to - 1, to); }

/** A part of the arena that mirrors a range of host addresses. */
struct Mirror {
  uintptr_t host;
  uintptr_t arena;
  size_t size;
  int pieces;
};

struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Mirror> mirrors;  // by host address
  std::map<uintptr_t, int> pages;       // registrations that use a page that was moved
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

Mirror* covering(uintptr_t first, uintptr_t end) {
  for (auto& [host, mirror] : table().mirrors) {
    if (first >= mirror.host && end <= mirror.host + mirror.size) return &mirror;
  }
  return nullptr;
}

bool free(uintptr_t first, uintptr_t end) {
  for (auto& [host, mirror] : table().mirrors) {
    if (first < mirror.host + mirror.size && end > mirror.host) return false;
  }
  return true;
}

bool moved(uintptr_t first, uintptr_t end) {
  auto page = table().pages.lower_bound(first);
  return page != table().pages.end() && page->first < end;
}

Mirror& mirror(uintptr_t first, uintptr_t end) {
  if (Mirror* known = covering(first, end)) return *known;
  uintptr_t from = first;
  uintptr_t to = end;
  // A window around the piece, so that neighboring pieces of the heap are in the same window.
  if (end - first < WINDOW && first > WINDOW && free(first - WINDOW / 2, end + WINDOW / 2)) {
    from = first - WINDOW / 2;
    to = end + WINDOW / 2;
  } else if (moved(first, end)) {
    tell("hipHostRegister: %p shares a page with memory that was registered separately",
         reinterpret_cast<void*>(first));
    fail(hipErrorHostMemoryAlreadyRegistered);
  }
  auto arena = reinterpret_cast<uintptr_t>(allocate(Kind::HOST, to - from, 0, pageSize()));
  Allocations::get().remove(arena);  // its pieces have their own entries
  return table().mirrors[from] = {from, arena, to - from, 0};
}

// Nothing may be allocated between copying a page and mapping it: it may be a page of the heap.
void moveIn(const Mirror& mirror, uintptr_t first, uintptr_t end) {
  bool all = !moved(first, end);
  size_t step = all ? end - first : pageSize();
  for (uintptr_t page = first; page < end; page += pageSize()) table().pages[page]++;
  for (uintptr_t at = first; at < end; at += step) {
    if (!all && table().pages[at] > 1) continue;
    uintptr_t arena = mirror.arena + (at - mirror.host);
    memcpy(reinterpret_cast<void*>(arena), reinterpret_cast<void*>(at), step);
    Session::get().alias(arena, at, step);
  }
}

/** Puts memory of the process' own where pages of the arena are mapped. */
void unmap(uintptr_t first, size_t size) {
  void* fresh = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(fresh != MAP_FAILED, hipErrorOutOfMemory);
  void* target = reinterpret_cast<void*>(first);
  memcpy(fresh, target, size);
  require(mremap(fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, target) == target,
          hipErrorOutOfMemory);
}

void moveOut(uintptr_t first, uintptr_t end) {
  uintptr_t begin = first;  // of a run of pages that no other registration uses
  for (uintptr_t page = first; page <= end; page += pageSize()) {
    bool last = page < end && --table().pages[page] == 0;
    if (last) {
      table().pages.erase(page);
      continue;
    }
    if (page > begin) unmap(begin, page - begin);
    begin = page + pageSize();
  }
}

void add(void* host, size_t bytes, unsigned flags) {
  require(host != nullptr && bytes > 0);
  constexpr unsigned KNOWN = hipHostRegisterPortable | hipHostRegisterMapped |
                             hipHostRegisterReadOnly | hipExtHostRegisterCoarseGrained;
  require((flags & ~KNOWN) == 0);
  auto start = reinterpret_cast<uintptr_t>(host);
  int gpu = currentDevice();
  require(!Session::get().shares(start) && !Allocations::get().overlaps(start, bytes),
          hipErrorHostMemoryAlreadyRegistered);
  uintptr_t first = down(start, pageSize());
  uintptr_t end = up(start + bytes, pageSize());
  std::lock_guard lock(table().mutex);
  Mirror& place = mirror(first, end);
  moveIn(place, first, end);
  place.pieces++;
  Allocation made;
  made.start = start;
  made.size = bytes;
  made.kind = Kind::REGISTERED;
  made.gpu = gpu;
  made.flags = flags;
  made.device = place.arena + (start - place.host);
  Allocations::get().add(made);
  // The program may also pass the device address to a copy.
  made.start = made.device;
  Allocations::get().add(made);
}

void take(void* host) {
  auto start = reinterpret_cast<uintptr_t>(host);
  auto found = Allocations::get().find(start);
  require(found && found->kind == Kind::REGISTERED && found->start == start &&
              found->device != start,
          hipErrorHostMemoryNotRegistered);
  drainAll();
  std::lock_guard lock(table().mutex);
  Allocations::get().remove(start);
  Allocations::get().remove(found->device);
  uintptr_t first = down(start, pageSize());
  uintptr_t end = up(start + found->size, pageSize());
  moveOut(first, end);
  Mirror* place = covering(first, end);
  if (place && --place->pieces == 0) {
    Session::get().call(Message::FREE, Writer().u64(place->arena));
    table().mirrors.erase(place->host);
  }
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipHostRegister(void* host, size_t bytes, unsigned flags) {
  return api([&] {
    forbidUnsafe();
    add(host, bytes, flags);
  });
}

hipError_t hipHostUnregister(void* host) {
  return api([&] {
    forbidUnsafe();
    take(host);
  });
}

}  // extern "C"
