#include "allocation.h"

#include <mutex>

#include "session.h"
#include "virtual.h"

namespace rocport {

Allocations& Allocations::get() {
  static auto* all = new Allocations;
  return *all;
}

void Allocations::add(const Allocation& allocation) {
  std::unique_lock lock(mutex_);
  byStart_[allocation.start] = allocation;
}

std::optional<Allocation> Allocations::remove(uintptr_t start) {
  std::unique_lock lock(mutex_);
  auto at = byStart_.find(start);
  if (at == byStart_.end()) return std::nullopt;
  Allocation found = at->second;
  byStart_.erase(at);
  return found;
}

std::optional<Allocation> Allocations::find(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto after = byStart_.upper_bound(address);
  if (after == byStart_.begin()) return std::nullopt;
  const Allocation& last = std::prev(after)->second;
  if (address - last.start >= last.size) return std::nullopt;
  return last;
}

std::vector<Allocation> Allocations::of(int gpu) const {
  std::shared_lock lock(mutex_);
  std::vector<Allocation> found;
  for (const auto& [start, allocation] : byStart_) {
    if (allocation.gpu == gpu) found.push_back(allocation);
  }
  return found;
}

bool Allocations::overlaps(uintptr_t start, size_t size) const {
  std::shared_lock lock(mutex_);
  auto after = byStart_.lower_bound(start + size);
  if (after == byStart_.begin()) return false;
  const Allocation& last = std::prev(after)->second;
  return last.start + last.size > start;
}

std::optional<Allocation> checked(const void* address, size_t bytes) {
  require(address != nullptr);
  auto value = reinterpret_cast<uintptr_t>(address);
  auto found = Allocations::get().find(value);
  if (!found) {
    require(!Session::get().shares(value) && !reserves(value));
    return found;
  }
  if (found->kind == Kind::MAPPED) {
    // Adjacent mappings count as one.
    uintptr_t end = found->start + found->size;
    while (bytes > end - value) {
      auto next = Allocations::get().find(end);
      require(next && next->kind == Kind::MAPPED && next->start == end);
      end += next->size;
    }
    return found;
  }
  // Registered memory belongs to the program: a copy may continue into the memory after it.
  bool own = found->kind == Kind::REGISTERED && !Session::get().shares(value);
  require(own || bytes <= found->size - (value - found->start));
  return found;
}

}  // namespace rocport
