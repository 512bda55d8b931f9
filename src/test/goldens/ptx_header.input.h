#pragma once
#include "macros.h"

// For the device by a macro of another file.
DEVICE_INLINE unsigned load(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
#define STORE(p, v) asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory")
DEVICE_INLINE void multicast(unsigned* p, unsigned v) {
  asm volatile("multimem.red.relaxed.sys.global.add.u32 [%0], %1;" : : "l"(p), "r"(v));  // want: PTX-INLINE
}

// The host's.
static inline unsigned long long ticks() {
  unsigned lo, hi;
  asm volatile("rdtsc" : "=a"(lo), "=d"(hi));
  asm volatile("pause");
  return ((unsigned long long)hi << 32) | lo;
}
#define ROTATE(x) asm("rorl $1, %0" : "+r"(x))
#define ADD(x, y) asm("add %1, %0" : "+r"(x) : "r"(y))
