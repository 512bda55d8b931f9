#include <algorithm>
#include <vector>

#include "device.h"
#include "memory.h"
#include "pool.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

/** How many blocks of all pools can be released. */
std::atomic<ptrdiff_t> releasable{0};

using Lock = std::lock_guard<std::recursive_mutex>;

}  // namespace

void Pool::idle(ptrdiff_t change) { releasable += change; }

bool Pool::anyIdle() { return releasable > 0; }

bool Pool::reuse(hipMemPoolAttr name) const {
  auto kept = reuse_.find(name);
  return kept == reuse_.end() || kept->second != 0;
}

// Free memory of about this size that nothing uses which is not ordered before the stream's next command. With checks,
// none: a use after the free would be a use of the new allocation.
Pool::Shared Pool::fitting(size_t bytes, Stream& stream) {
  if (Session::get().checks()) return nullptr;
  auto wanted = std::make_shared<Block>();
  wanted->size = bytes;
  for (auto at = free_.lower_bound(wanted); at != free_.end() && (*at)->size - bytes <= bytes / 8; ++at) {
    const Block& block = **at;
    bool ordered = block.stream == stream.number ||
                   (reuse(hipMemPoolReuseFollowEventDependencies) && stream.follows(block.stream, block.number));
    bool done = block.state == State::IDLE && reuse(hipMemPoolReuseAllowOpportunistic);
    if (ordered || done) return *at;
  }
  return nullptr;
}

void Pool::enter(uintptr_t start, size_t bytes) {
  Allocation made;
  made.start = made.device = start;
  made.size = bytes;
  made.kind = Kind::DEVICE;
  made.gpu = device;
  made.pool = this;
  Allocations::get().add(made);
}

void* Pool::occupy(const Shared& block, size_t bytes) {
  if (block->state == State::IDLE) {
    Session::get().call(Message::REUSE, Writer().u64(block->start).u64(bytes));
    idle(-1);
  }
  free_.erase(block);
  block->state = State::TAKEN;
  block->next = bytes;
  live_[block->start] = {block->size, bytes};
  enter(block->start, bytes);
  return reinterpret_cast<void*>(block->start);
}

void* Pool::reserve(size_t bytes) {
  if (most != 0 && reserved_ + bytes > most) shrink(0);
  require(most == 0 || (bytes <= most && reserved_ <= most - bytes), hipErrorOutOfMemory);
  int before = currentDevice();
  useDevice(device);
  void* address;
  try {
    address = allocate(Kind::DEVICE, bytes);
  } catch (...) {
    useDevice(before);
    throw;
  }
  useDevice(before);
  auto start = reinterpret_cast<uintptr_t>(address);
  live_[start] = {bytes, bytes};
  enter(start, bytes);
  reserved_ += bytes;
  highReserved_ = std::max(highReserved_, reserved_);
  return address;
}

void* Pool::take(size_t bytes, Stream& stream) {
  require(!foreign);
  if (bytes == 0) return nullptr;
  Lock lock(mutex_);
  Shared block = fitting(bytes, stream);
  void* address = block ? occupy(block, bytes) : reserve(bytes);
  used_ += bytes;
  highUsed_ = std::max(highUsed_, used_);
  return address;
}

// Takes memory out of use and returns its size.
size_t Pool::used(const void* address) {
  auto live = live_.find(reinterpret_cast<uintptr_t>(address));
  require(live != live_.end());
  size_t size = live->second.size;
  used_ -= live->second.bytes;
  live_.erase(live);
  return size;
}

void Pool::giveBack(const void* address, Stream& stream) {
  Lock lock(mutex_);
  auto block = std::make_shared<Block>();
  block->size = used(address);
  block->start = reinterpret_cast<uintptr_t>(address);
  block->stream = stream.number;
  stream.enqueue(Task{[pool = shared_from_this(), block] { pool->settle(block); }});
  block->number = Stream::nextFree();
  free_.insert(block);
}

void Pool::giveBack(const void* address) {
  Lock lock(mutex_);
  auto block = std::make_shared<Block>();
  block->size = used(address);
  block->start = reinterpret_cast<uintptr_t>(address);
  block->state = State::IDLE;
  Allocations::get().remove(block->start);
  Session::get().call(Message::KEEP, Writer().u64(block->start));
  free_.insert(block);
  idle(1);
  shrink(threshold_);
}

// The stream has got to the free.
void Pool::settle(const Shared& block) {
  Lock lock(mutex_);
  if (block->state == State::TAKEN) {
    Session::get().call(Message::REUSE, Writer().u64(block->start).u64(block->next));
  } else if (free_.count(block) != 0) {
    Allocations::get().remove(block->start);
    Session::get().call(Message::KEEP, Writer().u64(block->start));
    block->state = State::IDLE;
    idle(1);
    if (dissolved_) shrink(0);
  }
}

bool Pool::shrink(size_t most, size_t least) {
  bool any = false;
  for (auto at = free_.begin(); at != free_.end() && reserved_ > most;) {
    const Block& block = **at;
    if (block.state != State::IDLE || reserved_ - block.size < least) {
      ++at;
      continue;
    }
    Session::get().call(Message::FREE, Writer().u64(block.start));
    reserved_ -= block.size;
    at = free_.erase(at);
    idle(-1);
    any = true;
  }
  return any;
}

void Pool::trim(size_t least) {
  Lock lock(mutex_);
  shrink(least, least);
}

void Pool::synchronized() {
  Lock lock(mutex_);
  shrink(threshold_);
}

// A thread that holds one pool must not wait for another.
bool Pool::empty() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && shrink(0);
}

void Pool::dissolve() {
  Lock lock(mutex_);
  dissolved_ = true;
  shrink(0);
  for (Allocation& left : Allocations::get().of(device)) {
    if (left.pool != this) continue;
    left.pool = nullptr;
    Allocations::get().add(left);
  }
}

void Pool::reset() {
  Lock lock(mutex_);
  for (const auto& [start, size] : live_) release(reinterpret_cast<void*>(start));
  live_.clear();
  reserved_ = 0;
  for (const Shared& block : free_) reserved_ += block->size;
  used_ = 0;
  shrink(0);
}

void Pool::set(hipMemPoolAttr name, const void* value) {
  Lock lock(mutex_);
  switch (name) {
    case hipMemPoolReuseFollowEventDependencies:
    case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
      reuse_[name] = *static_cast<const int*>(value);
      return;
    case hipMemPoolAttrReleaseThreshold:
      threshold_ = *static_cast<const uint64_t*>(value);
      return;
    case hipMemPoolAttrReservedMemHigh:
      require(*static_cast<const uint64_t*>(value) == 0);
      highReserved_ = reserved_;
      return;
    case hipMemPoolAttrUsedMemHigh:
      require(*static_cast<const uint64_t*>(value) == 0);
      highUsed_ = used_;
      return;
    default:
      fail(hipErrorInvalidValue);
  }
}

void Pool::get(hipMemPoolAttr name, void* value) {
  Lock lock(mutex_);
  auto* number = static_cast<uint64_t*>(value);
  switch (name) {
    case hipMemPoolReuseFollowEventDependencies:
    case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies: {
      auto kept = reuse_.find(name);
      *static_cast<int*>(value) = kept == reuse_.end() ? 1 : kept->second;
      return;
    }
    case hipMemPoolAttrReleaseThreshold:
      *number = threshold_;
      return;
    case hipMemPoolAttrReservedMemCurrent:
      *number = reserved_;
      return;
    case hipMemPoolAttrReservedMemHigh:
      *number = highReserved_;
      return;
    case hipMemPoolAttrUsedMemCurrent:
      *number = used_;
      return;
    case hipMemPoolAttrUsedMemHigh:
      *number = highUsed_;
      return;
  }
  fail(hipErrorInvalidValue);
}

}  // namespace rocport
