// Waiting for what other PEs write into this one's memory. Elements whose status is not 0 are left
// out; where that is all of them, nothing is waited for. _some gives the indices of those that
// compare true, and how many; _any the index of one, SIZE_MAX where all are left out.
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
