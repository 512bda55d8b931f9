// Plain accesses of asm volatile: made as often as the program says.
__device__ unsigned load(const unsigned* from) {
  unsigned value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

__device__ void store(unsigned* to, unsigned value) {
  asm volatile("st.global.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}

extern "C" __global__ void waits(const unsigned* flag, unsigned* out) {
  while (load(flag) == 0) {
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void waits_for_a_generic_address(const unsigned* flag, unsigned* out) {
  unsigned value;
  do {
    asm volatile("ld.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  } while (value == 0);
  out[threadIdx.x] = 1;
}

extern "C" __global__ void waits_in_shared_memory(unsigned* out) {
  __shared__ unsigned flag;
  flag = out[0];
  __syncthreads();
  unsigned value;
  do {
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(value)
                 : "r"((unsigned)__cvta_generic_to_shared(&flag))
                 : "memory");
  } while (value == 0);
  out[threadIdx.x] = value;
}

extern "C" __global__ void loads_twice(const unsigned* from, unsigned* out) {
  unsigned first = load(from);
  out[threadIdx.x] = first + load(from);
}

extern "C" __global__ void stores_twice(unsigned* to) {
  store(to, 1);
  store(to, 2);
}

extern "C" __global__ void stores_in_a_loop(unsigned* to, unsigned n) {
  for (unsigned i = 0; i < n; ++i) store(to, i);
}
