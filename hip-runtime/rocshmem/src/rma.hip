// Puts and gets on the device.
#include "core.h"

namespace rocshmem {

using detail::By;
using detail::get;
using detail::put;

#define ROCSHMEM_RMA(T, UNIT, NAME, SUFFIX, DO, BY, BLOCKING)                                               \
  __device__ void rocshmem_ctx_##NAME##SUFFIX(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) { \
    DO<By::BY>(ctx, dest, source, nelems * (UNIT), pe, BLOCKING);                                           \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##SUFFIX(T* dest, const T* source, size_t nelems, int pe) {                \
    DO<By::BY>(ROCSHMEM_CTX_DEFAULT, dest, source, nelems * (UNIT), pe, BLOCKING);                          \
  }
#define ROCSHMEM_ALL_RMA(T, UNIT, PUT, GET)                                                                 \
  ROCSHMEM_RMA(T, UNIT, PUT, , put, THREAD, true)                                                           \
  ROCSHMEM_RMA(T, UNIT, PUT, _wave, put, WAVE, true)                                                        \
  ROCSHMEM_RMA(T, UNIT, PUT, _wg, put, WG, true)                                                            \
  ROCSHMEM_RMA(T, UNIT, PUT, _nbi, put, THREAD, false)                                                      \
  ROCSHMEM_RMA(T, UNIT, PUT, _nbi_wave, put, WAVE, false)                                                   \
  ROCSHMEM_RMA(T, UNIT, PUT, _nbi_wg, put, WG, false)                                                       \
  ROCSHMEM_RMA(T, UNIT, GET, , get, THREAD, true)                                                           \
  ROCSHMEM_RMA(T, UNIT, GET, _wave, get, WAVE, true)                                                        \
  ROCSHMEM_RMA(T, UNIT, GET, _wg, get, WG, true)                                                            \
  ROCSHMEM_RMA(T, UNIT, GET, _nbi, get, THREAD, false)                                                      \
  ROCSHMEM_RMA(T, UNIT, GET, _nbi_wave, get, WAVE, false)                                                   \
  ROCSHMEM_RMA(T, UNIT, GET, _nbi_wg, get, WG, false)

#define ROCSHMEM_TYPED(T, NAME)                                                                             \
  ROCSHMEM_ALL_RMA(T, sizeof(T), NAME##_put, NAME##_get)                                                    \
  __device__ void rocshmem_ctx_##NAME##_p(rocshmem_ctx_t ctx, T* dest, T value, int pe) {                   \
    detail::storeElement(reinterpret_cast<T*>(detail::at(ctx, dest, pe)), value);                           \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_p(T* dest, T value, int pe) {                                           \
    rocshmem_ctx_##NAME##_p(ROCSHMEM_CTX_DEFAULT, dest, value, pe);                                         \
  }                                                                                                         \
  __device__ T rocshmem_ctx_##NAME##_g(rocshmem_ctx_t ctx, const T* source, int pe) {                       \
    return detail::loadElement(reinterpret_cast<const T*>(detail::at(ctx, source, pe)));                    \
  }                                                                                                         \
  __device__ T rocshmem_##NAME##_g(const T* source, int pe) {                                               \
    return rocshmem_ctx_##NAME##_g(ROCSHMEM_CTX_DEFAULT, source, pe);                                       \
  }
ROCSHMEM_EACH_RMA_TYPE(ROCSHMEM_TYPED)
ROCSHMEM_ALL_RMA(void, 1, putmem, getmem)

}  // namespace rocshmem
