#include "moving.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "pending.h"

namespace rocport {
namespace {

// What the handler reads. The number is odd while pages are being moved.
std::atomic<unsigned> number{0};
std::atomic<uintptr_t> first{0};
std::atomic<uintptr_t> end{0};
std::atomic<pid_t> mover{0};

/** The fault that this thread repeated last: the same one again is no fault of a move. */
struct Repeated {
  uintptr_t address;
  unsigned number;
};

__attribute__((tls_model("initial-exec"))) thread_local Repeated repeated = {0, 0};

void protect(uintptr_t from, uintptr_t to, int how) {
  mprotect(reinterpret_cast<void*>(from), to - from, how);
}

}  // namespace

Moving::Moving(uintptr_t first_page, uintptr_t end_page) : first_(first_page), end_(end_page) {
  listenForFaults();
  auto here = reinterpret_cast<uintptr_t>(this);
  mover.store(gettid());
  first.store(first_);
  end.store(end_);
  number.fetch_add(1);
  // This thread must be able to write to its own stack.
  if (here < first_ || here >= end_) protect(first_, end_, PROT_READ);
}

Moving::~Moving() {
  protect(first_, end_, PROT_READ | PROT_WRITE);
  number.fetch_add(1);
}

bool awaitMoved(uintptr_t address) {
  unsigned now = number.load();
  bool inside = address >= first.load() && address < end.load();
  if (number.load() != now) return true;
  if (!inside) return false;
  if (now % 2 == 1) {
    if (gettid() == mover.load()) return false;
    while (number.load() == now) sched_yield();
    return true;
  }
  // The move may have ended since the fault.
  if (repeated.address == address && repeated.number == now) return false;
  repeated = {address, now};
  return true;
}

}  // namespace rocport
