// Statements of inline PTX as wholes: registers, scopes, guards, loops, operands.
#include <hip/hip_runtime.h>
#include "rocport/device_functions.h"
#include "rocport/ptx_address.h"
#include "rocport/ptx_atomics.h"
#include "rocport/ptx_integer.h"
#include "rocport/ptx_memory.h"
#include "rocport/ptx_warp.h"
#include "rocport/warp_sync.h"
#include <cstdint>

__device__ void one(unsigned a, unsigned b, unsigned* out) {
  unsigned d;
  d = static_cast<unsigned>(a) + static_cast<unsigned>(b + 1);
  d = static_cast<unsigned>(d) + 16u;
  if (d) rocport::trap();
  else {
    unsigned out0;
    const unsigned in2 = b;
    out0 = static_cast<unsigned>(a) + static_cast<unsigned>(a);
    out0 = out0 + in2;
    out[0] = out0;
  }
}

// Each input has a value of its own, whatever is written before it is read.
__device__ unsigned overlap(unsigned x, unsigned y) {
  {
    const unsigned in2 = x;
    x = static_cast<unsigned>(y) + 1u;
    x = static_cast<unsigned>(x) + in2;
  }
  return x;
}

// An expression with an effect is evaluated once.
__device__ unsigned effects(unsigned* p, unsigned (*next)(unsigned)) {
  unsigned r;
  {
    const unsigned in1 = *p++;
    const unsigned in2 = next(3);
    unsigned t = in1 + in1;
    r = t + in2;
  }
  return r;
}

__device__ void wait_for(uint32_t* flag, uint32_t expected, uint32_t on) {
  {
    unsigned r0;
    bool p1;
    bool p0 = on == 0u;
    if (!p0) {
      do {
        r0 = rocport::ptx::load_global<unsigned, rocport::ptx::acquire, rocport::ptx::sys>(flag);
        p1 = r0 < expected;
      } while (p1);
    }
  }
}

// The wait that leaves its loop by a branch.
__device__ void leave(unsigned long long at, unsigned v) {
  {
    unsigned seen;
    bool p;
    for (;;) {
      seen = rocport::ptx::load_global<unsigned, rocport::ptx::relaxed, rocport::ptx::gpu>(rocport::ptx::Address(at) + 8);
      p = seen == static_cast<unsigned>(v);
      if (p) break;
    }
  }
}

__device__ unsigned guarded(unsigned x, unsigned y) {
  unsigned p = 7;
  {
    bool p_2 = static_cast<unsigned>(x) != 0u;
    if (p_2) {
      p = y;
      p = static_cast<unsigned>(p) + 1u;
    }
    if (!p_2) {
      p = 9u;
    }
  }
  return p;
}

__device__ unsigned long long scopes(unsigned a) {
  unsigned long long d;
  {
    unsigned t = a;
    unsigned long long t_2 = rocport::ptx::convert<unsigned long long, unsigned>(a);
    d = t_2;
  }
  return d;
}

#define LANE_OF(x) (x) = rocport::lane_id()
#define ADD_TWICE(d, a)                               \
  do { auto& rocport_place0 = d; unsigned rocport_out0; const unsigned rocport_in1 = a; unsigned rocport_t = rocport_in1 + rocport_in1; rocport_out0 = rocport_t + rocport_t; rocport_place0 = rocport_out0; } while (0)

// A carry goes from statement to statement.
__device__ void wide(unsigned* r, const unsigned* a, const unsigned* b) {
  { bool rocport_carry = false; r[0] = rocport::ptx::add_carry<unsigned>(a[0], b[0], false, rocport_carry);
  r[1] = rocport::ptx::add_carry<unsigned>(a[1], b[1], rocport_carry, rocport_carry);
  r[2] = rocport::ptx::add<unsigned>(rocport::ptx::add<unsigned>(a[2], b[2]), rocport_carry); }
}

__device__ unsigned lost_carry(unsigned a, unsigned b) {
  unsigned r;
  asm("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));  // want: PTX-INLINE
  return r;
}

__device__ void pointers(float* p, float** q) {
  float* r;
  rocport::ptx::store_global<float>(p, 1.5f);
  rocport::ptx::set(r, rocport::ptx::word(p));
  *q = r;
}

// What stays, and why.
__device__ void leftovers(unsigned long long p, unsigned v) {
  asm volatile("st.acquire.sys.global.u32 [%0], %1;" :: "l"(p), "r"(v));  // want: PTX-INLINE
  asm volatile("frobnicate.u32 %0;" :: "r"(v));                           // want: PTX-INLINE
  asm volatile("{ add.u32 %0, %0, 1 }} ;" : "+r"(v));                     // want: PTX-INLINE
  asm volatile("wgmma.fence.sync.aligned;");                              // want: PTX-INLINE
}
#define OP(name, x) asm(#name ".u32 %0, %0, 1;" : "+r"(x))                // want: PTX-INLINE

// Lanes of both branches may have to meet: a person must look.
__device__ unsigned branches(unsigned v, bool odd) {
  unsigned r = 0;
  if (odd) {
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(r) : "r"(v + 1));  // want: PTX-INLINE
  } else if (v > 7) {
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(r) : "r"(v));      // want: PTX-INLINE
  }
  if (v) r = rocport::ptx::shfl_idx(v, 0u, 31u, 0xffffffffu);
  else r = 1;
  return r;
}

// What is not PTX.
__device__ void barrier() { asm volatile("" ::: "memory"); }
inline unsigned long long ticks() {
  unsigned lo, hi;
  asm volatile("rdtsc" : "=a"(lo), "=d"(hi));
  return (static_cast<unsigned long long>(hi) << 32) | lo;
}
// asm("add.u32 %0, %1, %2;");
const char* text = "asm volatile(mov.u32 r, 1;)";
int asm_count = 0;

// A register is not the machine's of that name; what it declares stays inside.
__device__ unsigned own_names(float* p, float v) {
  unsigned o;
  { unsigned laneid = rocport::lane_id(); o = laneid & 3u; }
  {
    float t = rocport::ptx::atom_add_global<float, rocport::ptx::relaxed, rocport::ptx::gpu>(p, v);
  }
  return o;
}
__device__ unsigned halves(uint64_t word, bool c) {
  uint32_t low = 0;
  uint32_t high = 0;
  if (c) { low = static_cast<unsigned>(word); high = static_cast<unsigned>(word >> 32); }
  return low + high;
}

// A predicate that changes in what it skips is asked again.
__device__ unsigned asked_again(unsigned first, unsigned second) {
  unsigned o = 0;
  { bool p = first != 0u; if (p) { p = second == 0u; o = 1u; } if (p) { o = 2u; } }
  return o;
}

// Operands are evaluated before, in their order; references may be to one place.
#define NEXT_INDEX (t + 1u)
__device__ void order(uint32_t& x, uint32_t& y, const uint32_t& a, const uint32_t& b, unsigned t) {
  { const unsigned in3 = b; x = a; y = in3; }
  { const unsigned in1 = NEXT_INDEX; unsigned t = 5u; x = t + in1; }
}
__device__ unsigned next();
__device__ unsigned effects_in_order(unsigned* list, unsigned i, bool f) {
  unsigned o, u;
  { const unsigned in1 = next(); const unsigned in2 = next(); o = in2 - in1; }
  {
    auto& place0 = i;
    unsigned out0;
    auto& place1 = list[i];
    unsigned out1;
    out0 = 3u;
    out1 = 4u;
    place0 = out0;
    place1 = out1;
  }
  (f ? o : u) = 7u;
  return o + i;
}
__device__ void copy(uint32_t to, const char* from) {
  rocport::ptx::copy_async<16>(to, rocport::ptx::Address(from) + 16);
}
__device__ unsigned only_if(unsigned v, unsigned w, bool c) {
  unsigned r = 0, s = 0;
  if (c) asm("add.cc.u32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(w));  // want: PTX-INLINE
  asm("addc.u32 %0,%1,%2;" : "=r"(s) : "r"(v), "r"(w));  // want: PTX-INLINE
  asm volatile("" : "+r"(s));                            // want: PTX-INLINE
  return r + s;
}
