// Puts that signal their arrival to the other PE, and signals without data. sig_op is
// ROCSHMEM_SIGNAL_SET or ROCSHMEM_SIGNAL_ADD.
#pragma once

namespace rocshmem {

#define ROCSHMEM_DECLARE_SIGNAL_(T, NAME)                                                               \
  __device__ void rocshmem_##NAME(T* dest, const T* source, size_t nelems, uint64_t* sig_addr,          \
                                  uint64_t signal, int sig_op, int pe);                                 \
  __device__ void rocshmem_ctx_##NAME(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems,      \
                                      uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
#define ROCSHMEM_DECLARE_SIGNALS_(T, NAME)                                                              \
  ROCSHMEM_DECLARE_SIGNAL_(T, NAME##_put_signal)                                                        \
  ROCSHMEM_DECLARE_SIGNAL_(T, NAME##_put_signal_wave)                                                   \
  ROCSHMEM_DECLARE_SIGNAL_(T, NAME##_put_signal_wg)                                                     \
  ROCSHMEM_DECLARE_SIGNAL_(T, NAME##_put_signal_nbi)                                                    \
  ROCSHMEM_DECLARE_SIGNAL_(T, NAME##_put_signal_nbi_wave)                                               \
  ROCSHMEM_DECLARE_SIGNAL_(T, NAME##_put_signal_nbi_wg)
ROCSHMEM_EACH_RMA_TYPE(ROCSHMEM_DECLARE_SIGNALS_)
#undef ROCSHMEM_DECLARE_SIGNALS_

// Of bytes
ROCSHMEM_DECLARE_SIGNAL_(void, putmem_signal)
ROCSHMEM_DECLARE_SIGNAL_(void, putmem_signal_wave)
ROCSHMEM_DECLARE_SIGNAL_(void, putmem_signal_wg)
ROCSHMEM_DECLARE_SIGNAL_(void, putmem_signal_nbi)
ROCSHMEM_DECLARE_SIGNAL_(void, putmem_signal_nbi_wave)
ROCSHMEM_DECLARE_SIGNAL_(void, putmem_signal_nbi_wg)
#undef ROCSHMEM_DECLARE_SIGNAL_

__device__ void rocshmem_signal_add(uint64_t* sig_addr, uint64_t signal, int pe);
__device__ void rocshmem_ctx_signal_add(rocshmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe);
__device__ void rocshmem_signal_set(uint64_t* sig_addr, uint64_t signal, int pe);
__device__ void rocshmem_ctx_signal_set(rocshmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe);

__device__ uint64_t rocshmem_signal_fetch(const uint64_t* sig_addr);
[[deprecated]] __device__ uint64_t rocshmem_signal_fetch_wg(const uint64_t* sig_addr);
[[deprecated]] __device__ uint64_t rocshmem_signal_fetch_wave(const uint64_t* sig_addr);

/** The value that made the comparison true. */
__device__ uint64_t rocshmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

}  // namespace rocshmem
