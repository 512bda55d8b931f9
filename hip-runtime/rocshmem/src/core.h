// Common parts of the device code. The heap of each PE is fine-grained memory of its GPU that all GPUs can access, so a
// put is a copy, and fences give its order and completion.
#pragma once

#include <rocshmem/rocshmem.hpp>

namespace rocshmem::detail {

/** More than any device of rocport's has. */
constexpr int MOST_PES = 256;

/** Bytes for each team, at the beginning of each heap, beside the flags. */
constexpr size_t SCRATCH = 64 * 1024;

/** The same for all teams of a PE; the handle of a team is the address of this, in device memory. */
struct World {
  int pe;
  int pes;
  uint64_t bytes;  // of a heap
  char* mine;      // the heap of this PE
  int contexts;    // maximum number
  int* taken;      // of each of them, 1 while it is in use
  char* bases[MOST_PES];
};

/**
 * The world of this PE. Constant, so that scalar loads read it: a lookup that waited for vector
 * memory would also wait for earlier puts, and hide a missing fence.
 */
extern "C" {
extern __constant__ World __attribute__((visibility("default"))) ROCPORT_SHMEM_WORLD;
}

/** The PEs of a team, on one of them. */
struct Team {
  int size;
  int pe;         // the number of this PE in the team
  int slot;       // the flags and the scratch that it uses on all its PEs
  uint64_t epoch; // number of syncs so far
  int members[MOST_PES];
};

/** What a context points to; it has no state: all puts of a PE are in the order of its fences. */
struct Context {
  int number;  // -1 for the default
};

/** Who takes part in a call. */
enum class By { THREAD, WAVE, WG };

/** Ends the kernel with a message. */
[[noreturn]] __device__ void fail(const char* what, const void* address, long number);

/** PEs of a context that belongs to a team are counted in that team. */
__device__ inline int inWorld(rocshmem_ctx_t ctx, int pe) {
  const auto* of = static_cast<const Team*>(ctx.team_opaque);
  return of == nullptr || pe < 0 || pe >= of->size ? pe : of->members[pe];
}

__device__ inline Team& team(rocshmem_team_t handle) {
  if (handle == ROCSHMEM_TEAM_INVALID) fail("the team is invalid", handle, 0);
  return *reinterpret_cast<Team*>(handle);
}

/** Where this GPU finds what a symmetric address means on another PE. */
__device__ inline char* at(const void* symmetric, int pe) {
  const World& world = ROCPORT_SHMEM_WORLD;
  auto offset = static_cast<uint64_t>(static_cast<const char*>(symmetric) - world.mine);
  if (offset >= world.bytes) fail("the address is not in the symmetric heap", symmetric, pe);
  if (pe < 0 || pe >= world.pes) fail("the PE does not exist", symmetric, pe);
  return world.bases[pe] + offset;
}

__device__ inline char* at(rocshmem_ctx_t ctx, const void* symmetric, int pe) {
  return at(symmetric, inWorld(ctx, pe));
}

/** The caller among those that take part. */
struct Lane {
  size_t me;
  size_t all;
};

template <By BY>
__device__ inline Lane lane() {
  if constexpr (BY == By::THREAD) {
    return {0, 1};
  } else if constexpr (BY == By::WAVE) {
    // The last wave of a block may have fewer lanes.
    uint64_t active = __ballot(1);
    return {__builtin_amdgcn_mbcnt_hi(static_cast<uint32_t>(active >> 32),
                                      __builtin_amdgcn_mbcnt_lo(static_cast<uint32_t>(active), 0)),
            static_cast<size_t>(__popcll(active))};
  } else {
    return {(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, blockDim.x * blockDim.y * blockDim.z};
  }
}

/** Continues when all participants have arrived and have seen each other's stores. */
template <By BY>
__device__ inline void join() {
  if constexpr (BY == By::WAVE) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  } else if constexpr (BY == By::WG) {
    __syncthreads();
  }
}

/** What was written before is there before what is written after, for all GPUs. */
__device__ inline void release() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, ""); }

/** What is read after is not older than what was read before. */
__device__ inline void acquire() { __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, ""); }

template <typename T>
__device__ inline T load(const T* from) {
  return __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

template <typename T>
__device__ inline void store(T* to, T value) {
  __hip_atomic_store(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

/** An unsigned number of so many bytes. */
template <size_t BYTES>
struct Number;
template <>
struct Number<1> {
  using Type = uint8_t;
};
template <>
struct Number<2> {
  using Type = uint16_t;
};
template <>
struct Number<4> {
  using Type = uint32_t;
};
template <>
struct Number<8> {
  using Type = uint64_t;
};

/** One element, whole: others may wait for it. */
template <typename T>
__device__ inline T loadElement(const T* from) {
  using Bits = typename Number<sizeof(T)>::Type;
  return __builtin_bit_cast(T, load(reinterpret_cast<const Bits*>(from)));
}

template <typename T>
__device__ inline void storeElement(T* to, T value) {
  using Bits = typename Number<sizeof(T)>::Type;
  store(reinterpret_cast<Bits*>(to), __builtin_bit_cast(Bits, value));
}

/**
 * Like store, for several concurrent writers: on gfx90a a relaxed store is an ordinary store in
 * machine code, but an exchange is visibly atomic.
 */
template <typename T>
__device__ inline void exchangeElement(T* to, T value) {
  using Bits = typename Number<sizeof(T)>::Type;
  __hip_atomic_exchange(reinterpret_cast<Bits*>(to), __builtin_bit_cast(Bits, value), __ATOMIC_RELAXED,
                        __HIP_MEMORY_SCOPE_SYSTEM);
}

/** While a thread polls, others may run. */
__device__ inline void pause() { __builtin_amdgcn_s_sleep(2); }

// In core.hip, for each of BY.

/** Bytes between memory of this PE and of any. */
template <By BY>
__device__ void copy(void* to, const void* from, size_t bytes);

/** All threads of a team's PE that take part: waits until those of the others have come. */
template <By BY>
__device__ void meet(Team& team);

/** Ends what several threads have done: one of them may order and complete it for all. */
template <By BY>
__device__ inline void settle() {
  if constexpr (BY != By::THREAD) {
    // A block barrier alone does not wait for the stores of its waves.
    release();
    join<BY>();
  }
}

template <By BY>
__device__ inline void put(rocshmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe, bool blocking) {
  copy<BY>(at(ctx, dest, pe), source, bytes);
  if (blocking) settle<BY>();
}

template <By BY>
__device__ inline void get(rocshmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe, bool blocking) {
  copy<BY>(dest, at(ctx, source, pe), bytes);
  if (blocking) settle<BY>();
}

/** The scratch that a team has on one of its PEs. */
__device__ inline char* scratch(const Team& team, int member) {
  return ROCPORT_SHMEM_WORLD.bases[team.members[member]] + static_cast<size_t>(team.slot) * (SCRATCH + MOST_PES * sizeof(uint64_t)) +
         MOST_PES * sizeof(uint64_t);
}

/** The flags that tell one PE of a team which syncs the others have reached, by PE in the team. */
__device__ inline uint64_t* flags(const Team& team, int member) {
  return reinterpret_cast<uint64_t*>(scratch(team, member)) - MOST_PES;
}

}  // namespace rocshmem::detail
