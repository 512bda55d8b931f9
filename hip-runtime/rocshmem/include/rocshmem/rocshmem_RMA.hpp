// Puts and gets by one thread, and by the host. A put has been read from its source when it
// returns, and is complete at the other PE after a quiet; a get is complete. Calls with _nbi are complete only after a
// quiet.
#pragma once

namespace rocshmem {

#define ROCSHMEM_DECLARE_RMA_(T, NAME)                                                                  \
  __device__ void rocshmem_ctx_##NAME##_put(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);      \
  __device__ void rocshmem_##NAME##_put(T* dest, const T* source, size_t nelems, int pe);               \
  __host__ void rocshmem_ctx_##NAME##_put(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);        \
  __host__ void rocshmem_##NAME##_put(T* dest, const T* source, size_t nelems, int pe);                 \
  __device__ void rocshmem_ctx_##NAME##_get(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);      \
  __device__ void rocshmem_##NAME##_get(T* dest, const T* source, size_t nelems, int pe);               \
  __host__ void rocshmem_ctx_##NAME##_get(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);        \
  __host__ void rocshmem_##NAME##_get(T* dest, const T* source, size_t nelems, int pe);                 \
  __device__ void rocshmem_ctx_##NAME##_put_nbi(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);  \
  __device__ void rocshmem_##NAME##_put_nbi(T* dest, const T* source, size_t nelems, int pe);           \
  __host__ void rocshmem_ctx_##NAME##_put_nbi(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);    \
  __host__ void rocshmem_##NAME##_put_nbi(T* dest, const T* source, size_t nelems, int pe);             \
  __device__ void rocshmem_ctx_##NAME##_get_nbi(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);  \
  __device__ void rocshmem_##NAME##_get_nbi(T* dest, const T* source, size_t nelems, int pe);           \
  __host__ void rocshmem_ctx_##NAME##_get_nbi(rocshmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe);    \
  __host__ void rocshmem_##NAME##_get_nbi(T* dest, const T* source, size_t nelems, int pe);             \
  __device__ void rocshmem_ctx_##NAME##_p(rocshmem_ctx_t ctx, T* dest, T value, int pe);                \
  __device__ void rocshmem_##NAME##_p(T* dest, T value, int pe);                                        \
  __host__ void rocshmem_ctx_##NAME##_p(rocshmem_ctx_t ctx, T* dest, T value, int pe);                  \
  __host__ void rocshmem_##NAME##_p(T* dest, T value, int pe);                                          \
  __device__ T rocshmem_ctx_##NAME##_g(rocshmem_ctx_t ctx, const T* source, int pe);                    \
  __device__ T rocshmem_##NAME##_g(const T* source, int pe);                                            \
  __host__ T rocshmem_ctx_##NAME##_g(rocshmem_ctx_t ctx, const T* source, int pe);                      \
  __host__ T rocshmem_##NAME##_g(const T* source, int pe);
ROCSHMEM_EACH_RMA_TYPE(ROCSHMEM_DECLARE_RMA_)
#undef ROCSHMEM_DECLARE_RMA_

// Of bytes
#define ROCSHMEM_DECLARE_RMA_(WHERE, NAME)                                                              \
  WHERE void rocshmem_ctx_##NAME(rocshmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe); \
  WHERE void rocshmem_##NAME(void* dest, const void* source, size_t nelems, int pe);
ROCSHMEM_DECLARE_RMA_(__device__, putmem)
ROCSHMEM_DECLARE_RMA_(__device__, getmem)
ROCSHMEM_DECLARE_RMA_(__device__, putmem_nbi)
ROCSHMEM_DECLARE_RMA_(__device__, getmem_nbi)
ROCSHMEM_DECLARE_RMA_(__host__, putmem)
ROCSHMEM_DECLARE_RMA_(__host__, getmem)
ROCSHMEM_DECLARE_RMA_(__host__, putmem_nbi)
ROCSHMEM_DECLARE_RMA_(__host__, getmem_nbi)
#undef ROCSHMEM_DECLARE_RMA_

}  // namespace rocshmem
