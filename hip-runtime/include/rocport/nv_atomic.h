// The atomic functions of CUDA 12.8 with an order and a scope, in namespace rocport, without the
// leading underscores:
//
//   __nv_atomic_load, _store, _exchange, _compare_exchange   plain types of 1, 2, 4 or 8 bytes
//   the same with _n                                         with values in place of pointers
//   __nv_atomic_fetch_add, _sub, _min, _max, _and, _or, _xor
//   the same without fetch_                                  without a result
//   __nv_atomic_thread_fence, __nv_atomic_signal_fence
//
// Orders are __ATOMIC_RELAXED to __ATOMIC_SEQ_CST, scopes __HIP_MEMORY_SCOPE_SINGLETHREAD to
// __HIP_MEMORY_SCOPE_SYSTEM. Without a scope, a call has that of the system, as in CUDA.
// Limits: AMD GPUs have no atomics of 16 bytes; such calls do not compile. AMD GPUs have no
// clusters: the port replaces that scope by the scope of the device, which includes it.
#ifndef ROCPORT_NV_ATOMIC_H
#define ROCPORT_NV_ATOMIC_H

#include "atomic.h"

#if defined(__HIP__) && defined(__clang__)

#define ROCPORT_NV_ATOMIC __device__ __forceinline__

namespace rocport {
namespace nv_atomic_detail {

/// T in a non-deduced context: 1 is a value for any integer.
template <typename T>
using Value = typename std::remove_cv<T>::type;

// The scope of this template is that of its own functions, none of which is called here.
template <typename T>
using Memory = atomic_detail::Memory<Value<T>, thread_scope_system>;

template <typename T>
ROCPORT_NV_ATOMIC typename Memory<T>::Alias* words(T* at) {
  return Memory<T>::words(const_cast<Value<T>*>(at));
}

}  // namespace nv_atomic_detail

template <typename T>
ROCPORT_NV_ATOMIC nv_atomic_detail::Value<T> nv_atomic_load_n(
    T* at, int order, int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  return nv_atomic_detail::Memory<T>::value(
      __hip_atomic_load(nv_atomic_detail::words(at), order, scope));
}
template <typename T>
ROCPORT_NV_ATOMIC void nv_atomic_load(T* at, nv_atomic_detail::Value<T>* result, int order,
                                      int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  *result = nv_atomic_load_n(at, order, scope);
}

template <typename T>
ROCPORT_NV_ATOMIC void nv_atomic_store_n(T* at, nv_atomic_detail::Value<T> value, int order,
                                         int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  __hip_atomic_store(nv_atomic_detail::words(at), nv_atomic_detail::Memory<T>::bits(value), order,
                     scope);
}
template <typename T>
ROCPORT_NV_ATOMIC void nv_atomic_store(T* at, const nv_atomic_detail::Value<T>* value, int order,
                                       int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  nv_atomic_store_n(at, *value, order, scope);
}

template <typename T>
ROCPORT_NV_ATOMIC nv_atomic_detail::Value<T> nv_atomic_exchange_n(
    T* at, nv_atomic_detail::Value<T> value, int order, int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  return nv_atomic_detail::Memory<T>::value(__hip_atomic_exchange(
      nv_atomic_detail::words(at), nv_atomic_detail::Memory<T>::bits(value), order, scope));
}
template <typename T>
ROCPORT_NV_ATOMIC void nv_atomic_exchange(T* at, const nv_atomic_detail::Value<T>* value,
                                          nv_atomic_detail::Value<T>* result, int order,
                                          int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  *result = nv_atomic_exchange_n(at, *value, order, scope);
}

/// Stores the found value in expected if it differs; never fails otherwise, weak or not.
template <typename T>
ROCPORT_NV_ATOMIC bool nv_atomic_compare_exchange_n(T* at, nv_atomic_detail::Value<T>* expected,
                                                    nv_atomic_detail::Value<T> desired,
                                                    bool /*weak*/, int success, int failure,
                                                    int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  using M = nv_atomic_detail::Memory<T>;
  typename M::Word found = M::bits(*expected);
  const bool done = __hip_atomic_compare_exchange_strong(
      nv_atomic_detail::words(at), &found, M::bits(desired), success, failure, scope);
  if (!done) *expected = M::value(found);
  return done;
}
template <typename T>
ROCPORT_NV_ATOMIC bool nv_atomic_compare_exchange(T* at, nv_atomic_detail::Value<T>* expected,
                                                  const nv_atomic_detail::Value<T>* desired,
                                                  bool weak, int success, int failure,
                                                  int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  return nv_atomic_compare_exchange_n(at, expected, *desired, weak, success, failure, scope);
}

#define ROCPORT_NV_FETCH(name, builtin, operand)                                                   \
  template <typename T>                                                                            \
  ROCPORT_NV_ATOMIC nv_atomic_detail::Value<T> nv_atomic_fetch_##name(                             \
      T* at, nv_atomic_detail::Value<T> value, int order, int scope = __HIP_MEMORY_SCOPE_SYSTEM) { \
    return builtin(const_cast<nv_atomic_detail::Value<T>*>(at), operand, order, scope);            \
  }                                                                                                \
  template <typename T>                                                                            \
  ROCPORT_NV_ATOMIC void nv_atomic_##name(T* at, nv_atomic_detail::Value<T> value, int order,      \
                                          int scope = __HIP_MEMORY_SCOPE_SYSTEM) {                 \
    nv_atomic_fetch_##name(at, value, order, scope);                                               \
  }
ROCPORT_NV_FETCH(add, __hip_atomic_fetch_add, value)
ROCPORT_NV_FETCH(sub, __hip_atomic_fetch_add, -value)
ROCPORT_NV_FETCH(min, __hip_atomic_fetch_min, value)
ROCPORT_NV_FETCH(max, __hip_atomic_fetch_max, value)
ROCPORT_NV_FETCH(and, __hip_atomic_fetch_and, value)
ROCPORT_NV_FETCH(or, __hip_atomic_fetch_or, value)
ROCPORT_NV_FETCH(xor, __hip_atomic_fetch_xor, value)
#undef ROCPORT_NV_FETCH

ROCPORT_NV_ATOMIC void nv_atomic_thread_fence(int order, int scope = __HIP_MEMORY_SCOPE_SYSTEM) {
  atomic_thread_fence(static_cast<memory_order>(order),
                      scope == __HIP_MEMORY_SCOPE_SYSTEM      ? thread_scope_system
                      : scope == __HIP_MEMORY_SCOPE_AGENT     ? thread_scope_device
                      : scope == __HIP_MEMORY_SCOPE_WORKGROUP ? thread_scope_block
                                                              : thread_scope_thread);
}
ROCPORT_NV_ATOMIC void nv_atomic_signal_fence(int order) {
  atomic_signal_fence(static_cast<memory_order>(order));
}

}  // namespace rocport

#undef ROCPORT_NV_ATOMIC

#endif
#endif  // ROCPORT_NV_ATOMIC_H
