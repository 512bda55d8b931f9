#include "sharedevent.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "clock.h"
#include "device.h"
#include "library/ended.h"
#include "memory.h"

namespace rocport {

struct SharedEvent::State {
  std::atomic<int32_t> owner;
  std::atomic<int32_t> recorder;  // the process that recorded last
  std::atomic<uint32_t> recorded;
  std::atomic<uint32_t> reached;
};

namespace {

/** A page of its own, which reads as zero once its owner has ended. */
constexpr size_t BYTES = 4096;

bool atLeast(uint32_t value, uint32_t wanted) { return static_cast<int32_t>(value - wanted) >= 0; }

long futex(const std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* time) {
  return syscall(SYS_futex, &word, operation, value, time, nullptr, 0);
}

}  // namespace

SharedEvent::SharedEvent() : own_(true) {
  void* memory = allocate(Kind::HOST, BYTES);
  memset(memory, 0, BYTES);
  state_ = static_cast<State*>(memory);
  state_->owner = getpid();
}

SharedEvent::SharedEvent(const Handle& handle) : own_(false) {
  Writer request;
  request.raw(handle.data(), handle.size()).u32(static_cast<uint32_t>(currentDevice()));
  Reader reply = Session::get().call(Message::IPC_OPEN, request);
  state_ = reinterpret_cast<State*>(reply.u64());
  if (state_->owner == getpid()) {
    Session::get().call(Message::IPC_CLOSE, Writer().u64(reinterpret_cast<uintptr_t>(state_)));
    fail(hipErrorInvalidContext);
  }
}

SharedEvent::~SharedEvent() {
  try {
    if (own_) {
      release(state_);
    } else {
      Session::get().call(Message::IPC_CLOSE, Writer().u64(reinterpret_cast<uintptr_t>(state_)));
    }
  } catch (const Failure&) {
    // The device has forgotten it already.
  }
}

Handle SharedEvent::handle() const {
  Reader reply = Session::get().call(Message::IPC_EXPORT, Writer().u64(reinterpret_cast<uintptr_t>(state_)));
  Handle handle;
  memcpy(handle.data(), reply.take(handle.size()), handle.size());
  return handle;
}

uint32_t SharedEvent::begin() {
  state_->recorder = getpid();
  return ++state_->recorded;
}

void SharedEvent::finish(uint32_t number) {
  tellOthers();
  uint32_t before = state_->reached;
  while (!atLeast(before, number) && !state_->reached.compare_exchange_weak(before, number)) {
  }
  futex(state_->reached, FUTEX_WAKE, INT32_MAX, nullptr);
}

uint32_t SharedEvent::last() const { return state_->recorded; }

bool SharedEvent::reached(uint32_t number) const {
  // Without recordings, its owner has destroyed it: there is nothing left to wait for.
  return atLeast(state_->reached, number) || state_->recorded == 0 || ended(state_->recorder);
}

void SharedEvent::wait(uint32_t number) const {
  constexpr timespec LOOK = {0, 100000000};
  while (!reached(number)) {
    uint32_t seen = state_->reached;
    if (!atLeast(seen, number)) futex(state_->reached, FUTEX_WAIT, seen, &LOOK);
  }
  hearOthers();
}

}  // namespace rocport
