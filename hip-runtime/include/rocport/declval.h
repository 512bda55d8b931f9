// std::declval for device code. The one of the C++ library is a function of the host, and clang
// rejects it in device functions, also where it is not evaluated. Host code and classes get that of
// the library, as before.
#ifndef ROCPORT_DECLVAL_H
#define ROCPORT_DECLVAL_H

#if defined(__HIP__) && defined(__clang__) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>

#include <type_traits>
#include <utility>

namespace std {
template <typename T>
__device__ typename add_rvalue_reference<T>::type declval() noexcept;
}  // namespace std

#endif
#endif  // ROCPORT_DECLVAL_H
