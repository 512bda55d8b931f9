// Comparisons of std::array in kernels.
//
//   CUDA                          here
//   cuda::std::array<T, N>        std::array<T, N>; all its members are constexpr, so that kernels can
//                                 call them: operator[] from C++17 on, fill and swap from C++20 on
//   ==, !=, <, >, <=, >= on it    before C++20, functions for the device in namespace std, where generic
//                                 code finds them; from C++20 on, memcmp for the device, which those
//                                 of the library call
#ifndef ROCPORT_ARRAY_H
#define ROCPORT_ARRAY_H

#if !defined(__HIPCC_RTC__)
#include <array>
#include <cstddef>
#endif

#if defined(__HIP_DEVICE_COMPILE__) && __cplusplus >= 202002L

// The symbol alone: a program may have a memcmp of its own in the device's name space.
extern "C" __device__ int rocport_compare_bytes(const void*, const void*, size_t) asm("memcmp");
extern "C" __device__ inline __attribute__((used, no_builtin("memcmp"))) int rocport_compare_bytes(
    const void* a, const void* b, size_t n) {
  const unsigned char* x = static_cast<const unsigned char*>(a);
  const unsigned char* y = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < n; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}

#elif defined(__HIP__) && __cplusplus < 202002L
#define ROCPORT_ARRAY template <typename T, size_t N> __device__ inline bool

// Next to those of the library for the host, as in clang's wrappers of C++ headers.
namespace std {

ROCPORT_ARRAY operator==(const array<T, N>& a, const array<T, N>& b) {
  for (size_t i = 0; i < N; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

ROCPORT_ARRAY operator<(const array<T, N>& a, const array<T, N>& b) {
  for (size_t i = 0; i < N; ++i) {
    if (a[i] < b[i]) return true;
    if (b[i] < a[i]) return false;
  }
  return false;
}

ROCPORT_ARRAY operator!=(const array<T, N>& a, const array<T, N>& b) { return !(a == b); }

ROCPORT_ARRAY operator>(const array<T, N>& a, const array<T, N>& b) { return b < a; }

ROCPORT_ARRAY operator<=(const array<T, N>& a, const array<T, N>& b) { return !(b < a); }

ROCPORT_ARRAY operator>=(const array<T, N>& a, const array<T, N>& b) { return !(a < b); }

}  // namespace std

#undef ROCPORT_ARRAY
#endif

#endif  // ROCPORT_ARRAY_H
