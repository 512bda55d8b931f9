// Host-side state of this PE, and requests to its GPU.
#pragma once

#include <hip/hip_runtime.h>

#include <map>
#include <memory>
#include <vector>

#include "bootstrap.h"
#include "core.h"
#include "heap.h"
#include "launcher.h"

namespace rocshmem::detail {

inline void check(hipError_t error, const char* what) {
  if (error != hipSuccess) die("%s failed: %s", what, hipGetErrorString(error));
}

/** A team as the host of one of its PEs knows it. */
struct Members {
  std::vector<int> world;  // their PEs, in the team's order
  int pe;                  // this one's in it
  int slot;
};

class Host {
 public:
  /** Returns the state of this process; ends the program if rocSHMEM is not initialized. */
  static Host& get();
  static bool there();

  static void start(const Place& place);
  static void stop();

  int pe() const { return bootstrap_.rank(); }
  int pes() const { return bootstrap_.ranks(); }
  Bootstrap& bootstrap() { return bootstrap_; }

  /** The parts of the heap; collective. Null if there is none. */
  void* allocate(size_t bytes, size_t alignment);
  void free(void* memory);

  /** Where this process finds what is at that address on another PE; null off the heap. */
  char* at(const void* symmetric, int pe) const;
  char* require(const void* symmetric, int pe) const;

  /** Null for no team of this PE. */
  const Members* members(rocshmem_team_t team) const;
  const Members& require(rocshmem_team_t team) const;

  /** Collective over the parent: a team of these of its members, for those of them. */
  int split(rocshmem_team_t parent, const std::vector<std::vector<int>>& parts, std::vector<rocshmem_team_t*> made);
  void destroy(rocshmem_team_t team);

  void barrier(const Members& team) { bootstrap_.barrier(team.slot, team.world); }

  /** For what the host does itself. */
  hipStream_t stream() const { return stream_; }
  void finish() const { check(hipStreamSynchronize(stream_), "work of the host"); }

  /** Eight bytes that both this host and its GPU reach. */
  uint64_t* cell() const { return cell_; }

  rocshmem_ctx_t context() const { return context_; }

  /** Passes this state to device code, whose variables are at these addresses. */
  void tell(void* world, void* context, void* all, void* shared, hipStream_t stream) const;

 private:
  Host(const Place& place);
  ~Host();

  rocshmem_team_t make(Members members);
  void clear(int slot) const;
  size_t offset(int slot) const { return static_cast<size_t>(slot) * (SCRATCH + MOST_PES * sizeof(uint64_t)); }

  Bootstrap bootstrap_;
  int slots_;
  size_t bytes_;
  char* mine_ = nullptr;
  std::vector<char*> bases_;
  std::unique_ptr<Heap> heap_;
  World world_ = {};
  char* contexts_ = nullptr;
  rocshmem_ctx_t context_ = {};
  hipStream_t stream_ = nullptr;
  uint64_t* cell_ = nullptr;
  std::vector<bool> used_;  // slots
  std::map<rocshmem_team_t, Members> teams_;
};

}  // namespace rocshmem::detail
