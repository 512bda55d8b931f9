#include <cuda_runtime.h>

#define PREFETCH 1

// Conditions that select hints: all selections have the same translation.
__device__ void guarded(uint2& to, const void* from, bool guard) {
  asm volatile(
      "{\n"
      "  .reg .pred p;\n"
      "  setp.ne.b32 p, %3, 0;\n"
#if PREFETCH
      "  @p ld.global.L2::128B.v2.u32 {%0, %1}, [%2];\n"
#else
      "  @p ld.global.v2.u32 {%0, %1}, [%2];\n"
#endif
      "}\n"
      : "+r"(to.x), "+r"(to.y)
      : "l"(from), "r"((int)guard));
}

// A condition that holds a part of the operands.
template <int N> __device__ void copy(unsigned to, const void* from) {
  asm volatile(
#if PREFETCH
      "cp.async.ca.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(to),
#else
      "cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(to),
#endif
      "l"(from), "n"(N));
}

// nvcc takes operands without commas, and a load to an address until ptxas reads it.
__device__ void store(unsigned to, const uint4* from) {
  asm volatile("st.shared.v2.u32 [%0], {%1, %2};" : : "r"(to) "r"(from->x), "r"(from->y));
  asm volatile("ld.shared.v4.u32 [%0], {%1, %2, %3, %4};"
               : : "r"(to) "r"(from->x), "r"(from->y), "r"(from->z), "r"(from->w));
}
