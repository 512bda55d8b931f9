// Puts and gets by all threads of a wave or of a block.
#pragma once

namespace rocshmem {

#define ROCSHMEM_DECLARE_RMA_(T, NAME)                                                                  \
  __device__ void rocshmem_ctx_##NAME(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe); \
  __device__ void rocshmem_##NAME(T* dest, const T* source, size_t nelems, int pe);
#define ROCSHMEM_DECLARE_ALL_RMA_(T, NAME)                                                              \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_put_wave)                                                             \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_put_wg)                                                               \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_put_nbi_wave)                                                         \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_put_nbi_wg)                                                           \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_get_wave)                                                             \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_get_wg)                                                               \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_get_nbi_wave)                                                         \
  ROCSHMEM_DECLARE_RMA_(T, NAME##_get_nbi_wg)
ROCSHMEM_EACH_RMA_TYPE(ROCSHMEM_DECLARE_ALL_RMA_)
#undef ROCSHMEM_DECLARE_ALL_RMA_

// Of bytes
ROCSHMEM_DECLARE_RMA_(void, putmem_wave)
ROCSHMEM_DECLARE_RMA_(void, putmem_wg)
ROCSHMEM_DECLARE_RMA_(void, putmem_nbi_wave)
ROCSHMEM_DECLARE_RMA_(void, putmem_nbi_wg)
ROCSHMEM_DECLARE_RMA_(void, getmem_wave)
ROCSHMEM_DECLARE_RMA_(void, getmem_wg)
ROCSHMEM_DECLARE_RMA_(void, getmem_nbi_wave)
ROCSHMEM_DECLARE_RMA_(void, getmem_nbi_wg)
#undef ROCSHMEM_DECLARE_RMA_

}  // namespace rocshmem
