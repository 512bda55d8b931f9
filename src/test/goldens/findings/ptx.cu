// PTX in statements and in strings.
#include <string>

__device__ unsigned lane() {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));  // ok: PTX-INLINE
  return id;
}

__device__ void arrive() {
  asm volatile("bar.arrive 1, 64;");  // want: PTX-INLINE
}

__device__ void fence() {
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");  // want: PTX-INLINE
}

#define READ_CLOCK(clock) asm volatile("mov.u32 %0, %%clock;" : "=r"(clock))
#define READ_TIME(globaltimer) \
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(globaltimer))  // want: PTX-INLINE

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
__device__ void elect() { asm volatile("bar.arrive 2, 64;"); }  // ok: PTX-INLINE
#else
__device__ void elect() {}
#endif
#endif

void body(std::string &code) {
  code += "ld.global.u32 %r1, [%rd1];\n";  // want: PTX-STRING
}

const char *message = "mov.u32 is no function;";  // ok: PTX-STRING

const char *module =
    ".version 7.0\n"  // want: PTX-MODULE
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .entry k() { ret; }\n";

const char *error = "cannot read the .version of this module";  // ok: PTX-MODULE

// The selections have different translations.
__device__ unsigned next(unsigned x) {
  unsigned y;
  asm(  // want: PTX-INLINE
#ifdef BY_TWO
      "add.u32 %0, %1, 2;"
#else
      "add.u32 %0, %1, 1;"
#endif
      : "=r"(y) : "r"(x));
  return y;
}

// They have the same.
__device__ unsigned load(const unsigned* from) {
  unsigned y;
  asm(  // ok: PTX-INLINE
#ifdef PREFETCH
      "ld.global.L2::128B.u32 %0, [%1];"  // ok: PTX-STRING
#else
      "ld.global.u32 %0, [%1];"  // ok: PTX-STRING
#endif
      : "=r"(y) : "l"(from));
  return y;
}
