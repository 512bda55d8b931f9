// A point in a stream that others can wait for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace rocport {

class Completion {
 public:
  using Clock = std::chrono::steady_clock;

  bool done() const { return done_.load(std::memory_order_acquire); }

  void wait() {
    if (done()) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done(); });
  }

  void finish() {
    std::lock_guard lock(mutex_);
    time_ = Clock::now();
    done_.store(true, std::memory_order_release);
    changed_.notify_all();
  }

  /** When it was reached; only once it is done. */
  Clock::time_point time() const { return time_; }

 private:
  std::atomic<bool> done_{false};
  Clock::time_point time_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

using Point = std::shared_ptr<Completion>;

}  // namespace rocport
