// Comparisons, and waiting for them, on the host and on the device.
#pragma once

#include "core.h"

namespace rocshmem::detail {

__host__ __device__ inline float comparable(__half value) { return __half2float(value); }
__host__ __device__ inline float comparable(__hip_bfloat16 value) { return __bfloat162float(value); }
template <typename T>
__host__ __device__ inline T comparable(T value) {
  return value;
}

/** Whether VALUE CMP TO; -1 if the comparison does not exist. */
template <typename T>
__host__ __device__ inline int compares(T value, int cmp, T to) {
  auto a = comparable(value);
  auto b = comparable(to);
  switch (cmp) {
    case ROCSHMEM_CMP_EQ: return a == b;
    case ROCSHMEM_CMP_NE: return a != b;
    case ROCSHMEM_CMP_GT: return a > b;
    case ROCSHMEM_CMP_GE: return a >= b;
    case ROCSHMEM_CMP_LT: return a < b;
    case ROCSHMEM_CMP_LE: return a <= b;
    default: return -1;
  }
}

/** Waits for it; gives the value that compares true. */
template <typename T>
__device__ inline T await(const T* at, int cmp, T to) {
  for (;;) {
    T value = loadElement(at);
    int is = compares(value, cmp, to);
    if (is < 0) fail("unknown comparison", at, cmp);
    if (is != 0) {
      acquire();
      return value;
    }
    pause();
  }
}

}  // namespace rocshmem::detail
