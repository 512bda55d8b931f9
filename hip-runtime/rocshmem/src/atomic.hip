// Atomic operations on the device.
#include "core.h"

namespace rocshmem {
namespace detail {
namespace {

#define ROCSHMEM_ATOMICALLY(OPERATION)                                                                      \
  __hip_atomic_##OPERATION(reinterpret_cast<T*>(at(ctx, dest, pe)), value, __ATOMIC_RELAXED,                \
                           __HIP_MEMORY_SCOPE_SYSTEM)

template <typename T>
__device__ T add(rocshmem_ctx_t ctx, T* dest, T value, int pe) {
  return ROCSHMEM_ATOMICALLY(fetch_add);
}
template <typename T>
__device__ T bitAnd(rocshmem_ctx_t ctx, T* dest, T value, int pe) {
  return ROCSHMEM_ATOMICALLY(fetch_and);
}
template <typename T>
__device__ T bitOr(rocshmem_ctx_t ctx, T* dest, T value, int pe) {
  return ROCSHMEM_ATOMICALLY(fetch_or);
}
template <typename T>
__device__ T bitXor(rocshmem_ctx_t ctx, T* dest, T value, int pe) {
  return ROCSHMEM_ATOMICALLY(fetch_xor);
}

/** Of floating-point numbers, too: their bits. */
template <typename T>
__device__ T swap(rocshmem_ctx_t ctx, T* dest, T value, int pe) {
  using Bits = typename Number<sizeof(T)>::Type;
  auto* to = reinterpret_cast<Bits*>(at(ctx, dest, pe));
  return __builtin_bit_cast(T, __hip_atomic_exchange(to, __builtin_bit_cast(Bits, value), __ATOMIC_RELAXED,
                                                     __HIP_MEMORY_SCOPE_SYSTEM));
}

template <typename T>
__device__ T compareSwap(rocshmem_ctx_t ctx, T* dest, T expected, T value, int pe) {
  __hip_atomic_compare_exchange_strong(reinterpret_cast<T*>(at(ctx, dest, pe)), &expected, value, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  return expected;
}

}  // namespace
}  // namespace detail

#define ROCSHMEM_WITH_VALUE(RETURN, T, NAME, DO)                                                            \
  __device__ RETURN rocshmem_ctx_##NAME(rocshmem_ctx_t ctx, T* dest, T value, int pe) {                     \
    return static_cast<RETURN>(detail::DO(ctx, dest, value, pe));                                           \
  }                                                                                                         \
  __device__ RETURN rocshmem_##NAME(T* dest, T value, int pe) {                                             \
    return rocshmem_ctx_##NAME(ROCSHMEM_CTX_DEFAULT, dest, value, pe);                                      \
  }

#define ROCSHMEM_EVERY(T, NAME)                                                                             \
  __device__ T rocshmem_ctx_##NAME##_atomic_fetch(rocshmem_ctx_t ctx, T* source, int pe) {                  \
    return detail::loadElement(reinterpret_cast<T*>(detail::at(ctx, source, pe)));                          \
  }                                                                                                         \
  __device__ T rocshmem_##NAME##_atomic_fetch(T* source, int pe) {                                          \
    return rocshmem_ctx_##NAME##_atomic_fetch(ROCSHMEM_CTX_DEFAULT, source, pe);                            \
  }                                                                                                         \
  __device__ void rocshmem_ctx_##NAME##_atomic_set(rocshmem_ctx_t ctx, T* dest, T value, int pe) {          \
    detail::exchangeElement(reinterpret_cast<T*>(detail::at(ctx, dest, pe)), value);                           \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_atomic_set(T* dest, T value, int pe) {                                  \
    rocshmem_ctx_##NAME##_atomic_set(ROCSHMEM_CTX_DEFAULT, dest, value, pe);                                \
  }                                                                                                         \
  ROCSHMEM_WITH_VALUE(T, T, NAME##_atomic_swap, swap)
ROCSHMEM_EACH_ATOMIC_TYPE(ROCSHMEM_EVERY)

#define ROCSHMEM_COUNTER(T, NAME)                                                                           \
  ROCSHMEM_WITH_VALUE(T, T, NAME##_atomic_fetch_add, add)                                                   \
  ROCSHMEM_WITH_VALUE(void, T, NAME##_atomic_add, add)                                                      \
  __device__ T rocshmem_ctx_##NAME##_atomic_fetch_inc(rocshmem_ctx_t ctx, T* dest, int pe) {                \
    return detail::add<T>(ctx, dest, 1, pe);                                                                \
  }                                                                                                         \
  __device__ T rocshmem_##NAME##_atomic_fetch_inc(T* dest, int pe) {                                        \
    return detail::add<T>(ROCSHMEM_CTX_DEFAULT, dest, 1, pe);                                               \
  }                                                                                                         \
  __device__ void rocshmem_ctx_##NAME##_atomic_inc(rocshmem_ctx_t ctx, T* dest, int pe) {                   \
    detail::add<T>(ctx, dest, 1, pe);                                                                       \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_atomic_inc(T* dest, int pe) {                                           \
    detail::add<T>(ROCSHMEM_CTX_DEFAULT, dest, 1, pe);                                                      \
  }                                                                                                         \
  __device__ T rocshmem_ctx_##NAME##_atomic_compare_swap(rocshmem_ctx_t ctx, T* dest, T cond, T value, int pe) { \
    return detail::compareSwap(ctx, dest, cond, value, pe);                                                 \
  }                                                                                                         \
  __device__ T rocshmem_##NAME##_atomic_compare_swap(T* dest, T cond, T value, int pe) {                    \
    return detail::compareSwap(ROCSHMEM_CTX_DEFAULT, dest, cond, value, pe);                                \
  }
ROCSHMEM_EACH_COUNTER_TYPE(ROCSHMEM_COUNTER)

#define ROCSHMEM_BITS(T, NAME)                                                                              \
  ROCSHMEM_WITH_VALUE(T, T, NAME##_atomic_fetch_and, bitAnd)                                                \
  ROCSHMEM_WITH_VALUE(void, T, NAME##_atomic_and, bitAnd)                                                   \
  ROCSHMEM_WITH_VALUE(T, T, NAME##_atomic_fetch_or, bitOr)                                                  \
  ROCSHMEM_WITH_VALUE(void, T, NAME##_atomic_or, bitOr)                                                     \
  ROCSHMEM_WITH_VALUE(T, T, NAME##_atomic_fetch_xor, bitXor)                                                \
  ROCSHMEM_WITH_VALUE(void, T, NAME##_atomic_xor, bitXor)
ROCSHMEM_EACH_BITS_TYPE(ROCSHMEM_BITS)

}  // namespace rocshmem
