// Device functions that HIP lacks, beside those that it has.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void count(const unsigned* words, unsigned* hits, int* sum) {
  __shared__ int local[32];
  unsigned both = __vaddus4(__ldcg(&words[0]), __ldg(&words[1]));
  atomicAdd_block(&local[both & 31], 1);
  atomicAdd(&hits[0], __vcmpgtu2(both, 7));
  atomicInc_system(hits, 15u);
  *sum = __dp4a(static_cast<int>(both), 3, *sum);
  __nanosleep(20);
  __stcs(&hits[1], both);
}

__device__ float bounds(float a, float b, __nv_bfloat16 c, __half2 d, __half2 e) {
  float width = __fadd_ru(a, b) - __fadd_rd(a, b) + __fadd_rn(a, b);
  width += __bfloat162int_rz(c) + __bfloat162float(c);
  return __hgt2_mask(d, e) ? width : __fsqrt_rz(width);
}

struct Words {
  unsigned __vadd4(unsigned a, unsigned b) const { return a + b; }
};
