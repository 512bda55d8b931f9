// hipHostRegister: pages of the program's own memory are moved into pages of the arena, which are mapped over the old
// ones, so that the host sees them at the old address and the device at another one.
//
// Each piece that is registered has device addresses of its own. Pieces of a heap share pages: a page that was moved
// for one piece is mapped a second time at the device addresses of another.
#include "registered.h"

#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "capture.h"
#include "device.h"
#include "memory.h"
#include "moving.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

uintptr_t pageSize() {
  static const auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return size;
}

uintptr_t down(uintptr_t address, uintptr_t to) { return address / to * to; }
uintptr_t up(uintptr_t address, uintptr_t to) { return down(address + to - 1, to); }

/** Memory of the arena for the pages of one piece. */
struct Place {
  size_t size;
  size_t users;  // host pages that are in it, and the piece
  bool aliases;  // whether pages of other places are mapped in it
};

/** A host page that was moved. */
struct Page {
  uintptr_t place;
  uintptr_t arena;
  int pieces;  // that use it
};

struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Page> pages;    // by host address
  std::map<uintptr_t, Place> places;  // by address in the arena
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

// The functions below require the lock of the table.

uintptr_t newPlace(size_t size) {
  uintptr_t arena;
  try {
    arena = reinterpret_cast<uintptr_t>(allocate(Kind::HOST, size, 0, pageSize()));
  } catch (const Failure&) {
    fail(hipErrorInvalidValue);
  }
  Allocations::get().remove(arena);  // the piece has its own entry
  table().places[arena] = {size, 1, false};
  return arena;
}

void leave(uintptr_t arena) {
  auto place = table().places.find(arena);
  if (--place->second.users > 0) return;
  if (place->second.aliases) Session::get().alias(arena, arena, place->second.size);
  Session::get().call(Message::FREE, Writer().u64(arena));
  table().places.erase(place);
}

/** A stack for the replacement of pages of the stack that runs. */
struct OtherStack {
  ucontext_t here;
  ucontext_t there;
  void (*work)(void*);
  void* argument;
  alignas(16) char memory[64 << 10];
};

OtherStack& otherStack() {
  static auto* one = new (std::align_val_t{alignof(OtherStack)}) OtherStack;
  return *one;
}

/** Runs work, which throws nothing, so that none of its calls is on these pages. */
template <class Work>
void besides(uintptr_t first, uintptr_t end, Work work) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  constexpr uintptr_t DEEP = 32 << 10;  // more than the calls of the work take
  if (here < first || here >= end + DEEP) return work();
  OtherStack& other = otherStack();
  getcontext(&other.there);
  other.there.uc_stack.ss_sp = other.memory;
  other.there.uc_stack.ss_size = sizeof other.memory;
  other.there.uc_link = &other.here;
  other.work = [](void* argument) { (*static_cast<Work*>(argument))(); };
  other.argument = &work;
  makecontext(
      &other.there, [] { otherStack().work(otherStack().argument); }, 0);
  swapcontext(&other.here, &other.there);
}

// Nothing may be allocated between copying a page and mapping it: it may be a page of the heap.
void moveIn(uintptr_t from, uintptr_t to, uintptr_t arena) {
  Session& session = Session::get();
  bool moved = true;
  besides(from, to, [&session, &moved, from, to, arena] {
    Moving moving(from, to);
    memcpy(reinterpret_cast<void*>(arena), reinterpret_cast<void*>(from), to - from);
    moved = session.mapped(arena, from, to - from);
  });
  require(moved, hipErrorOutOfMemory);
}

/** Maps the pages of a piece that were moved for other pieces also in the memory of this one. */
void aliasMoved(uintptr_t first, uintptr_t end, uintptr_t arena) {
  for (auto page = table().pages.lower_bound(first); page != table().pages.end() && page->first < end; page++) {
    uintptr_t here = arena + (page->first - first);
    table().places.at(arena).aliases = true;
    Session::get().call(Message::ALIAS, Writer().u64(here).u64(page->second.arena));
    Session::get().alias(page->second.arena, here, pageSize());
  }
}

/** Moves the other pages of a piece into its memory. */
void moveOthers(uintptr_t first, uintptr_t end, uintptr_t arena) {
  std::vector<std::pair<uintptr_t, uintptr_t>> runs;
  for (uintptr_t host = first; host < end; host += pageSize()) {
    auto [page, isNew] = table().pages.try_emplace(host, Page{arena, arena + (host - first), 0});
    page->second.pieces++;
    if (!isNew) continue;
    table().places.at(arena).users++;
    if (runs.empty() || runs.back().second != host) runs.emplace_back(host, host);
    runs.back().second += pageSize();
  }
  for (auto [from, to] : runs) moveIn(from, to, arena + (from - first));
}

/** Puts memory of the process' own where pages of the arena are mapped. */
void moveOut(uintptr_t first, uintptr_t end) {
  if (first == end) return;
  size_t size = end - first;
  void* fresh = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(fresh != MAP_FAILED, hipErrorOutOfMemory);
  void* target = reinterpret_cast<void*>(first);
  bool moved = true;
  besides(first, end, [=, &moved] {
    Moving moving(first, end);
    memcpy(fresh, target, size);
    moved = mremap(fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, target) == target;
  });
  require(moved, hipErrorOutOfMemory);
}

/** Ends what a piece has to do with its pages. */
void scatter(uintptr_t first, uintptr_t end) {
  uintptr_t begin = first;  // of a run of pages that no other piece uses
  for (uintptr_t host = first; host <= end; host += pageSize()) {
    if (host < end && --table().pages.at(host).pieces == 0) continue;
    moveOut(begin, host);
    for (uintptr_t gone = begin; gone < host; gone += pageSize()) {
      auto page = table().pages.find(gone);
      uintptr_t place = page->second.place;
      table().pages.erase(page);
      leave(place);
    }
    begin = host + pageSize();
  }
}

/** Whether the process has memory at all of these addresses. */
bool exists(uintptr_t first, uintptr_t end) {
  return msync(reinterpret_cast<void*>(first), end - first, MS_ASYNC) == 0;
}

/** Whether other processes may have pages among these that have not been moved. */
bool sharedWithOthers(uintptr_t first, uintptr_t end) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from, to;
    char access[5];
    if (sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, access) != 3) continue;
    if (access[3] != 's') continue;
    for (uintptr_t page = std::max(from, first); page < std::min(to, end); page += pageSize()) {
      if (table().pages.count(page) == 0) return true;
    }
  }
  return false;
}

void add(void* host, size_t bytes, unsigned flags) {
  require(host != nullptr && bytes > 0);
  constexpr unsigned KNOWN = hipHostRegisterPortable | hipHostRegisterMapped |
                             hipHostRegisterReadOnly | hipExtHostRegisterCoarseGrained;
  require((flags & ~KNOWN) == 0);
  auto start = reinterpret_cast<uintptr_t>(host);
  int gpu = currentDevice();
  uintptr_t last;
  require(!__builtin_add_overflow(start, bytes, &last) && last <= UINTPTR_MAX - pageSize());
  auto known = Allocations::get().find(start);
  // As in ROCm, registering a piece again succeeds: the program may have freed it and got it again.
  if (known && known->kind == Kind::REGISTERED && known->start == start && known->device != start && bytes <= known->size) {
    return;
  }
  require(!Session::get().shares(start) && !Allocations::get().overlaps(start, bytes),
          hipErrorHostMemoryAlreadyRegistered);
  uintptr_t first = down(start, pageSize());
  uintptr_t end = up(last, pageSize());
  require(exists(first, end));
  std::lock_guard lock(table().mutex);
  if (sharedWithOthers(first, end)) {
    tell("hipHostRegister: the %zu bytes at %p are memory that processes share, and would no longer be shared if they were "
         "registered; use hipHostMalloc or hipMalloc with hipIpcGetMemHandle", bytes, host);
    fail(hipErrorNotSupported);
  }
  uintptr_t arena = newPlace(end - first);
  try {
    aliasMoved(first, end, arena);
  } catch (const Failure&) {
    leave(arena);
    throw;
  }
  moveOthers(first, end, arena);
  Allocation made;
  made.start = start;
  made.size = bytes;
  made.kind = Kind::REGISTERED;
  made.gpu = gpu;
  made.flags = flags;
  made.device = arena + (start - first);
  Allocations::get().add(made);
  // The program may also pass the device address to a copy.
  made.start = made.device;
  Allocations::get().add(made);
}

void take(void* host) {
  require(host != nullptr);
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
  scatter(first, up(start + found->size, pageSize()));
  leave(found->device - (start - first));
}

}  // namespace

bool foundByOthers(uintptr_t device) {
  std::lock_guard lock(table().mutex);
  return !table().places.at(down(device, pageSize())).aliases;
}

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
