// Contexts, teams, copies and order.
#include "core.h"

#include <stdio.h>

namespace rocshmem {

extern "C" {
__device__ rocshmem_ctx_t __attribute__((visibility("default"))) ROCSHMEM_CTX_DEFAULT = {nullptr, nullptr};
}
__constant__ rocshmem_ctx_t ROCSHMEM_CTX_INVALID = {nullptr, nullptr};

namespace device {
extern "C" {
__constant__ rocshmem_team_t __attribute__((visibility("default"))) ROCSHMEM_TEAM_WORLD = nullptr;
__constant__ rocshmem_team_t __attribute__((visibility("default"))) ROCSHMEM_TEAM_SHARED = nullptr;
}
}  // namespace device

namespace detail {

extern "C" {
__constant__ World __attribute__((visibility("default"))) ROCPORT_SHMEM_WORLD = {};
}

__device__ __attribute__((noinline)) void fail(const char* what, const void* address, long number) {
  printf("rocport: rocshmem: %s (address %p, number %ld)\n", what, address, number);
  __builtin_trap();
}

namespace {

template <By BY, typename T>
__device__ void copyUnits(char* to, const char* from, size_t units) {
  auto [me, all] = lane<BY>();
  auto* out = reinterpret_cast<T*>(to);
  auto* in = reinterpret_cast<const T*>(from);
  for (size_t i = me; i < units; i += all) out[i] = in[i];
}

template <typename T>
__device__ bool copyOne(char* to, const char* from, size_t bytes) {
  if (bytes != sizeof(T) || ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) & (sizeof(T) - 1)) != 0) {
    return false;
  }
  store(reinterpret_cast<T*>(to), load(reinterpret_cast<const T*>(from)));
  return true;
}

}  // namespace

template <By BY>
__device__ void copy(void* dest, const void* source, size_t bytes) {
  auto* to = static_cast<char*>(dest);
  auto* from = static_cast<const char*>(source);
  if (to == from || bytes == 0) return;
  if (bytes <= sizeof(uint64_t)) {
    // A single element is written as a whole, since others may wait for it.
    bool one = bytes == 8 || bytes == 4 || bytes == 2 || bytes == 1;
    if (one && lane<BY>().me != 0) return;
    if (copyOne<uint64_t>(to, from, bytes) || copyOne<uint32_t>(to, from, bytes) ||
        copyOne<uint16_t>(to, from, bytes) || copyOne<uint8_t>(to, from, bytes)) {
      return;
    }
    if (one) {
      copyUnits<By::THREAD, char>(to, from, bytes);
      return;
    }
  }
  // Uses the widest access for which both sides are aligned.
  uintptr_t apart = reinterpret_cast<uintptr_t>(to) ^ reinterpret_cast<uintptr_t>(from);
  size_t width = (apart & 15) == 0 ? 16 : (apart & 7) == 0 ? 8 : (apart & 3) == 0 ? 4 : (apart & 1) == 0 ? 2 : 1;
  size_t head = -reinterpret_cast<uintptr_t>(to) & (width - 1);
  if (head > bytes) head = bytes;
  copyUnits<BY, char>(to, from, head);
  to += head;
  from += head;
  size_t units = (bytes - head) / width;
  switch (width) {
    case 16: copyUnits<BY, uint4>(to, from, units); break;
    case 8: copyUnits<BY, uint64_t>(to, from, units); break;
    case 4: copyUnits<BY, uint32_t>(to, from, units); break;
    case 2: copyUnits<BY, uint16_t>(to, from, units); break;
    default: copyUnits<BY, char>(to, from, units);
  }
  size_t done = units * width;
  copyUnits<BY, char>(to + done, from + done, bytes - head - done);
}

template __device__ void copy<By::THREAD>(void*, const void*, size_t);
template __device__ void copy<By::WAVE>(void*, const void*, size_t);
template __device__ void copy<By::WG>(void*, const void*, size_t);

template <By BY>
__device__ __attribute__((noinline)) void meet(Team& team) {
  release();
  join<BY>();
  if (lane<BY>().me == 0) {
    release();
    uint64_t epoch = __hip_atomic_fetch_add(&team.epoch, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + 1;
    for (int i = 1; i < team.size; i++) {
      // Each thread begins with a different context.
      store(flags(team, (team.pe + i) % team.size) + team.pe, epoch);
    }
    const uint64_t* told = flags(team, team.pe);
    for (int i = 0; i < team.size; i++) {
      while (i != team.pe && load(told + i) < epoch) pause();
    }
    acquire();
  }
  join<BY>();
  acquire();
}

template __device__ void meet<By::THREAD>(Team&);
template __device__ void meet<By::WAVE>(Team&);
template __device__ void meet<By::WG>(Team&);

namespace {

/** The number of an unused context, -1 if there is none. */
__device__ int takeContext() {
  const World& world = ROCPORT_SHMEM_WORLD;
  for (int i = 0; i < world.contexts; i++) {
    if (atomicCAS(world.taken + i, 0, 1) == 0) return i;
  }
  return -1;
}

/** All threads of a block get what the first one has. */
__device__ int shared(int value, bool first) {
  __shared__ int told;
  __syncthreads();
  if (first) told = value;
  __syncthreads();
  return told;
}

/** Whether each thread has a variable of its own there; else the block shares one. */
__device__ bool isOfThread(const void* variable) {
#if __HIP_DEVICE_COMPILE__
  return __builtin_amdgcn_is_private(variable);
#else
  return variable != nullptr;
#endif
}

__device__ int createContext(void* of, rocshmem_ctx_t* ctx) {
  const World& world = ROCPORT_SHMEM_WORLD;
  bool first = lane<By::WG>().me == 0;
  int number = shared(first ? takeContext() : 0, first);
  if (number < 0) return ROCSHMEM_ERROR;
  auto* contexts = reinterpret_cast<Context*>(world.taken + (world.contexts + 3) / 4 * 4);
  rocshmem_ctx_t made = {contexts + number, of};
  if (first || isOfThread(ctx)) *ctx = made;
  __syncthreads();
  return ROCSHMEM_SUCCESS;
}

}  // namespace
}  // namespace detail

using detail::By;

__device__ void* rocshmem_ptr(const void* dest, int pe) {
  const detail::World& world = detail::ROCPORT_SHMEM_WORLD;
  auto offset = static_cast<uint64_t>(static_cast<const char*>(dest) - world.mine);
  return offset < world.bytes && pe >= 0 && pe < world.pes ? world.bases[pe] + offset : nullptr;
}

__device__ void rocshmem_wg_init() {}
__device__ void rocshmem_wg_finalize() {}
__device__ void rocshmem_wg_init_thread(int, int* provided) { *provided = ROCSHMEM_THREAD_MULTIPLE; }
__device__ void rocshmem_query_thread(int* provided) { *provided = ROCSHMEM_THREAD_MULTIPLE; }

__device__ int rocshmem_wg_ctx_create(int64_t, rocshmem_ctx_t* ctx) {
  return detail::createContext(nullptr, ctx);
}

__device__ int rocshmem_wg_team_create_ctx(rocshmem_team_t team, long, rocshmem_ctx_t* ctx) {
  if (team == ROCSHMEM_TEAM_INVALID) return ROCSHMEM_ERROR;
  return detail::createContext(team, ctx);
}

__device__ void rocshmem_wg_ctx_destroy(rocshmem_ctx_t* ctx) {
  const auto* context = static_cast<const detail::Context*>(ctx->ctx_opaque);
  detail::release();
  __syncthreads();
  if (detail::lane<By::WG>().me == 0) atomicExch(detail::ROCPORT_SHMEM_WORLD.taken + context->number, 0);
}

// Puts are stores of the calling thread, and loads have ended before what uses them.
__device__ void rocshmem_ctx_fence(rocshmem_ctx_t) { __threadfence_system(); }
__device__ void rocshmem_fence() { __threadfence_system(); }
__device__ void rocshmem_ctx_fence(rocshmem_ctx_t, int) { __threadfence_system(); }
__device__ void rocshmem_fence(int) { __threadfence_system(); }
__device__ void rocshmem_ctx_quiet(rocshmem_ctx_t) { __threadfence_system(); }
__device__ void rocshmem_quiet() { __threadfence_system(); }
__device__ void rocshmem_ctx_pe_quiet(rocshmem_ctx_t, const int*, size_t) { __threadfence_system(); }
__device__ void rocshmem_pe_quiet(const int*, size_t) { __threadfence_system(); }
__device__ void rocshmem_ctx_threadfence_system(rocshmem_ctx_t) { __threadfence_system(); }
__device__ void rocshmem_threadfence_system() { __threadfence_system(); }

__device__ int rocshmem_ctx_n_pes(rocshmem_ctx_t) { return detail::ROCPORT_SHMEM_WORLD.pes; }
__device__ int rocshmem_n_pes() { return detail::ROCPORT_SHMEM_WORLD.pes; }
__device__ int rocshmem_ctx_my_pe(rocshmem_ctx_t) { return detail::ROCPORT_SHMEM_WORLD.pe; }
__device__ int rocshmem_my_pe() { return detail::ROCPORT_SHMEM_WORLD.pe; }

__device__ int rocshmem_team_n_pes(rocshmem_team_t team) {
  return team == ROCSHMEM_TEAM_INVALID ? -1 : detail::team(team).size;
}
__device__ int rocshmem_team_my_pe(rocshmem_team_t team) {
  return team == ROCSHMEM_TEAM_INVALID ? -1 : detail::team(team).pe;
}
__device__ int rocshmem_team_translate_pe(rocshmem_team_t from, int pe, rocshmem_team_t to) {
  if (from == ROCSHMEM_TEAM_INVALID || to == ROCSHMEM_TEAM_INVALID) return -1;
  const detail::Team& in = detail::team(from);
  const detail::Team& out = detail::team(to);
  if (pe < 0 || pe >= in.size) return -1;
  for (int i = 0; i < out.size; i++) {
    if (out.members[i] == in.members[pe]) return i;
  }
  return -1;
}

// As puts are complete after a fence, a barrier is a sync.
#define ROCSHMEM_MEETING(NAME, SUFFIX, BY)                                                                  \
  __device__ void rocshmem_ctx_##NAME##SUFFIX(rocshmem_ctx_t, rocshmem_team_t team) {                       \
    detail::meet<By::BY>(detail::team(team));                                                               \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_all##SUFFIX() { detail::meet<By::BY>(detail::team(device::ROCSHMEM_TEAM_WORLD)); }
ROCSHMEM_MEETING(barrier, , THREAD)
ROCSHMEM_MEETING(barrier, _wave, WAVE)
ROCSHMEM_MEETING(barrier, _wg, WG)
ROCSHMEM_MEETING(sync, , THREAD)
ROCSHMEM_MEETING(sync, _wave, WAVE)
ROCSHMEM_MEETING(sync, _wg, WG)

__device__ void rocshmem_barrier() { rocshmem_barrier_all(); }
__device__ void rocshmem_barrier_wave() { rocshmem_barrier_all_wave(); }
__device__ void rocshmem_barrier_wg() { rocshmem_barrier_all_wg(); }

}  // namespace rocshmem
