// Statements of inline PTX as wholes: registers, scopes, guards, loops, operands.
#include <cstdint>

__device__ void one(unsigned a, unsigned b, unsigned* out) {
  unsigned d;
  asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b + 1));
  asm volatile ("add.u32 %0, %0, 0x10;" : "+r"(d));
  if (d) asm("trap;");
  else asm("{ add.u32 %0, %1, %1; add.u32 %0, %0, %2; }" : "=r"(out[0]) : "r"(a), "r"(b));
}

// Each input has a value of its own, whatever is written before it is read.
__device__ unsigned overlap(unsigned x, unsigned y) {
  asm("{ add.u32 %0, %1, 1; add.u32 %0, %0, %2; }" : "=r"(x) : "r"(y), "r"(x));
  return x;
}

// An expression with an effect is evaluated once.
__device__ unsigned effects(unsigned* p, unsigned (*next)(unsigned)) {
  unsigned r;
  asm("{ .reg .u32 t; add.u32 t, %1, %1; add.u32 %0, t, %2; }" : "=r"(r) : "r"(*p++), "r"(next(3)));
  return r;
}

__device__ void wait_for(uint32_t* flag, uint32_t expected, uint32_t on) {
  asm volatile(
      "{\n\t"
      "  .reg .pred %p<2>;\n\t"
      "  .reg .u32 %r0;\n\t"
      "  setp.eq.u32 %p0, %2, 0;  // the mask\n\t"
      "  @%p0 bra done;\n"
      "wait:\n\t"
      "  ld.global.sys.acquire.u32 %r0, [%0];\n\t"
      "  setp.lt.u32 %p1, %r0, %1;\n\t"
      "  @%p1 bra wait;\n"
      "done:\n\t"
      "}"
      :
      : "l"(flag), "r"(expected), "r"(on)
      : "memory");
}

// The wait that leaves its loop by a branch.
__device__ void leave(unsigned long long at, unsigned v) {
  asm volatile(
      R"({
        .reg .pred p;
        .reg .b32 seen;
        LOOP:
        ld.relaxed.gpu.global.u32 seen, [%0+8];
        setp.eq.u32 p, seen, %1;
        @p bra DONE;
        bra LOOP;
        DONE:
      })" ::"l"(at), "r"(v) : "memory");
}

__device__ unsigned guarded(unsigned x, unsigned y) {
  unsigned p = 7;
  asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p mov.u32 %0, %2; @p add.u32 %0, %0, 1; @!p mov.u32 %0, 9; }"
      : "+r"(p) : "r"(x), "r"(y));
  return p;
}

__device__ unsigned long long scopes(unsigned a) {
  unsigned long long d;
  asm("{ .reg .u32 t; mov.u32 t, %1; { .reg .u64 t; cvt.u64.u32 t, %1; mov.u64 %0, t; } }" : "=l"(d) : "r"(a));
  return d;
}

#define LANE_OF(x) asm("mov.u32 %0, %%laneid;" : "=r"(x))
#define ADD_TWICE(d, a)                               \
  asm volatile("{ .reg .u32 t; add.u32 t, %1, %1; "   \
               "add.u32 %0, t, t; }" : "=r"(d) : "r"(a))

// A carry goes from statement to statement.
__device__ void wide(unsigned* r, const unsigned* a, const unsigned* b) {
  asm("add.cc.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a[0]), "r"(b[0]));
  asm("addc.cc.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(a[1]), "r"(b[1]));
  asm("addc.u32 %0, %1, %2;" : "=r"(r[2]) : "r"(a[2]), "r"(b[2]));
}

__device__ unsigned lost_carry(unsigned a, unsigned b) {
  unsigned r;
  asm("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));  // want: PTX-INLINE
  return r;
}

__device__ void pointers(float* p, float** q) {
  float* r;
  asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(1.5f) : "memory");
  asm("mov.u64 %0, %1;" : "=l"(r) : "l"(p));
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
  if (v) asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, -1;" : "=r"(r) : "r"(v));
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
  asm("{ .reg .u32 laneid; mov.u32 laneid, %%laneid; and.b32 %0, laneid, 3; }" : "=r"(o));
  asm volatile("{.reg .f32 t; atom.global.add.f32 t, [%0], %1;}" :: "l"(p), "f"(v));
  return o;
}
__device__ unsigned halves(uint64_t word, bool c) {
  uint32_t low = 0;
  uint32_t high = 0;
  if (c) asm("mov.b64 {%0,%1}, %2;" : "=r"(low), "=r"(high) : "l"(word));
  return low + high;
}

// A predicate that changes in what it skips is asked again.
__device__ unsigned asked_again(unsigned first, unsigned second) {
  unsigned o = 0;
  asm("{ .reg .pred p; setp.ne.u32 p,%1,0; @!p bra L; setp.eq.u32 p,%2,0; mov.u32 %0,1; L: @p mov.u32 %0,2; }"
      : "+r"(o) : "r"(first), "r"(second));
  return o;
}

// Operands are evaluated before, in their order; references may be to one place.
#define NEXT_INDEX (t + 1u)
__device__ void order(uint32_t& x, uint32_t& y, const uint32_t& a, const uint32_t& b, unsigned t) {
  asm("mov.u32 %0,%2; mov.u32 %1,%3;" : "=r"(x), "=r"(y) : "r"(a), "r"(b));
  asm("{ .reg .u32 t; mov.u32 t,5; add.u32 %0,t,%1; }" : "=r"(x) : "r"(NEXT_INDEX));
}
__device__ unsigned next();
__device__ unsigned effects_in_order(unsigned* list, unsigned i, bool f) {
  unsigned o, u;
  asm("sub.u32 %0,%2,%1;" : "=r"(o) : "r"(next()), "r"(next()));
  asm("{mov.u32 %0, 3; mov.u32 %1, 4;}" : "=r"(i), "=r"(list[i]));
  asm("mov.u32 %0, 7;" : "=r"(f ? o : u));
  return o + i;
}
__device__ void copy(uint32_t to, const char* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1+16], 16;" :: "r"(to), "l"(from));
}
__device__ unsigned only_if(unsigned v, unsigned w, bool c) {
  unsigned r = 0, s = 0;
  if (c) asm("add.cc.u32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(w));  // want: PTX-INLINE
  asm("addc.u32 %0,%1,%2;" : "=r"(s) : "r"(v), "r"(w));  // want: PTX-INLINE
  asm volatile("" : "+r"(s));                            // want: PTX-INLINE
  return r + s;
}
