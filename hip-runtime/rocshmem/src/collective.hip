// Alltoall, broadcast and fcollect: each PE writes its data to the others, then all synchronize.
#include "collective.h"

namespace rocshmem {
namespace detail {
namespace {

/** Without a wait. */
template <By BY>
__device__ void give(const Team& team, void* dest, const void* source, size_t bytes, int member) {
  copy<BY>(at(dest, team.members[member]), source, bytes);
}

}  // namespace

template <By BY>
__device__ void alltoall(Team& team, void* dest, const void* source, size_t bytes) {
  for (int i = 0; i < team.size; i++) {
    int to = (team.pe + i) % team.size;
    give<BY>(team, static_cast<char*>(dest) + bytes * static_cast<size_t>(team.pe),
             static_cast<const char*>(source) + bytes * static_cast<size_t>(to), bytes, to);
  }
  meet<BY>(team);
}

template <By BY>
__device__ void broadcast(Team& team, void* dest, const void* source, size_t bytes, int root) {
  if (root < 0 || root >= team.size) fail("the team has no such root", dest, root);
  for (int i = 0; root == team.pe && i < team.size; i++) give<BY>(team, dest, source, bytes, (root + i) % team.size);
  meet<BY>(team);
}

template <By BY>
__device__ void fcollect(Team& team, void* dest, const void* source, size_t bytes) {
  for (int i = 0; i < team.size; i++) {
    give<BY>(team, static_cast<char*>(dest) + bytes * static_cast<size_t>(team.pe), source, bytes,
             (team.pe + i) % team.size);
  }
  meet<BY>(team);
}

__device__ void alltoallv(Team& team, void* dest, const size_t* destCounts, const size_t* destOffsets,
                          const void* source, const size_t* sourceCounts, const size_t* sourceOffsets, size_t bytes) {
  // The receiver does not know the sender's address, nor the sender the receiver's: they exchange them.
  for (size_t to = lane<By::WG>().me; to < static_cast<size_t>(team.size); to += lane<By::WG>().all) {
    auto* told = reinterpret_cast<uint64_t*>(scratch(team, static_cast<int>(to))) + 2 * team.pe;
    store(told, static_cast<uint64_t>(sourceOffsets[to]));
    store(told + 1, static_cast<uint64_t>(sourceCounts[to]));
  }
  meet<By::WG>(team);
  for (int i = 0; i < team.size; i++) {
    int from = (team.pe + i) % team.size;
    auto* told = reinterpret_cast<uint64_t*>(scratch(team, team.pe)) + 2 * from;
    uint64_t offset = load(told);
    if (load(told + 1) != destCounts[from]) fail("the counts of alltoallv do not match", dest, from);
    copy<By::WG>(static_cast<char*>(dest) + destOffsets[from] * bytes,
                 at(static_cast<const char*>(source) + offset * bytes, team.members[from]),
                 destCounts[from] * bytes);
  }
  // The sources have been read, and the scratch may be written again.
  meet<By::WG>(team);
}

template __device__ void alltoall<By::WAVE>(Team&, void*, const void*, size_t);
template __device__ void alltoall<By::WG>(Team&, void*, const void*, size_t);
template __device__ void broadcast<By::WAVE>(Team&, void*, const void*, size_t, int);
template __device__ void broadcast<By::WG>(Team&, void*, const void*, size_t, int);
template __device__ void fcollect<By::WAVE>(Team&, void*, const void*, size_t);
template __device__ void fcollect<By::WG>(Team&, void*, const void*, size_t);

}  // namespace detail
}  // namespace rocshmem
