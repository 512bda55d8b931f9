// Puts with signals, and signals.
#include "core.h"
#include "wait.h"

namespace rocshmem {

namespace detail {
namespace {

__device__ void signal(rocshmem_ctx_t ctx, uint64_t* symmetric, uint64_t value, int operation, int pe) {
  auto* flag = reinterpret_cast<uint64_t*>(at(ctx, symmetric, pe));
  switch (operation) {
    case ROCSHMEM_SIGNAL_SET: exchangeElement(flag, value); return;
    case ROCSHMEM_SIGNAL_ADD:
      __hip_atomic_fetch_add(flag, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
      return;
    default: fail("unknown signal operation", symmetric, operation);
  }
}

template <By BY>
__device__ void putSignal(rocshmem_ctx_t ctx, void* dest, const void* source, size_t bytes, uint64_t* symmetric,
                          uint64_t value, int operation, int pe) {
  put<BY>(ctx, dest, source, bytes, pe, false);
  release();
  join<BY>();
  if (lane<BY>().me == 0) {
    release();
    signal(ctx, symmetric, value, operation, pe);
  }
}

}  // namespace
}  // namespace detail

using detail::By;

#define ROCSHMEM_SIGNAL(T, UNIT, NAME, SUFFIX, BY)                                                          \
  __device__ void rocshmem_ctx_##NAME##SUFFIX(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems,  \
                                              uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {    \
    detail::putSignal<By::BY>(ctx, dest, source, nelems * (UNIT), sig_addr, signal, sig_op, pe);            \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##SUFFIX(T* dest, const T* source, size_t nelems, uint64_t* sig_addr,      \
                                          uint64_t signal, int sig_op, int pe) {                            \
    rocshmem_ctx_##NAME##SUFFIX(ROCSHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe);  \
  }
#define ROCSHMEM_SIGNALS(T, UNIT, NAME)                                                                     \
  ROCSHMEM_SIGNAL(T, UNIT, NAME, , THREAD)                                                                  \
  ROCSHMEM_SIGNAL(T, UNIT, NAME, _wave, WAVE)                                                               \
  ROCSHMEM_SIGNAL(T, UNIT, NAME, _wg, WG)                                                                   \
  ROCSHMEM_SIGNAL(T, UNIT, NAME, _nbi, THREAD)                                                              \
  ROCSHMEM_SIGNAL(T, UNIT, NAME, _nbi_wave, WAVE)                                                           \
  ROCSHMEM_SIGNAL(T, UNIT, NAME, _nbi_wg, WG)
#define ROCSHMEM_TYPED(T, NAME) ROCSHMEM_SIGNALS(T, sizeof(T), NAME##_put_signal)
ROCSHMEM_EACH_RMA_TYPE(ROCSHMEM_TYPED)
ROCSHMEM_SIGNALS(void, 1, putmem_signal)

__device__ void rocshmem_ctx_signal_add(rocshmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  detail::signal(ctx, sig_addr, signal, ROCSHMEM_SIGNAL_ADD, pe);
}
__device__ void rocshmem_signal_add(uint64_t* sig_addr, uint64_t signal, int pe) {
  rocshmem_ctx_signal_add(ROCSHMEM_CTX_DEFAULT, sig_addr, signal, pe);
}
__device__ void rocshmem_ctx_signal_set(rocshmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  detail::signal(ctx, sig_addr, signal, ROCSHMEM_SIGNAL_SET, pe);
}
__device__ void rocshmem_signal_set(uint64_t* sig_addr, uint64_t signal, int pe) {
  rocshmem_ctx_signal_set(ROCSHMEM_CTX_DEFAULT, sig_addr, signal, pe);
}

__device__ uint64_t rocshmem_signal_fetch(const uint64_t* sig_addr) {
  uint64_t value = detail::load(sig_addr);
  detail::acquire();
  return value;
}

__device__ uint64_t rocshmem_signal_fetch_wg(const uint64_t* sig_addr) {
  __shared__ uint64_t told;
  __syncthreads();
  if (detail::lane<By::WG>().me == 0) told = detail::load(sig_addr);
  __syncthreads();
  detail::acquire();
  return told;
}

__device__ uint64_t rocshmem_signal_fetch_wave(const uint64_t* sig_addr) {
  uint64_t value = detail::load(sig_addr);
  detail::acquire();
  return __shfl(value, __builtin_ctzll(__ballot(1)));
}

__device__ uint64_t rocshmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  return detail::await(sig_addr, cmp, cmp_value);
}

}  // namespace rocshmem
