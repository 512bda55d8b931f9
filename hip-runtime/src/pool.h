// A memory pool: memory that was freed in the order of a stream, kept for allocations that come after it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "allocation.h"
#include "error.h"

namespace rocport {

class Stream;

class Pool : public std::enable_shared_from_this<Pool> {
 public:
  /**
   * @param handles by which other processes may import it
   * @param foreign imported: only its owner allocates from it
   * @param most bytes that it may reserve; 0 for any number
   */
  explicit Pool(int device, hipMemAllocationHandleType handles = hipMemHandleTypeNone, bool foreign = false,
                size_t most = 0)
      : device(device), handles(handles), foreign(foreign), most(most) {}

  const int device;
  const hipMemAllocationHandleType handles;
  const bool foreign;
  const size_t most;

  /** Allocates for what is put into a stream from now on; hipErrorOutOfMemory if that is too much. */
  void* take(size_t bytes, Stream& stream);

  /** Frees memory of the pool once the stream gets there; hipErrorInvalidValue if it is not of the pool. */
  void giveBack(const void* address, Stream& stream);

  /** Frees memory of the pool that nothing uses any more. */
  void giveBack(const void* address);

  /** Releases free memory while at least so many bytes remain reserved. */
  void trim(size_t least);

  /** Releases free memory above the threshold. */
  void synchronized();

  /** Releases all free memory, unless another thread uses the pool. Whether there was any. */
  bool empty();

  /** Releases all free memory. The rest becomes allocations of no pool. */
  void dissolve();

  /** Frees all memory. */
  void reset();

  void set(hipMemPoolAttr name, const void* value);
  void get(hipMemPoolAttr name, void* value);

  /** Whether any pool has memory to release. */
  static bool anyIdle();

  std::map<int, hipMemAccessFlags> access;

 private:
  enum class State { PENDING, IDLE, TAKEN };

  /** Memory that was freed. */
  struct Block {
    uintptr_t start = 0;
    size_t size = 0;      // of the memory
    uint64_t stream = 0;  // that freed it
    uint64_t number = 0;  // of the free
    State state = State::PENDING;
    size_t next = 0;  // bytes of the allocation that took it before the stream had got to the free
  };

  using Shared = std::shared_ptr<Block>;

  struct BySize {
    bool operator()(const Shared& a, const Shared& b) const {
      return a->size != b->size ? a->size < b->size : a->start < b->start;
    }
  };

  bool reuse(hipMemPoolAttr name) const;
  Shared fitting(size_t bytes, Stream& stream);
  void* occupy(const Shared& block, size_t bytes);
  void* reserve(size_t bytes);
  size_t used(const void* address);
  void settle(const Shared& block);

  /** Releases free memory until at most so many bytes are reserved, but never fewer than the least. */
  bool shrink(size_t most, size_t least = 0);

  void enter(uintptr_t start, size_t bytes);
  static void idle(ptrdiff_t change);

  std::recursive_mutex mutex_;  // allocations empty pools where memory is short
  /** What is allocated. */
  struct Live {
    size_t size = 0;   // of the memory
    size_t bytes = 0;  // of the allocation
  };

  std::map<uintptr_t, Live> live_;
  std::set<Shared, BySize> free_;
  uint64_t used_ = 0;
  uint64_t highUsed_ = 0;
  uint64_t reserved_ = 0;
  uint64_t highReserved_ = 0;
  uint64_t threshold_ = 0;
  bool dissolved_ = false;
  std::map<hipMemPoolAttr, int> reuse_;
};

/** The host has waited: pools release free memory above their thresholds. */
void trimPools();

/** Memory is short: pools release all free memory. Whether there was any. */
bool emptyPools();

/** Frees all memory of the pools of a device. */
void resetPools(int device);

}  // namespace rocport
