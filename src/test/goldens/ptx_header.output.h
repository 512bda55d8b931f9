#pragma once
#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#endif
#include "rocport/ptx_address.h"
#include "rocport/ptx_memory.h"
#include "macros.h"

// For the device by a macro of another file.
DEVICE_INLINE unsigned load(const unsigned* p) {
  unsigned v;
  v = rocport::ptx::load_global<unsigned, rocport::ptx::acquire, rocport::ptx::sys>(p);
  return v;
}
#define STORE(p, v) do { const unsigned long long rocport_in0 = rocport::ptx::word(p); const unsigned rocport_in1 = v; rocport::ptx::store_global<unsigned, rocport::ptx::release, rocport::ptx::sys>(rocport_in0, rocport_in1); } while (0)
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
