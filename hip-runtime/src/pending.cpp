#include "pending.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "allocation.h"
#include "caller.h"
#include "clock.h"
#include "error.h"
#include "meeting.h"
#include "moving.h"
#include "touched.h"
#include "turns.h"

namespace rocport {
namespace {

/** What is more than this is not guarded. */
constexpr size_t MOST = 4096;

constexpr size_t MOST_TOUCHES = 64;

constexpr size_t MOST_WATCHES = 64;

/** Rows of bytes that an operation will write, or only read. */
struct Range {
  std::atomic<const Completion*> owner{nullptr};  // null: free
  uintptr_t start;
  size_t width, height, depth, pitch, slice;
  bool written;
  bool filled;      // by a fill, not by a copy
  bool told;        // the program has touched it
  uintptr_t first;  // its pages; none where first is end
  uintptr_t end;

  size_t bytes() const { return width * height * depth; }

  bool holds(uintptr_t address) const {
    if (address < start) return false;
    size_t at = address - start;
    size_t plane = depth > 1 ? at / slice : 0;
    at -= plane * slice;
    size_t row = height > 1 ? at / pitch : 0;
    at -= row * pitch;
    return plane < depth && row < height && at < width;
  }

  bool meets(uintptr_t address, size_t size) const {
    for (size_t z = 0; z < depth; z++) {
      for (size_t y = 0; y < height; y++) {
        uintptr_t row = start + z * slice + y * pitch;
        if (row < address + size && address < row + width) return true;
      }
    }
    return false;
  }
};

/**
 * The argument of a host function, if it is a variable. The program may read it before the function
 * has run; this is an error only if the function then changes the data.
 */
struct Watch {
  static constexpr size_t BYTES = 64;  // its size is not known
  static constexpr size_t MOST_NOTES = 4;
  static constexpr unsigned MOST_FAULTS = 64;

  std::atomic<const Completion*> owner{nullptr};  // null: free
  uintptr_t start;
  uintptr_t first;  // its pages
  uintptr_t end;
  bool open;    // no longer protected
  bool paused;  // until the program has waited again
  unsigned faults;
  size_t notes;
  struct {
    uintptr_t address;
    uint64_t value;
    Calls here;
  } note[MOST_NOTES];
};

/** The program has touched a range too early. */
struct Touch {
  Calls here;
  Calls operation;
  bool writes;
  bool toBeWritten;
  bool filled;
  size_t bytes;
  char by[32];  // the function that did it; empty for the program itself
};

/** What the signal handler uses: no memory that it could wait for. */
struct Table {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  Range ranges[MOST];
  size_t used = 0;  // ranges from here on were never used
  Watch watches[MOST_WATCHES];
  Touch touches[MOST_TOUCHES];
  std::atomic<size_t> touched{0};
  struct {
    pid_t thread;
    uintptr_t address;
  } last[64] = {};
  struct sigaction before = {};
};

Table table;

class Hold {
 public:
  Hold() {
    while (table.busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Hold() { table.busy.clear(std::memory_order_release); }
};

uintptr_t pageSize() {
  static const auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void protect(uintptr_t first, uintptr_t end, int how) {
  if (first < end) mprotect(reinterpret_cast<void*>(first), end - first, how);
}

/** Protects pages as required by the untouched ranges on them. */
void apply(uintptr_t first, uintptr_t end) {
  protect(first, end, PROT_READ | PROT_WRITE);
  for (bool written : {false, true}) {
    for (size_t i = 0; i < table.used; i++) {
      const Range& range = table.ranges[i];
      if (range.owner.load() == nullptr || range.told || range.written != written) continue;
      protect(std::max(first, range.first), std::min(end, range.end), written ? PROT_NONE : PROT_READ);
    }
  }
  for (const Watch& watch : table.watches) {
    if (watch.owner.load() == nullptr || watch.open || watch.paused) continue;
    protect(std::max(first, watch.first), std::min(end, watch.end), PROT_NONE);
  }
}

/** Reads the part of a value that lies on its page. */
uint64_t valueAt(uintptr_t address) {
  uint64_t value = 0;
  size_t left = pageSize() - address % pageSize();
  memcpy(&value, reinterpret_cast<const void*>(address), std::min(left, sizeof value));
  return value;
}

void note(Watch& watch, uintptr_t address, const Calls& here, bool writes) {
  bool inside = address >= watch.start && address - watch.start < Watch::BYTES;
  if (inside && !writes) {
    watch.note[watch.notes].address = address;
    watch.note[watch.notes++].here = here;
  }
  watch.paused = true;
  // Only the program writes it, or both sides lock it.
  watch.open = writes || watch.notes == Watch::MOST_NOTES || ++watch.faults == Watch::MOST_FAULTS;
}

void note(Range& range, const Calls& here, bool writes, const char* by) {
  range.told = true;
  size_t at = table.touched.load();
  if (at == MOST_TOUCHES) return;
  Touch& touch = table.touches[at];
  touch.here = here;
  touch.operation = range.owner.load()->ticket->calls;
  touch.writes = writes;
  touch.toBeWritten = range.written;
  touch.filled = range.filled;
  touch.bytes = range.bytes();
  strncpy(touch.by, by, sizeof touch.by - 1);
  table.touched.store(at + 1);
}

/** Lets the program continue at an address. Whether its page is guarded, or was a moment ago. */
bool settle(uintptr_t address, bool known) {
  // Other data on its page belongs to the program.
  uintptr_t page = address / pageSize() * pageSize();
  if (known) protect(page, page + pageSize(), PROT_READ | PROT_WRITE);
  // Another thread may have been here first.
  pid_t thread = gettid();
  auto& last = table.last[static_cast<size_t>(thread) % 64];
  bool again = last.thread == thread && last.address == address;
  last = {thread, known ? 0 : address};
  return known || !again;
}

/** Whether this thread looks for who calls, in the handler. */
__attribute__((tls_model("initial-exec"))) thread_local bool looking = false;

/** Who walks the stack reads the program's variables, too: where its handlers of exceptions are. */
bool touchedByLook(uintptr_t address) {
  uintptr_t page = address / pageSize() * pageSize();
  Hold hold;
  bool known = std::any_of(table.ranges, table.ranges + table.used, [&](const Range& range) {
    return range.owner.load() != nullptr && page >= range.first && page < range.end;
  });
  known |= std::any_of(std::begin(table.watches), std::end(table.watches), [&](const Watch& watch) {
    return watch.owner.load() != nullptr && page >= watch.first && page < watch.end;
  });
  return settle(address, known);
}

/** The program touches an address. Whether it is guarded, or was a moment ago. */
bool touched(uintptr_t address, bool writes) {
  if (looking) return touchedByLook(address);
  looking = true;
  Calls here = callsNow();
  looking = false;
  uintptr_t page = address / pageSize() * pageSize();
  bool known = false;
  Hold hold;
  for (size_t i = 0; i < table.used; i++) {
    Range& range = table.ranges[i];
    if (range.owner.load() == nullptr || page < range.first || page >= range.end) continue;
    known = true;
    if (range.told || !range.holds(address)) continue;
    note(range, here, writes, "");
    apply(range.first, range.end);
  }
  for (Watch& watch : table.watches) {
    if (watch.owner.load() == nullptr || page < watch.first || page >= watch.end) continue;
    known = true;
    if (watch.open || watch.paused) continue;
    note(watch, address, here, writes);
    apply(watch.first, watch.end);
  }
  return settle(address, known);
}

bool isWrite(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t WRITES = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & WRITES) != 0;
#else
  (void)context;
  return false;
#endif
}

void onFault(int signal, siginfo_t* info, void* context) {
  int error = errno;
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (info->si_code == SEGV_ACCERR && (awaitMoved(address) || touched(address, isWrite(context)))) {
    errno = error;
    return;
  }
  const struct sigaction& before = table.before;
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    sigaction(signal, &before, nullptr);  // the fault repeats and reaches the default handler
  }
  errno = error;
}

}  // namespace

/** The program may have handlers of its own. */
void listenForFaults() {
  struct sigaction now = {};
  sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == onFault) return;
  callsNow();  // loads libraries that it needs now
  table.before = now;
  struct sigaction mine = {};
  mine.sa_sigaction = onFault;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&mine.sa_mask);
  sigaction(SIGSEGV, &mine, nullptr);
}

namespace {

/** Memory of the host, as the host addresses it. */
std::optional<Allocation> hostMemory(const void* address) {
  auto found = Allocations::get().find(address);
  if (!found || !(found->onHost() || found->kind == Kind::MANAGED)) return {};
  // The device's address of registered memory is not the one that the program uses.
  if (found->kind == Kind::REGISTERED && found->device == found->start) return {};
  return found;
}

bool add(const Completion& point, const Plane& plane, size_t width, size_t height, size_t depth, bool written,
         bool filled) {
  if (width == 0 || height == 0 || depth == 0) return false;
  auto memory = hostMemory(plane.address);
  if (!memory) return false;
  listenForFaults();
  Hold hold;
  size_t at = 0;
  while (at < table.used && table.ranges[at].owner.load() != nullptr) at++;
  if (at == MOST) return false;
  Range& range = table.ranges[at];
  range.start = reinterpret_cast<uintptr_t>(plane.address);
  range.width = width;
  range.height = height;
  range.depth = depth;
  range.pitch = plane.pitch;
  range.slice = plane.slice;
  range.written = written;
  range.filled = filled;
  range.told = false;
  uintptr_t last = range.start + (depth - 1) * plane.slice + (height - 1) * plane.pitch + width;
  if (memory->kind == Kind::REGISTERED) {
    // The first and the last page also hold other data of the program.
    range.first = (range.start + pageSize() - 1) / pageSize() * pageSize();
    range.end = std::max(range.first, last / pageSize() * pageSize());
  } else {
    range.first = range.start / pageSize() * pageSize();
    range.end = (last + pageSize() - 1) / pageSize() * pageSize();
  }
  range.owner = &point;
  table.used = std::max(table.used, at + 1);
  apply(range.first, range.end);
  return true;
}

/** Whether a page of these is protected. */
bool guarded(uintptr_t start, size_t bytes) {
  Hold hold;
  for (const Watch& watch : table.watches) {
    if (watch.owner.load() != nullptr && start < watch.end && watch.first < start + bytes) return true;
  }
  for (size_t i = 0; i < table.used; i++) {
    const Range& range = table.ranges[i];
    if (range.owner.load() == nullptr) continue;
    if (range.meets(start, bytes) || (start < range.end && range.first < start + bytes)) return true;
  }
  return false;
}

bool watch(const Completion& point, const void* data) {
  auto start = reinterpret_cast<uintptr_t>(data);
  if (data == nullptr || Allocations::get().find(data) || !isGlobal(start)) return false;
  listenForFaults();
  Hold hold;
  for (Watch& watch : table.watches) {
    if (watch.owner.load() != nullptr) continue;
    watch.start = start;
    watch.first = start / pageSize() * pageSize();
    watch.end = watch.first + pageSize();
    watch.open = watch.paused = false;
    watch.faults = 0;
    watch.notes = 0;
    watch.owner = &point;
    apply(watch.first, watch.end);
    return true;
  }
  return false;
}

std::string sizeText(size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

void tell(const Touch& touch) {
  if (!fromProgram(touch.here)) return;
  std::string by = touch.by;
  std::string who = by.empty() ? "the host" : by;
  std::string what = touch.filled ? "fill" : "copy";
  std::string title = who + (touch.writes ? " writes" : " reads") + " memory that an asynchronous " + what +
                      (touch.toBeWritten ? " has not written yet" : " has not read yet");
  std::string why = "the call returns before the " + what + " of " + sizeText(touch.bytes) + " is done: ";
  if (!touch.writes) {
    why += "the host may read old values, new values or a mixture";
  } else if (touch.toBeWritten) {
    why += "the host's write may be lost";
  } else {
    why += "the operation may read old values, new values or a mixture";
  }
  why += "; in this run nothing waited for it";
  std::string advice = "wait for the " + what +
                       " first: call hipStreamSynchronize on its stream, or hipEventSynchronize on an event that is "
                       "recorded after it";
  found(Check::ORDER, true, title, why, advice,
        {{by.empty() ? (touch.writes ? "write by the host" : "read by the host") : by, touch.here},
         {"asynchronous " + what + " of " + sizeText(touch.bytes), touch.operation}});
}

}  // namespace

bool hostSees(const Operation& operation) {
  if (const auto* copy = std::get_if<Copy>(&operation)) {
    return hostMemory(copy->to.address) || hostMemory(copy->from.address);
  }
  if (const auto* fill = std::get_if<Fill>(&operation)) return hostMemory(fill->to.address).has_value();
  if (const auto* launch = std::get_if<Launch>(&operation)) {
    for (size_t at = 0; at + sizeof(void*) <= launch->arguments.size(); at += sizeof(void*)) {
      uintptr_t value;
      memcpy(&value, launch->arguments.data() + at, sizeof value);
      auto found = Allocations::get().find(value);
      if (found && (found->onHost() || found->kind == Kind::MANAGED)) return true;
    }
    return false;
  }
  return true;
}

bool guard(const Completion& point, const Operation& operation) {
  bool any = false;
  if (const auto* copy = std::get_if<Copy>(&operation)) {
    any |= add(point, copy->to, copy->width, copy->height, copy->depth, true, false);
    any |= add(point, copy->from, copy->width, copy->height, copy->depth, false, false);
  } else if (const auto* fill = std::get_if<Fill>(&operation)) {
    any |= add(point, fill->to, fill->width * fill->elementSize, fill->height, fill->depth, true, true);
  } else if (const auto* call = std::get_if<HostCall>(&operation)) {
    any |= watch(point, call->data);
  } else if (const auto* task = std::get_if<Task>(&operation)) {
    any |= watch(point, task->data);
  }
  return any;
}

void unguard(const Completion& point) {
  Hold hold;
  for (size_t i = 0; i < table.used; i++) {
    Range& range = table.ranges[i];
    if (range.owner.load() != &point) continue;
    range.owner = nullptr;
    apply(range.first, range.end);
  }
  for (Watch& watch : table.watches) {
    if (watch.owner.load() != &point) continue;
    watch.open = true;
    apply(watch.first, watch.end);
    for (size_t i = 0; i < watch.notes; i++) watch.note[i].value = valueAt(watch.note[i].address);
  }
}

void compare(const Completion& point) {
  std::vector<Calls> early;
  {
    Hold hold;
    for (Watch& watch : table.watches) {
      if (watch.owner.load() != &point) continue;
      for (size_t i = 0; i < watch.notes; i++) {
        if (watch.note[i].value != valueAt(watch.note[i].address)) early.push_back(watch.note[i].here);
      }
      watch.owner = nullptr;
    }
  }
  // A program that makes no calls, or polls, waits for the function in another way.
  if (point.ticket->nudged) return;
  for (const Calls& here : early) {
    if (!fromProgram(here)) continue;
    found(Check::ORDER, true, "the host reads what a host function on a stream has not written yet",
          "the function runs when the stream reaches it, which in this run was after the read: the host reads the "
          "old values",
          "wait for the function first: call hipStreamSynchronize on its stream, or hipEventSynchronize on an event "
          "that is recorded after it",
          {{"read by the host", here}, {"host function", point.ticket->calls}});
  }
}

void watchAgain() {
  Hold hold;
  for (Watch& watch : table.watches) {
    if (watch.owner.load() == nullptr || watch.open || !watch.paused) continue;
    watch.paused = false;
    apply(watch.first, watch.end);
  }
}

void tellOfHost() {
  static std::mutex one;
  thread_local bool telling = false;  // printing also uses memory
  if (telling || table.touched.load() == 0) return;
  std::lock_guard lock(one);
  telling = true;
  for (size_t next = 0;; next++) {
    Touch touch;
    {
      Hold hold;
      if (next == table.touched.load()) {
        table.touched = 0;
        telling = false;
        return;
      }
      touch = table.touches[next];
    }
    tell(touch);
  }
}

}  // namespace rocport

using namespace rocport;

extern "C" {

// Called before functions such as MPI's pass memory to others.
void rocportHostUses(const void* address, size_t bytes, int writes, const char* function) {
  try {
    if (clocks() && strstr(function, "MPI_") != nullptr) {
      usedByMpi(address, bytes, writes != 0);
    } else if (writes) {
      touchedByOthers(address, bytes);
    }
  } catch (const Failure&) {
    // The device has ended; the next call reports it.
  }
  if (bytes == 0 || !late()) return;
  auto start = reinterpret_cast<uintptr_t>(address);
  if (!guarded(start, bytes)) return;
  Calls here = callsNow();
  {
    Hold hold;
    for (size_t i = 0; i < table.used; i++) {
      Range& range = table.ranges[i];
      if (range.owner.load() == nullptr || range.told || !(range.written || writes)) continue;
      if (range.meets(start, bytes)) {
        note(range, here, writes != 0, function);
        apply(range.first, range.end);
      }
    }
    for (Watch& watch : table.watches) {
      if (watch.owner.load() == nullptr || start >= watch.end || watch.first >= start + bytes) continue;
      watch.open = true;
      apply(watch.first, watch.end);
    }
    // System calls cannot access protected memory.
    uintptr_t first = start / pageSize() * pageSize();
    uintptr_t end = (start + bytes + pageSize() - 1) / pageSize() * pageSize();
    for (size_t i = 0; i < table.used; i++) {
      const Range& range = table.ranges[i];
      if (range.owner.load() != nullptr) protect(std::max(first, range.first), std::min(end, range.end), PROT_READ | PROT_WRITE);
    }
  }
  tellOfHost();
}

}  // extern "C"
