// A macro's argument in the text: one macro for each argument that the file has, and ## chooses as # did.
#define CVT(name, op)                                              \
  __device__ unsigned name(float x) {                              \
    unsigned r;                                                    \
    asm("cvt." #op ".u32.f32 %0, %1;" : "=r"(r) : "f"(x));         \
    return r;                                                      \
  }
CVT(down, rmi)
CVT(up, rpi)
CVT(even, rni)

#define ORDERED(v, p, order, scope) \
  asm volatile("ld." #order "." #scope ".global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define TWICE(d, a, op)                                                 \
  do {                                                                  \
    asm("{ .reg .u32 t; " #op ".b32 t, %1, 3; add.u32 %0, t, t; }"      \
        : "=r"(d)                                                       \
        : "r"(a));                                                      \
    asm(#op ".b32 %0, %0, 7;" : "+r"(d));                               \
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
