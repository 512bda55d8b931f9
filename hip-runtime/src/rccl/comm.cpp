#include "comm.h"

#include "newer.h"

namespace rocport::ccl {
namespace {

struct Known {
  std::mutex mutex;
  std::map<const Comm*, std::shared_ptr<Comm>> comms;
};

Known& known() {
  static auto* all = new Known;
  return *all;
}

}  // namespace

void check(hipError_t error) {
  if (error != hipSuccess) fail(ncclUnhandledCudaError, hipGetErrorString(error));
}

OnGpu::OnGpu(int gpu) {
  check(hipGetDevice(&before_));
  check(hipSetDevice(gpu));
}

OnGpu::~OnGpu() { (void)hipSetDevice(before_); }

std::shared_ptr<Comm> Comm::make(int ranks, int rank, int gpu) {
  auto made = std::make_shared<Comm>(ranks, rank, gpu);
  std::lock_guard lock(known().mutex);
  known().comms[made.get()] = made;
  return made;
}

std::shared_ptr<Comm> Comm::of(const ncclComm* handle) {
  std::lock_guard lock(known().mutex);
  auto found = known().comms.find(reinterpret_cast<const Comm*>(handle));
  if (found == known().comms.end()) {
    fail(ncclInvalidArgument, handle == nullptr ? "the communicator is null"
                                                : "the communicator is invalid or was destroyed");
  }
  return found->second;
}

void Comm::forget() {
  std::shared_ptr<Comm> kept;
  {
    std::lock_guard lock(known().mutex);
    auto found = known().comms.find(this);
    if (found == known().comms.end()) return;
    kept = std::move(found->second);
    known().comms.erase(found);
  }
  std::lock_guard lock(mutex_);
  life_ = Life::GONE;
  if (last_ != nullptr) (void)hipEventDestroy(last_);
  last_ = nullptr;
  if (clique) clique->leave();
}

void Comm::joined(ncclResult_t result) {
  std::lock_guard lock(mutex_);
  joined_ = result;
  if (life_ == Life::JOINING) life_ = result == ncclSuccess ? Life::USABLE : Life::BROKEN;
  changed_.notify_all();
}

void Comm::awaitJoined() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return life_ != Life::JOINING; });
}

bool Comm::joining() {
  std::lock_guard lock(mutex_);
  return life_ == Life::JOINING;
}

ncclResult_t Comm::state() {
  std::lock_guard lock(mutex_);
  if (life_ == Life::JOINING) return IN_PROGRESS;
  if (life_ == Life::BROKEN) return joined_;
  try {
    clique->check();
    return ncclSuccess;
  } catch (const Failure& failure) {
    return failure.result;
  }
}

void Comm::requireUsable() {
  awaitJoined();
  std::lock_guard lock(mutex_);
  if (life_ == Life::BROKEN) fail(joined_, "the ranks of the communicator never joined");
  if (life_ == Life::FINALIZED) fail(ncclInvalidUsage, "the communicator is finalized");
  clique->check();
}

ncclRedOp_t Comm::add(const Scale& scale) {
  std::lock_guard lock(mutex_);
  scales_[nextScale_] = scale;
  return static_cast<ncclRedOp_t>(nextScale_++);
}

Scale Comm::scale(int operation) {
  std::lock_guard lock(mutex_);
  auto found = scales_.find(operation);
  if (found == scales_.end()) fail(ncclInvalidArgument, "unsupported reduction " + std::to_string(operation));
  return found->second;
}

void Comm::remove(int operation) {
  scale(operation);
  std::lock_guard lock(mutex_);
  scales_.erase(operation);
}

void Comm::begin() {
  std::lock_guard lock(mutex_);
  inFlight_++;
}

void Comm::end() {
  std::lock_guard lock(mutex_);
  inFlight_--;
  changed_.notify_all();
}

void Comm::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return inFlight_ == 0; });
}

void Comm::finalize() {
  drain();
  std::lock_guard lock(mutex_);
  if (life_ == Life::USABLE) life_ = Life::FINALIZED;
}

void Comm::abort() {
  {
    std::lock_guard lock(mutex_);
    aborted_ = true;
    changed_.notify_all();
  }
  if (clique) clique->changed();
}

bool Comm::aborted() {
  std::lock_guard lock(mutex_);
  return aborted_ || life_ == Life::GONE;
}

bool Comm::isAbortedWithin(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [this] { return aborted_; });
}

void Comm::order(hipStream_t stream) {
  std::lock_guard lock(mutex_);
  if (last_ != nullptr && lastStream_ != stream) check(hipStreamWaitEvent(stream, last_, 0));
}

void Comm::ordered(hipStream_t stream) {
  std::lock_guard lock(mutex_);
  if (last_ == nullptr) check(hipEventCreateWithFlags(&last_, hipEventDisableTiming));
  check(hipEventRecord(last_, stream));
  lastStream_ = stream;
}

std::string Comm::place() const { return "rank " + std::to_string(rank) + " of " + std::to_string(ranks); }

}  // namespace rocport::ccl
