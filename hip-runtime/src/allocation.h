// The allocations of this process, used to classify pointers and to check copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "error.h"

namespace rocport {

class Pool;

enum class Kind {
  DEVICE,
  FINE_GRAINED,
  HOST,
  MANAGED,
  REGISTERED,  // the program's own memory, moved into the arena
  VARIABLE,    // of a loaded module
  IPC,         // another process' allocation
  MAPPED,      // memory that the program has mapped at addresses of its choice
};

/** A range of addresses that the host can use; the device may use another address for it. */
struct Allocation {
  uintptr_t start = 0;
  size_t size = 0;
  Kind kind = Kind::DEVICE;
  int gpu = 0;
  unsigned flags = 0;
  uintptr_t device = 0;  // its address on the device
  Pool* pool = nullptr;
  bool synchronous = false;  // hipPointerSetAttribute: copies on the GPU wait, as others do in any case

  bool onHost() const { return kind == Kind::HOST || kind == Kind::REGISTERED; }
};

class Allocations {
 public:
  static Allocations& get();

  void add(const Allocation& allocation);

  /** Takes out the allocation that starts here. */
  std::optional<Allocation> remove(uintptr_t start);

  /** The allocation that holds this address. */
  std::optional<Allocation> find(uintptr_t address) const;

  std::optional<Allocation> find(const void* address) const {
    return find(reinterpret_cast<uintptr_t>(address));
  }

  /** All of one GPU, in the order of their addresses. */
  std::vector<Allocation> of(int gpu) const;

  /** Whether an allocation overlaps the range. */
  bool overlaps(uintptr_t start, size_t size) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, Allocation> byStart_;
};

/**
 * Looks up a pointer that a call is about to use for this many bytes. Empty for the program's own
 * memory. Fails with hipErrorInvalidValue if the range leaves its allocation or was freed.
 */
std::optional<Allocation> checked(const void* address, size_t bytes);

}  // namespace rocport
