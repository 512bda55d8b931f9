// A macro's argument in the text: one macro for each argument that the file has, and ## chooses as # did.
#include <hip/hip_runtime.h>
#include "rocport/ptx_address.h"
#include "rocport/ptx_bits.h"
#include "rocport/ptx_convert.h"
#include "rocport/ptx_float.h"
#include "rocport/ptx_integer.h"
#include "rocport/ptx_memory.h"
#include "rocport/ptx_warp.h"
#include "rocport/warp_sync.h"
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

// A macro with two definitions, whose constraints are arguments, too.
#ifdef WITH_MASKS
#define ROCPORT_FROM_BELOW_s32_up_add_r(o0, o1, o2, o3, o4) do { auto& rocport_place0 = o0; unsigned rocport_out0; const unsigned rocport_in1 = o1; const unsigned rocport_in2 = o2; const unsigned rocport_in3 = o3; const unsigned rocport_in4 = o4; unsigned rocport_d; bool rocport_p; rocport::ptx::shfl_up(rocport_d, rocport_p, rocport_in1, rocport_in2, rocport_in3, rocport_in4); int rocport_t = rocport_d; if (rocport_p) { rocport_t = rocport::ptx::add<int>(rocport_t, rocport_in1); } rocport_out0 = rocport_t; rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_FROM_BELOW_f32_down_max_f(o0, o1, o2, o3, o4) do { auto& rocport_place0 = o0; float rocport_out0; const float rocport_in1 = o1; const unsigned rocport_in2 = o2; const unsigned rocport_in3 = o3; const unsigned rocport_in4 = o4; unsigned rocport_d; bool rocport_p; rocport::ptx::shfl_down(rocport_d, rocport_p, __float_as_uint(rocport_in1), rocport_in2, rocport_in3, rocport_in4); float rocport_t = __uint_as_float(rocport_d); if (rocport_p) { rocport_t = rocport::ptx::max_f32(rocport_t, rocport_in1); } rocport_out0 = rocport_t; rocport_place0 = rocport_out0; } while (0)
#define FROM_BELOW(dir, type, r, c_type, op)                                                 \
  __device__ c_type dir##_##op(c_type x, int offset, int clamp) {                            \
    c_type result = x;                                                                       \
    unsigned mask = rocport::activemask();                                                          \
    ROCPORT_FROM_BELOW_##type##_##dir##_##op##_##r(result, x, offset, clamp, mask);                                        \
    return result;                                                                           \
  }
#else
#define ROCPORT_FROM_BELOW_1_s32_up_add_r(o0, o1, o2, o3) do { auto& rocport_place0 = o0; unsigned rocport_out0; const unsigned rocport_in1 = o1; const unsigned rocport_in2 = o2; const unsigned rocport_in3 = o3; unsigned rocport_d; bool rocport_p; rocport::ptx::shfl_up(rocport_d, rocport_p, rocport_in1, rocport_in2, rocport_in3); int rocport_t = rocport_d; if (rocport_p) { rocport_t = rocport::ptx::add<int>(rocport_t, rocport_in1); } rocport_out0 = rocport_t; rocport_place0 = rocport_out0; } while (0)
#define ROCPORT_FROM_BELOW_1_f32_down_max_f(o0, o1, o2, o3) do { auto& rocport_place0 = o0; float rocport_out0; const float rocport_in1 = o1; const unsigned rocport_in2 = o2; const unsigned rocport_in3 = o3; unsigned rocport_d; bool rocport_p; rocport::ptx::shfl_down(rocport_d, rocport_p, __float_as_uint(rocport_in1), rocport_in2, rocport_in3); float rocport_t = __uint_as_float(rocport_d); if (rocport_p) { rocport_t = rocport::ptx::max_f32(rocport_t, rocport_in1); } rocport_out0 = rocport_t; rocport_place0 = rocport_out0; } while (0)
#define FROM_BELOW(dir, type, r, c_type, op)                                                 \
  __device__ c_type dir##_##op(c_type x, int offset, int clamp) {                            \
    c_type result;                                                                           \
    ROCPORT_FROM_BELOW_1_##type##_##dir##_##op##_##r(result, x, offset, clamp);                                                   \
    return result;                                                                           \
  }
#endif
FROM_BELOW(up, s32, r, int, add)
FROM_BELOW(down, f32, f, float, max)
#undef FROM_BELOW

// The halves of a number: no warp instruction is in a branch.
__device__ double above(double x, int offset, unsigned mask) {
  double y;
  {
    unsigned lo;
    unsigned hi;
    lo = static_cast<unsigned>(static_cast<unsigned long long>(__double_as_longlong(x))); hi = static_cast<unsigned>(static_cast<unsigned long long>(static_cast<unsigned long long>(__double_as_longlong(x))) >> 32);
    bool p;
    rocport::ptx::shfl_down(lo, p, lo, offset, 31u, mask);
    hi = rocport::ptx::shfl_down(hi, offset, 31u, mask);
    y = __longlong_as_double(rocport::ptx::pack<unsigned long long, unsigned>(lo, hi));
    if (!p) {
      y = __longlong_as_double(0x0000000000000000ll);
    }
  }
  return y;
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
#define WRONG(d, a, r) asm("mov.b32 %0, %1;" : "=" #r(d) : #r(a))  // want: PTX-INLINE
__device__ void wrong(unsigned& d, unsigned a) { WRONG(d, a, x); }
