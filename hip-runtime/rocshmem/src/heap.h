// Allocations in the symmetric heap. They are the same on all PEs, since all make the same requests.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace rocshmem::detail {

class Heap {
 public:
  static constexpr size_t ALIGNMENT = 128;

  /** Offsets from begin to end. */
  Heap(size_t begin, size_t end) { free_[begin] = end - begin; }

  /** The first part that fits. */
  std::optional<size_t> take(size_t bytes, size_t alignment) {
    size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size < bytes) return {};
    if (alignment < ALIGNMENT) alignment = ALIGNMENT;
    for (auto [start, there] : free_) {
      size_t at = (start + alignment - 1) / alignment * alignment;
      if (at < start || at - start > there || there - (at - start) < size) continue;
      free_.erase(start);
      if (at > start) free_[start] = at - start;
      size_t rest = there - (at - start) - size;
      if (rest > 0) free_[at + size] = rest;
      taken_[at] = size;
      return at;
    }
    return {};
  }

  /** Whether it was taken. */
  bool give(size_t at) {
    auto found = taken_.find(at);
    if (found == taken_.end()) return false;
    size_t size = found->second;
    taken_.erase(found);
    auto next = free_.lower_bound(at);
    if (next != free_.end() && next->first == at + size) {
      size += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == at) {
        before->second += size;
        return true;
      }
    }
    free_[at] = size;
    return true;
  }

 private:
  std::map<size_t, size_t> free_;
  std::map<size_t, size_t> taken_;
};

}  // namespace rocshmem::detail
