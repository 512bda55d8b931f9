// Fragments of wmma: which are ported, and which keep warps at 32 lanes.
#include <mma.h>

using namespace nvcuda;

__global__ void bits(const unsigned *a, int *out) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> f;  // want: WMMA-FRAGMENTS
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;  // ok: WMMA-FRAGMENTS
  bmma_sync(sum, f, f, sum);  // want: WMMA-FRAGMENTS
}

__device__ int warp_sum(int v) {  // want: W64-KEEP
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);  // want: W64-SITE
  return v;
}

// Only the fragment needs groups of 32 lanes: without it, the sum would be widened.
__global__ void total(const int *in, const half *a, int *out, half *c) {  // want: W64-KEEP
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> f;
  wmma::load_matrix_sync(f, a, 16, wmma::mem_row_major);
  wmma::store_matrix_sync(c, f, 16, wmma::mem_col_major);
  int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);  // want: W64-SITE
}
void run(const int *in, const half *a, int *out, half *c) { total<<<8, 256>>>(in, a, out, c); }

#if __CUDA_ARCH__ >= 700  // want: GUARD-ARCH
__device__ void fill(wmma::fragment<wmma::accumulator, 16, 16, 16, float> &f) { wmma::fill_fragment(f, 0.0f); }
#endif

#if __CUDA_ARCH__ >= 750  // want: GUARD-ARCH
__device__ void fill(wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::u4, wmma::row_major> &f) {  // want: WMMA-FRAGMENTS
}
#endif

using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
using Halves = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;

__device__ void portable(wmma::fragment<wmma::accumulator, 16, 16, 16, float> &f, Sums (&all)[4], float by) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = by * f.x[i];  // ok: WMMA-LAYOUT
  for (int i = 0; i < 8; i++) f.x[i] *= by;  // ok: WMMA-LAYOUT, an accumulator
  for (int k = 0; k < 4; k++) {
#pragma unroll
    for (int t = 0; t < all[k].num_elements; t++) {
      all[k].x[t] = fmaxf(all[k].x[t], by);  // ok: WMMA-LAYOUT
    }
  }
  const int n = f.num_elements;
  for (int i = 0; i < n; i++) f.x[i] += all[0].x[i];  // ok: WMMA-LAYOUT
  for (auto &e : f.x) e += by;  // ok: WMMA-LAYOUT
  f.x[0] = threadIdx.x;  // want: WMMA-LAYOUT
}

__device__ void dependent(wmma::fragment<wmma::accumulator, 16, 16, 16, float> &f, Halves *a, const float *row) {
  const int lane_id = threadIdx.x % 32;
  for (int i = 0; i < f.num_elements; i++) f.x[i] += row[lane_id / 4 + i / 2 % 2 * 8];  // want: WMMA-LAYOUT
  for (int i = 0; i < f.num_elements; i++) f.x[i] *= row[lane_id / 4];  // want: WMMA-LAYOUT
  for (int i = 0; i < 8; i++) a->x[i] = __float2half(0.0f);  // want: WMMA-LAYOUT
  for (int i = 0; i < f.num_elements / 2; i++) f.x[2 * i] = 0;  // want: WMMA-LAYOUT
  for (int i = 4; i < f.num_elements; i++) f.x[i] = 0;  // want: WMMA-LAYOUT
  float4 *parts = reinterpret_cast<float4 *>(f.x);  // want: WMMA-LAYOUT
  parts[0].x = 0;  // ok: WMMA-LAYOUT
}

struct Row { float x[4]; };
typedef Halves Factors;

// The portable loops are those over all elements that do the same with each of them.
__device__ void loops(Sums &c, Factors &a, const float *bias, float *out) {
  const int warp = threadIdx.x / 32;
  const int tx = threadIdx.x, t = tx & 3;
  int k = 0, id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));  // want: W64-LANE
  for (int i = 0; i < c.num_elements / 2; i++) c.x[i] = 0;  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements - 1; i++) c.x[i] = 0;  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i += 2) c.x[i] = 0;  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i += 1) c.x[i] = 0;  // ok: WMMA-LAYOUT
  for (int i = 0; i < Sums::num_elements; ++i) c.x[i] += bias[k];  // ok: WMMA-LAYOUT
  for (int i = 0; i < static_cast<int>(c.num_elements); i++) c.x[i] += bias[k];  // ok: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) c.x[i] += bias[t];  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) c.x[i] += bias[id];  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) c.x[i] += out[i];  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) out[k++] = c.x[i];  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) *out++ = c.x[i];  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) {
    float e = c.x[i];  // ok: WMMA-LAYOUT
    e *= 2;
    c.x[i] = e;
  }
  for (int j = threadIdx.x; j < 4; j++) prefetch(bias + j);
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < c.num_elements; i++) c.x[i] += bias[j + warp];  // ok: WMMA-LAYOUT
  }
  for (auto &e : c.x) e += bias[k++];  // want: WMMA-LAYOUT
  for (int i = 0; i < 8; i++) a.x[i] = a.x[i];  // want: WMMA-LAYOUT, no accumulator
  float *p = c.x;  // want: WMMA-LAYOUT
  memcpy(out, c.x, 8);  // want: WMMA-LAYOUT
  memcpy(out, &c, sizeof c);  // want: WMMA-LAYOUT
  float2 *pairs = (float2 *)&c;  // want: WMMA-LAYOUT
  const int size = sizeof(c.x) / sizeof(c.x[0]);  // ok: WMMA-LAYOUT
}

__device__ float parts(Sums &c, Halves &a, float *out) {
  __shared__ float all;
  float some = 1, same = 1;
  if (threadIdx.x % 4 == 0) {
    some = 2;
    all = 3;
  }
  for (int i = 0; i < c.num_elements; i++) c.x[i] *= some;  // want: WMMA-LAYOUT, set by some lanes
  for (int i = 0; i < c.num_elements; i++) c.x[i] *= all * same;  // ok: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) c.x[i] += __half2float(a.x[i]);  // want: WMMA-LAYOUT
  for (int i = 0; i < c.num_elements; i++) c.x[i] += __shfl_xor_sync(~0u, c.x[i], 1);  // want: WMMA-LAYOUT // want: W64-SITE
  for (int i = 0; i < c.num_elements; i++) {
    if (c.x[i] < 0) continue;  // ok: WMMA-LAYOUT
    c.x[i] = 0;
  }
  for (int i = 0; i < c.num_elements; i++) {
    if (c.x[i] < 0) break;  // want: WMMA-LAYOUT
    c.x[i] = 0;
  }
  for (int i = 0; i < c.num_elements; i++) {
    if (c.x[i] > 0) return c.x[i];  // want: WMMA-LAYOUT
  }
  return 0;
}

__device__ float other(Row v, float4 c) {
  v.x[2] = c.x;  // ok: WMMA-LAYOUT
  return *(float *)&c;  // ok: WMMA-LAYOUT
}
