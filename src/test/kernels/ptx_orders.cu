// One kernel for each order and scope of PTX's memory instructions, between accesses that show what it orders: a plain
// store to global memory and one to shared memory in front, a plain load behind. ptx_orders.tsv beside tells what machine
// code each has to become.

extern "C" __global__ void ld_relaxed_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.relaxed.cta.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void ld_acquire_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_relaxed_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.relaxed.cta.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_release_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.release.cta.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_relaxed_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.relaxed.cta.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_acquire_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.acquire.cta.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_release_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.release.cta.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_acq_rel_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.acq_rel.cta.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void red_relaxed_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("red.relaxed.cta.global.or.b32 [%0], %1;" : : "l"(flag + threadIdx.x), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void red_release_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("red.release.cta.global.or.b32 [%0], %1;" : : "l"(flag + threadIdx.x), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void fence_acq_rel_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("fence.acq_rel.cta;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void fence_sc_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("fence.sc.cta;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void ld_relaxed_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void ld_acquire_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_relaxed_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_release_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_relaxed_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.relaxed.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_acquire_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.acquire.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_release_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.release.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_acq_rel_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void red_relaxed_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" : : "l"(flag + threadIdx.x), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void red_release_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("red.release.gpu.global.or.b32 [%0], %1;" : : "l"(flag + threadIdx.x), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void fence_acq_rel_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("fence.acq_rel.gpu;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void fence_sc_gpu(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("fence.sc.gpu;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void ld_relaxed_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void ld_acquire_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_relaxed_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_release_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_relaxed_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.relaxed.sys.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_acquire_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.acquire.sys.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_release_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.release.sys.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void atom_acq_rel_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("atom.acq_rel.sys.global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(flag), "r"(value) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void red_relaxed_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("red.relaxed.sys.global.or.b32 [%0], %1;" : : "l"(flag + threadIdx.x), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void red_release_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("red.release.sys.global.or.b32 [%0], %1;" : : "l"(flag + threadIdx.x), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void fence_acq_rel_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("fence.acq_rel.sys;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void fence_sc_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("fence.sc.sys;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void membar_cta(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("membar.cta;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void membar_gl(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("membar.gl;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void membar_sys(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("membar.sys;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void ld_volatile(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  unsigned got;
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
  out[64] = got;
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void st_volatile(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("st.volatile.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}

extern "C" __global__ void bar_sync(unsigned* flag, unsigned* data, unsigned* out, unsigned value) {
  __shared__ unsigned block[64];
  block[threadIdx.x] = value;
  data[threadIdx.x] = value;
  asm volatile("bar.sync 0;" : : : "memory");
  out[threadIdx.x] = data[threadIdx.x ^ 1] + block[threadIdx.x ^ 1];
}
