// A macro's argument in the text: one macro for each argument that the file has, and ## chooses as # did.
#include <hip/hip_runtime.h>
#include "rocport/ptx_address.h"
#include "rocport/ptx_convert.h"
#include "rocport/ptx_memory.h"
#define ROCPORT_CVT_rmi(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; rocport_out0 = rocport::ptx::cvt_rmi_from_f32<unsigned>(o1); rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_CVT_rpi(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; rocport_out0 = rocport::ptx::cvt_rpi_from_f32<unsigned>(o1); rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_CVT_rni(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; rocport_out0 = rocport::ptx::cvt_rni_from_f32<unsigned>(o1); rocport_place0 = rocport_out0; } while (0)
#define CVT(name, op)                                              \
  __device__ unsigned name(float x) {                              \
    unsigned r;                                                    \
    ROCPORT_CVT_##op(r, x);         \
    return r;                                                      \
  }
CVT(down, rmi)
CVT(up, rpi)
CVT(even, rni)

#define ROCPORT_ORDERED_acquire_sys(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; rocport_out0 = rocport::ptx::load_global<unsigned, rocport::ptx::acquire, rocport::ptx::sys>(o1); rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_ORDERED_relaxed_gpu(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; rocport_out0 = rocport::ptx::load_global<unsigned, rocport::ptx::relaxed, rocport::ptx::gpu>(o1); rocport_place0 = rocport_out0; } while (0)
#define ORDERED(v, p, order, scope) \
  ROCPORT_ORDERED_##order##_##scope(v, p)
#define ROCPORT_TWICE_1_and(o0) do { auto& rocport_place0 = o0; unsigned rocport_out0 = rocport_place0; rocport_out0 = rocport_out0 & 7u; rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_TWICE_1_or(o0) do { auto& rocport_place0 = o0; unsigned rocport_out0 = rocport_place0; rocport_out0 = rocport_out0 | 7u; rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_TWICE_and(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; const unsigned rocport_in1 = o1; unsigned rocport_t = rocport_in1 & 3u; rocport_out0 = rocport_t + rocport_t; rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_TWICE_or(o0, o1) do { auto& rocport_place0 = o0; unsigned rocport_out0; const unsigned rocport_in1 = o1; unsigned rocport_t = rocport_in1 | 3u; rocport_out0 = rocport_t + rocport_t; rocport_place0 = rocport_out0; } while (0)
#define TWICE(d, a, op)                                                 \
  do {                                                                  \
    ROCPORT_TWICE_##op(d, a);                                                      \
    ROCPORT_TWICE_1_##op(d);                               \
  } while (0)

__device__ unsigned uses(const unsigned* p, unsigned a) {
  unsigned v, w, d, e;
  ORDERED(v, p, acquire, sys);
  ORDERED(w, p + 1, relaxed, gpu);
  TWICE(d, a + v, and);
  TWICE(e, (a, w), or);
  return d + e + v + w;
}

// What stays: arguments that cannot be pasted, that another macro hands on, that no use tells, that have no form, and
// literals, which are none.
#define DOTTED(v, p, how) asm volatile("ld" #how " %0, [%1];" : "=r"(v) : "l"(p))  // want: PTX-INLINE
__device__ unsigned dotted(const unsigned* p) { unsigned v; DOTTED(v, p, .global.u32); return v; }
#define INNER(v, op) asm(#op ".b32 %0, %0, 1;" : "+r"(v))  // want: PTX-INLINE
#define OUTER(v, op) INNER(v, op)
__device__ void outer(unsigned& v) { OUTER(v, xor); INNER(v, or); }
#define UNUSED(v, op) asm(#op ".b32 %0, %0, 1;" : "+r"(v))  // want: PTX-INLINE
#define UNKNOWN(v, op) asm(#op ".b32 %0, %0, 1;" : "+r"(v))  // want: PTX-INLINE
__device__ void unknown(unsigned& v) { UNKNOWN(v, and); UNKNOWN(v, frobnicate); }
#define LITERAL(v, p, type) asm volatile("ld.global." type " %0, [%1];" : "=r"(v) : "l"(p))  // want: PTX-INLINE
__device__ unsigned literal(const unsigned* p) { unsigned v; LITERAL(v, p, "u32"); return v; }
