// Atomic operations on another PE's memory. They order nothing else: see rocshmem_fence.
#pragma once

namespace rocshmem {

#define ROCSHMEM_DECLARE_AMO_(WHERE, T, NAME)                                                           \
  WHERE T rocshmem_ctx_##NAME##_atomic_fetch(rocshmem_ctx_t ctx, T* source, int pe);                    \
  WHERE T rocshmem_##NAME##_atomic_fetch(T* source, int pe);                                            \
  WHERE void rocshmem_ctx_##NAME##_atomic_set(rocshmem_ctx_t ctx, T* dest, T value, int pe);            \
  WHERE void rocshmem_##NAME##_atomic_set(T* dest, T value, int pe);                                    \
  WHERE T rocshmem_ctx_##NAME##_atomic_swap(rocshmem_ctx_t ctx, T* dest, T value, int pe);              \
  WHERE T rocshmem_##NAME##_atomic_swap(T* dest, T value, int pe);
#define ROCSHMEM_DECLARE_BOTH_(T, NAME) ROCSHMEM_DECLARE_AMO_(__device__, T, NAME) ROCSHMEM_DECLARE_AMO_(__host__, T, NAME)
ROCSHMEM_EACH_ATOMIC_TYPE(ROCSHMEM_DECLARE_BOTH_)
#undef ROCSHMEM_DECLARE_AMO_

#define ROCSHMEM_DECLARE_AMO_(WHERE, T, NAME)                                                           \
  WHERE T rocshmem_ctx_##NAME##_atomic_compare_swap(rocshmem_ctx_t ctx, T* dest, T cond, T value, int pe); \
  WHERE T rocshmem_##NAME##_atomic_compare_swap(T* dest, T cond, T value, int pe);                      \
  WHERE T rocshmem_ctx_##NAME##_atomic_fetch_inc(rocshmem_ctx_t ctx, T* dest, int pe);                  \
  WHERE T rocshmem_##NAME##_atomic_fetch_inc(T* dest, int pe);                                          \
  WHERE void rocshmem_ctx_##NAME##_atomic_inc(rocshmem_ctx_t ctx, T* dest, int pe);                     \
  WHERE void rocshmem_##NAME##_atomic_inc(T* dest, int pe);                                             \
  WHERE T rocshmem_ctx_##NAME##_atomic_fetch_add(rocshmem_ctx_t ctx, T* dest, T value, int pe);         \
  WHERE T rocshmem_##NAME##_atomic_fetch_add(T* dest, T value, int pe);                                 \
  WHERE void rocshmem_ctx_##NAME##_atomic_add(rocshmem_ctx_t ctx, T* dest, T value, int pe);            \
  WHERE void rocshmem_##NAME##_atomic_add(T* dest, T value, int pe);
ROCSHMEM_EACH_COUNTER_TYPE(ROCSHMEM_DECLARE_BOTH_)
#undef ROCSHMEM_DECLARE_AMO_

#define ROCSHMEM_DECLARE_BITS_(WHERE, T, NAME, OP)                                                      \
  WHERE T rocshmem_ctx_##NAME##_atomic_fetch_##OP(rocshmem_ctx_t ctx, T* dest, T value, int pe);        \
  WHERE T rocshmem_##NAME##_atomic_fetch_##OP(T* dest, T value, int pe);                                \
  WHERE void rocshmem_ctx_##NAME##_atomic_##OP(rocshmem_ctx_t ctx, T* dest, T value, int pe);           \
  WHERE void rocshmem_##NAME##_atomic_##OP(T* dest, T value, int pe);
#define ROCSHMEM_DECLARE_AMO_(WHERE, T, NAME)                                                           \
  ROCSHMEM_DECLARE_BITS_(WHERE, T, NAME, and)                                                           \
  ROCSHMEM_DECLARE_BITS_(WHERE, T, NAME, or)                                                            \
  ROCSHMEM_DECLARE_BITS_(WHERE, T, NAME, xor)
ROCSHMEM_EACH_BITS_TYPE(ROCSHMEM_DECLARE_BOTH_)
#undef ROCSHMEM_DECLARE_AMO_
#undef ROCSHMEM_DECLARE_BITS_
#undef ROCSHMEM_DECLARE_BOTH_

}  // namespace rocshmem
