// Runs independent parts of a computation on the available processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace rocport {

/** Calls part(0) to part(count - 1), in any order. */
template <class Part>
void parallel(int64_t count, Part part) {
  auto workers = static_cast<int64_t>(std::min(16U, std::max(1U, std::thread::hardware_concurrency())));
  workers = std::min(workers, count);
  std::atomic<int64_t> next{0};
  auto work = [&] {
    for (int64_t i; (i = next++) < count;) part(i);
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < workers; i++) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace rocport
