// A point in a stream that others can wait for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "clock.h"

namespace rocport {

struct Ticket;

class Completion {
 public:
  using Time = std::chrono::steady_clock;

  bool done() const { return done_.load(std::memory_order_acquire); }

  void wait() {
    if (done()) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done(); });
  }

  void finish() {
    std::lock_guard lock(mutex_);
    time_ = Time::now();
    done_.store(true, std::memory_order_release);
    changed_.notify_all();
  }

  /** When it was reached; only once it is done. */
  Time::time_point time() const { return time_; }

  /** Of a command that waits until it is needed; null where they do not. */
  std::shared_ptr<Ticket> ticket;

  /** What has happened before it, where clocks are kept: made before it is reached. */
  Clock clock;

 private:
  std::atomic<bool> done_{false};
  Time::time_point time_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

using Point = std::shared_ptr<Completion>;

/** The host waits for points, and is then ordered after everything before them. */
void await(const std::vector<Point>& points);

/** The host queries whether a point has been reached, and is ordered after it if it has. */
bool reached(const Point& point);

}  // namespace rocport
