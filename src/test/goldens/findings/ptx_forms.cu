// PTX that is translated, with a remark: statements whose meaning differs in a detail.
__global__ void forms(unsigned *p, float *f, int n) {
  unsigned v, w = threadIdx.x;
  float x;
  unsigned long long at;
  asm volatile("atom.relaxed.gpu.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(p), "r"(w));  // want: PTX-ATOMICS
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(w), "r"(0), "r"(n));  // want: PTX-BITS
  asm volatile("nanosleep.u32 %0;" ::"r"(w));  // want: PTX-CONTROL
  asm("cvt.rn.ftz.f16.f32 %0, %1;" : "=h"(*(unsigned short *)p) : "f"(f[0]));  // want: PTX-CONVERT
  asm("add.rz.f32 %0, %1, %2;" : "=f"(x) : "f"(f[0]), "f"(f[1]));  // want: PTX-FLOAT
  asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(v) : "r"(w), "r"(w));  // want: PTX-HALF
  asm("div.u32 %0, %1, %2;" : "=r"(v) : "r"(w), "r"(n));  // want: PTX-INTEGER
  asm("ld.global.cs.u32 %0, [%1];" : "=r"(v) : "l"(p));  // want: PTX-MEMORY
  asm volatile("fence.acq_rel.gpu;" ::: "memory");  // want: PTX-ORDERING
  asm("mov.u32 %0, %%warpid;" : "=r"(v));  // want: PTX-REGISTER
  asm("mov.u32 %0, %%laneid;" : "=r"(v));  // want: W64-LANE
  asm("mov.u32 %0, %%tid.x;" : "=r"(v));  // ok: PTX-REGISTER
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(v) : "r"(w));  // want: PTX-WARP
  asm("add.u32 %0, %1, %2;" : "=r"(v) : "r"(w), "r"(n));  // ok: PTX-INTEGER
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(w), "l"(p));  // want: PTX-COPIES
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"  // want: PTX-MATRIX
      : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
      : "r"(v), "r"(v), "r"(w), "f"(x), "f"(x), "f"(x), "f"(x));
}
