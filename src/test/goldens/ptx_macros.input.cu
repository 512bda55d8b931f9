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

// A macro with two definitions, whose constraints are arguments, too.
#ifdef WITH_MASKS
#define FROM_BELOW(dir, type, r, c_type, op)                                                 \
  __device__ c_type dir##_##op(c_type x, int offset, int clamp) {                            \
    c_type result = x;                                                                       \
    unsigned mask = __activemask();                                                          \
    asm("{.reg ." #type " t; .reg .pred p; shfl.sync." #dir ".b32 t|p, %1, %2, %3, %4;"      \
        "@p " #op "." #type " t, t, %1; mov." #type " %0, t;}"                               \
        : "=" #r(result)                                                                     \
        : #r(x), "r"(offset), "r"(clamp), "r"(mask));                                        \
    return result;                                                                           \
  }
#else
#define FROM_BELOW(dir, type, r, c_type, op)                                                 \
  __device__ c_type dir##_##op(c_type x, int offset, int clamp) {                            \
    c_type result;                                                                           \
    asm("{.reg ." #type " t; .reg .pred p; shfl." #dir ".b32 t|p, %1, %2, %3;"               \
        "@p " #op "." #type " t, t, %1; mov." #type " %0, t;}"                               \
        : "=" #r(result)                                                                     \
        : #r(x), "r"(offset), "r"(clamp));                                                   \
    return result;                                                                           \
  }
#endif
FROM_BELOW(up, s32, r, int, add)
FROM_BELOW(down, f32, f, float, max)
#undef FROM_BELOW

// The halves of a number: no warp instruction is in a branch.
__device__ double above(double x, int offset, unsigned mask) {
  double y;
  asm("{.reg .b32 lo, hi; .reg .pred p; mov.b64 {lo, hi}, %1; shfl.sync.down.b32 lo|p, lo, %2, 31, %3;"
      "shfl.sync.down.b32 hi, hi, %2, 31, %3; mov.b64 %0, {lo, hi}; @!p mov.f64 %0, 0d0000000000000000;}"
      : "=d"(y) : "d"(x), "r"(offset), "r"(mask));
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
