// Waits on the device.
#include "wait.h"

namespace rocshmem {
namespace detail {
namespace {

__device__ bool counts(const int* status, size_t i) { return status == nullptr || status[i] == 0; }

/** The value for each element. */
template <typename T>
struct One {
  T value;
  __device__ T operator[](size_t) const { return value; }
};

template <typename T, typename V>
__device__ bool holds(const T* at, size_t i, int cmp, V to) {
  int is = compares(loadElement(at + i), cmp, static_cast<T>(to[i]));
  if (is < 0) fail("unknown comparison", at, cmp);
  return is != 0;
}

template <typename T, typename V>
__device__ void awaitAll(const T* at, size_t n, const int* status, int cmp, V to) {
  for (size_t i = 0; i < n; i++) {
    while (counts(status, i) && !holds(at, i, cmp, to)) pause();
  }
  acquire();
}

/** The indices are of those that hold; how many there are. */
template <typename T, typename V>
__device__ size_t awaitSome(const T* at, size_t n, size_t* indices, const int* status, int cmp, V to) {
  for (;;) {
    size_t found = 0;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
      if (!counts(status, i)) continue;
      any = true;
      if (holds(at, i, cmp, to)) indices[found++] = i;
    }
    if (found > 0 || !any) {
      acquire();
      return found;
    }
    pause();
  }
}

template <typename T, typename V>
__device__ size_t awaitAny(const T* at, size_t n, const int* status, int cmp, V to) {
  for (;;) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
      if (!counts(status, i)) continue;
      any = true;
      if (holds(at, i, cmp, to)) {
        acquire();
        return i;
      }
    }
    if (!any) return SIZE_MAX;
    pause();
  }
}

}  // namespace
}  // namespace detail

#define ROCSHMEM_WAITS(T, NAME)                                                                             \
  __device__ void rocshmem_##NAME##_wait_until(T* ivars, int cmp, T val) { detail::await(ivars, cmp, val); } \
  __device__ size_t rocshmem_##NAME##_wait_until_any(T* ivars, size_t nelems, const int* status, int cmp, T val) { \
    return detail::awaitAny(ivars, nelems, status, cmp, detail::One<T>{val});                               \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, T val) {   \
    detail::awaitAll(ivars, nelems, status, cmp, detail::One<T>{val});                                      \
  }                                                                                                         \
  __device__ size_t rocshmem_##NAME##_wait_until_some(T* ivars, size_t nelems, size_t* indices,             \
                                                      const int* status, int cmp, T val) {                  \
    return detail::awaitSome(ivars, nelems, indices, status, cmp, detail::One<T>{val});                     \
  }                                                                                                         \
  __device__ size_t rocshmem_##NAME##_wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp, T* vals) { \
    return detail::awaitAny(ivars, nelems, status, cmp, vals);                                              \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp, T* vals) {   \
    detail::awaitAll(ivars, nelems, status, cmp, vals);                                                     \
  }                                                                                                         \
  __device__ size_t rocshmem_##NAME##_wait_until_some_vector(T* ivars, size_t nelems, size_t* indices,      \
                                                             const int* status, int cmp, T* vals) {         \
    return detail::awaitSome(ivars, nelems, indices, status, cmp, vals);                                    \
  }                                                                                                         \
  __device__ int rocshmem_##NAME##_test(T* ivars, int cmp, T val) {                                         \
    bool is = detail::holds(ivars, 0, cmp, detail::One<T>{val});                                            \
    detail::acquire();                                                                                      \
    return is;                                                                                              \
  }
ROCSHMEM_EACH_WAIT_TYPE(ROCSHMEM_WAITS)

}  // namespace rocshmem
