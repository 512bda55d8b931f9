// Collectives of the PEs of a team, in bytes, by one wave or one block of each. Implemented in collective.hip.
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

/** By a block; elements of so many bytes. The counts of the two sides must agree. */
__device__ void alltoallv(Team& team, void* dest, const size_t* destCounts, const size_t* destOffsets, const void* source,
                          const size_t* sourceCounts, const size_t* sourceOffsets, size_t bytes);

/** What is reduced. */
enum class Kind : int { I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64 };

template <typename T>
struct KindOf {
  static constexpr Kind VALUE = static_cast<Kind>(
      static_cast<int>(static_cast<T>(-1) < static_cast<T>(0) ? Kind::I8 : Kind::U8) +
      (sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3));
};
template <>
struct KindOf<__half> {
  static constexpr Kind VALUE = Kind::F16;
};
template <>
struct KindOf<__hip_bfloat16> {
  static constexpr Kind VALUE = Kind::BF16;
};
template <>
struct KindOf<float> {
  static constexpr Kind VALUE = Kind::F32;
};
template <>
struct KindOf<double> {
  static constexpr Kind VALUE = Kind::F64;
};

/**
 * Combines elements in the order of the team's PEs, rounded after each step. In reduce.hip.
 *
 * @param operation a ROCSHMEM_OP
 * @param scatter a PE gets its block of so many elements only; else all get all of them
 */
template <By BY>
__device__ void reduce(Team& team, void* dest, const void* source, size_t n, Kind kind, int operation, bool scatter);

}  // namespace rocshmem::detail
