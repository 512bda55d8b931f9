// What PEs of a team do together, in bytes: by one wave or one block of each. In collective.hip.
#pragma once

#include "core.h"

namespace rocshmem::detail {

/** Block i of each source becomes a block of PE i's destination. */
template <By BY>
__device__ void alltoall(Team& team, void* dest, const void* source, size_t bytes);

/** The root writes at once. */
template <By BY>
__device__ void broadcast(Team& team, void* dest, const void* source, size_t bytes, int root);

/** All sources become blocks of each destination. */
template <By BY>
__device__ void fcollect(Team& team, void* dest, const void* source, size_t bytes);

}  // namespace rocshmem::detail
