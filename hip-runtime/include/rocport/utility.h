// Functions of cuda::std whose namesakes in std are for the host before C++20.
//
//   CUDA                          here (namespace rocport)
//   cuda::std::swap(a, b)         swap(a, b), also of arrays
//   cuda::std::exchange(a, v)     exchange(a, v)
//   cuda::std::identity           identity
//   cuda::std::type_identity<T>   type_identity<T>, type_identity_t<T>
#ifndef ROCPORT_UTILITY_H
#define ROCPORT_UTILITY_H

#if defined(__HIP__) || defined(__HIPCC__)
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#define ROCPORT_UTILITY __host__ __device__ __forceinline__
#else
#define ROCPORT_UTILITY inline
#endif

#if !defined(__HIPCC_RTC__)
#include <cstddef>
#include <utility>
#endif

namespace rocport {

template <typename T>
ROCPORT_UTILITY constexpr void swap(T& a, T& b) {
  T old = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(old);
}

template <typename T, std::size_t N>
ROCPORT_UTILITY constexpr void swap(T (&a)[N], T (&b)[N]) {
  for (std::size_t i = 0; i < N; ++i) rocport::swap(a[i], b[i]);
}

/// Puts a value in and returns what was there.
template <typename T, typename U = T>
ROCPORT_UTILITY constexpr T exchange(T& at, U&& value) {
  T old = static_cast<T&&>(at);
  at = static_cast<U&&>(value);
  return old;
}

/// Returns its argument, temporaries as values: iterators of Thrust pass constant elements, which
/// do not bind to the T&& that they derive from their value type.
struct identity {
  using is_transparent = void;
  template <typename T>
  ROCPORT_UTILITY constexpr T operator()(T&& value) const {
    return static_cast<T&&>(value);
  }
};

template <typename T>
struct type_identity {
  using type = T;
};
template <typename T>
using type_identity_t = typename type_identity<T>::type;

}  // namespace rocport

#undef ROCPORT_UTILITY

#endif  // ROCPORT_UTILITY_H
