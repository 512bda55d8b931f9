// Every name of rocport/wave.h as nvcc sees it: compiled as C++ with the declarations that CUDA's
// headers have, never run.
#define __CUDACC__
#define __device__
#define __global__
#define __forceinline__ inline
struct uint3 {
  unsigned x, y, z;
};
extern const uint3 threadIdx, blockDim;
__device__ unsigned __activemask();
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __uni_sync(unsigned mask, int predicate);
__device__ int __shfl_sync(unsigned mask, int var, int srcLane, int width = 32);
__device__ int __shfl_up_sync(unsigned mask, int var, unsigned delta, int width = 32);
__device__ int __shfl_down_sync(unsigned mask, int var, unsigned delta, int width = 32);
__device__ int __shfl_xor_sync(unsigned mask, int var, int laneMask, int width = 32);
__device__ unsigned __match_any_sync(unsigned mask, int value);
__device__ unsigned __match_all_sync(unsigned mask, int value, int* pred);
__device__ int __reduce_add_sync(unsigned mask, int value);
__device__ int __reduce_min_sync(unsigned mask, int value);
__device__ int __reduce_max_sync(unsigned mask, int value);
__device__ unsigned __reduce_and_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_or_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_xor_sync(unsigned mask, unsigned value);
__device__ int __popc(unsigned x);
__device__ int __ffs(int x);
__device__ int __clz(int x);
__device__ unsigned __brev(unsigned x);
__device__ unsigned __fns(unsigned mask, unsigned base, int offset);

#include "../../../hip-runtime/include/rocport/wave.h"

namespace w = rocport::wave;

static_assert(w::size == 32 && w::log2_size == 5, "CUDA's warps");
static_assert(w::full == 0xffffffffu && sizeof(w::mask) == 4, "CUDA's masks");

__global__ void all(unsigned* out, int v) {
  w::mask m = w::activemask() & w::full;
  int pred, lanes[w::size];
  w::syncwarp();
  w::syncwarp(m);
  out[0] = w::ballot_sync(m, v) + w::ballot(v);
  out[9] = unsigned(w::any_sync(m, v) + w::all_sync(m, v) + w::uni_sync(m, v));
  out[1] = unsigned(w::any(v) + w::all(v)) + w::lane_id() + w::warp_id() + unsigned(sizeof(lanes));
  out[2] = unsigned(w::shfl_sync(m, v, 1) + w::shfl_up_sync(m, v, 1));
  out[10] = unsigned(w::shfl_down_sync(m, v, 1) + w::shfl_xor_sync(m, v, 1));
  out[3] = w::shfl(v, 1) + w::shfl_up(v, 1) + w::shfl_down(v, 1) + w::shfl_xor(v, 1);
  out[4] = w::match_any_sync(m, v) + w::match_all_sync(m, v, &pred);
  out[5] = w::reduce_add_sync(m, v) + w::reduce_min_sync(m, v) + w::reduce_max_sync(m, v);
  out[6] = w::reduce_and_sync(m, 1u) + w::reduce_or_sync(m, 1u) + w::reduce_xor_sync(m, 1u);
  out[7] = w::popc(m) + w::ffs(m) + w::clz(m) + w::brev(m) + w::fns(m, 0, 1);
  out[8] = w::lanemask_eq() + w::lanemask_lt() + w::lanemask_le() + w::lanemask_gt() + w::lanemask_ge();
}

int host() { return w::host_size(); }
