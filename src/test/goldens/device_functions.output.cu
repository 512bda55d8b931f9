// Device functions that HIP lacks, beside those that it has.
#include <hip/hip_runtime.h>
#include "rocport/device_functions.h"
#include "rocport/half_functions.h"
#include "rocport/rounded_functions.h"
#include "rocport/simd_functions.h"
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

__global__ void count(const unsigned* words, unsigned* hits, int* sum) {
  __shared__ int local[32];
  unsigned both = rocport::vaddus4(rocport::ldcg(&words[0]), __ldg(&words[1]));
  rocport::atomicAdd_block(&local[both & 31], 1);
  atomicAdd(&hits[0], rocport::vcmpgtu2(both, 7));
  rocport::atomicInc_system(hits, 15u);
  *sum = rocport::dp4a(static_cast<int>(both), 3, *sum);
  rocport::nanosleep(20);
  rocport::stcs(&hits[1], both);
}

__device__ float bounds(float a, float b, __hip_bfloat16 c, __half2 d, __half2 e) {
  float width = rocport::fadd_ru(a, b) - rocport::fadd_rd(a, b) + __fadd_rn(a, b);
  width += rocport::bfloat162int_rz(c) + __bfloat162float(c);
  return rocport::hgt2_mask(d, e) ? width : rocport::fsqrt_rz(width);
}

struct Words {
  unsigned __vadd4(unsigned a, unsigned b) const { return a + b; }
};
