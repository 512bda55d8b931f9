// Waits for values that other PEs write into the memory of this PE. Elements whose status is not 0 are ignored; if all
// are ignored, the call returns at once. _some returns the indices of elements that compare true, and their number;
// _any returns the index of one, SIZE_MAX if all are ignored.
#pragma once

namespace rocshmem {

#define ROCSHMEM_DECLARE_WAITS_(WHERE, T, NAME)                                                         \
  WHERE void rocshmem_##NAME##_wait_until(T* ivars, int cmp, T val);                                    \
  WHERE size_t rocshmem_##NAME##_wait_until_any(T* ivars, size_t nelems, const int* status, int cmp, T val); \
  WHERE void rocshmem_##NAME##_wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, T val);   \
  WHERE size_t rocshmem_##NAME##_wait_until_some(T* ivars, size_t nelems, size_t* indices,              \
                                                 const int* status, int cmp, T val);                    \
  WHERE size_t rocshmem_##NAME##_wait_until_any_vector(T* ivars, size_t nelems, const int* status,      \
                                                       int cmp, T* vals);                               \
  WHERE void rocshmem_##NAME##_wait_until_all_vector(T* ivars, size_t nelems, const int* status,        \
                                                     int cmp, T* vals);                                 \
  WHERE size_t rocshmem_##NAME##_wait_until_some_vector(T* ivars, size_t nelems, size_t* indices,       \
                                                        const int* status, int cmp, T* vals);           \
  WHERE int rocshmem_##NAME##_test(T* ivars, int cmp, T val);
#define ROCSHMEM_DECLARE_BOTH_(T, NAME) ROCSHMEM_DECLARE_WAITS_(__device__, T, NAME) ROCSHMEM_DECLARE_WAITS_(__host__, T, NAME)
ROCSHMEM_EACH_WAIT_TYPE(ROCSHMEM_DECLARE_BOTH_)
#undef ROCSHMEM_DECLARE_BOTH_
#undef ROCSHMEM_DECLARE_WAITS_

}  // namespace rocshmem
