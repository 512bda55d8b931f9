// Steps of long arithmetic in macros: the carry goes from one macro to the next.
#define ADD_CC(r, a, b) \
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b))  // want: PTX-INLINE
#define ADDC(r, a, b) \
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b))  // want: PTX-INLINE
#define ADD(r, a, b) asm volatile("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b))  // ok: PTX-INLINE

__device__ void add(unsigned *r, const unsigned *a, const unsigned *b) {
  ADD_CC(r[0], a[0], b[0]);
  ADDC(r[1], a[1], b[1]);
}

// The carry stays in the statements that stand side by side.
__device__ void together(unsigned *r, const unsigned *a, const unsigned *b) {
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a[0]), "r"(b[0]));  // ok: PTX-INLINE
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(a[1]), "r"(b[1]));  // ok: PTX-INLINE
}
