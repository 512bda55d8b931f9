// The kernels of "rocport bench --device". host.cpp has the same work for the processor.
#include <hip/hip_runtime.h>

constexpr int TILE = 16;
constexpr int BLOCK = 256;
constexpr int BINS = 256;
constexpr int SORTED = 2 * BLOCK;

/** The float sum of each block's part of a grid-stride loop. */
extern "C" __global__ void __launch_bounds__(BLOCK) reduction(const float* in, float* out, int n) {
  __shared__ float part[BLOCK];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

/** Square matrices, in tiles of the LDS. */
extern "C" __global__ void __launch_bounds__(TILE* TILE) matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float rows[TILE][TILE], columns[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    rows[y][x] = a[row * n + k + x];
    columns[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += rows[y][i] * columns[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/** A block for each row. */
extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float* in, float* out, int columns) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x;
  const float* from = in + (size_t)blockIdx.x * columns;
  float* to = out + (size_t)blockIdx.x * columns;
  float most = -INFINITY;
  for (int i = t; i < columns; i += BLOCK) most = fmaxf(most, from[i]);
  part[t] = most;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s) part[t] = fmaxf(part[t], part[t + s]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += BLOCK) {
    float e = expf(from[i] - most);
    to[i] = e;
    sum += e;
  }
  part[t] = sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  float scale = 1 / part[0];
  for (int i = t; i < columns; i += BLOCK) to[i] *= scale;
}

/** Counts in the LDS, then adds to those of the grid. */
extern "C" __global__ void __launch_bounds__(BLOCK) histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned bins[BINS];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] >> 24], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__device__ void exchange(unsigned& a, unsigned& b, bool up) {
  if ((a > b) == up) {
    unsigned kept = a;
    a = b;
    b = kept;
  }
}

/** The lower place of thread t's pair, whose places are j apart. */
__device__ int lower(int t, int j) { return 2 * t - (t & (j - 1)); }

/** Sorts pieces of SORTED numbers, every other one downwards. */
extern "C" __global__ void __launch_bounds__(BLOCK) bitonic_pieces(const unsigned* in, unsigned* out) {
  __shared__ unsigned data[SORTED];
  int t = threadIdx.x;
  int start = blockIdx.x * SORTED;
  data[t] = in[start + t];
  data[t + BLOCK] = in[start + t + BLOCK];
  for (int k = 2; k <= SORTED; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      int i = lower(t, j);
      exchange(data[i], data[i + j], ((start + i) & k) == 0);
    }
  __syncthreads();
  out[start + t] = data[t];
  out[start + t + BLOCK] = data[t + BLOCK];
}

/** Exchanges over a distance of j, which is no less than SORTED. */
extern "C" __global__ void __launch_bounds__(BLOCK) bitonic_far(unsigned* out, int k, int j) {
  int i = lower(blockIdx.x * BLOCK + threadIdx.x, j);
  exchange(out[i], out[i + j], (i & k) == 0);
}

/** Exchanges over all distances below SORTED. */
extern "C" __global__ void __launch_bounds__(BLOCK) bitonic_near(unsigned* out, int k) {
  __shared__ unsigned data[SORTED];
  int t = threadIdx.x;
  int start = blockIdx.x * SORTED;
  data[t] = out[start + t];
  data[t + BLOCK] = out[start + t + BLOCK];
  for (int j = SORTED / 2; j > 0; j /= 2) {
    __syncthreads();
    int i = lower(t, j);
    exchange(data[i], data[i + j], ((start + i) & k) == 0);
  }
  __syncthreads();
  out[start + t] = data[t];
  out[start + t + BLOCK] = data[t + BLOCK];
}
