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

#if defined(__GFX9__) || !defined(__HIP_DEVICE_COMPILE__)
/** Tiles of two by two waves, each with a product of 16 x 16 in the matrix cores. */
extern "C" __global__ void __launch_bounds__(BLOCK) mfma_matmul(const float* a, const float* b, float* c, int n) {
  constexpr int SIDE = 2 * TILE;
  typedef float Quad __attribute__((ext_vector_type(4)));
  __shared__ float rows[SIDE][TILE + 1], columns[TILE][SIDE];
  int t = threadIdx.x, lane = t % 64, wave = t / 64;
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int y = wave / 2 * TILE, x = wave % 2 * TILE;
  Quad sum = {0, 0, 0, 0};
  for (int k = 0; k < n; k += TILE) {
    for (int i = t; i < SIDE * TILE; i += BLOCK) {
      rows[i / TILE][i % TILE] = a[(top + i / TILE) * n + k + i % TILE];
      columns[i / SIDE][i % SIDE] = b[(k + i / SIDE) * n + left + i % SIDE];
    }
    __syncthreads();
    for (int i = lane / 16; i < TILE; i += 4)
      sum = __builtin_amdgcn_mfma_f32_16x16x4f32(rows[y + lane % 16][i], columns[i][x + lane % 16], sum, 0, 0, 0);
    __syncthreads();
  }
  for (int r = 0; r < 4; r++) c[(top + y + lane / 16 * 4 + r) * n + left + x + lane % 16] = sum[r];
}
#endif

/** Seven points of a grid of n x n x n; each thread goes along z. Points at the border are copied. */
extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  size_t plane = (size_t)n * n;
  const float* at = in + y * n + x;
  float* to = out + y * n + x;
  bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  float below = 0, here = at[0], above = at[plane];
  to[0] = here;
  for (int z = 1; z < n - 1; z++) {
    at += plane;
    to += plane;
    below = here;
    here = above;
    above = at[plane];
    *to = border ? here : 0.4f * here + 0.1f * (below + above + at[-1] + at[1] + at[-n] + at[n]);
  }
  to[plane] = above;
}

constexpr int NONZEROS = 16;

/** A sparse matrix with 16 numbers in each row, and as many lanes for it. */
extern "C" __global__ void __launch_bounds__(BLOCK)
    spmv(const float* values, const float* places, float* out, int rows) {
  int row = (blockIdx.x * BLOCK + threadIdx.x) / NONZEROS, lane = threadIdx.x % NONZEROS;
  if (row >= rows) return;
  int i = row * NONZEROS + lane;
  // The vector is the first part of the values.
  float sum = values[i] * values[(int)(places[i] * rows)];
  for (int s = NONZEROS / 2; s > 0; s /= 2) sum += __shfl_xor(sum, s, NONZEROS);
  if (lane == 0) out[row] = sum;
}

constexpr int ITEMS = 4;

/** What a block of the scan has told: 0, 1 its own sum, 2 the sum up to its end; and that, in the upper half. */
using State = unsigned long long;

extern "C" __global__ void __launch_bounds__(BLOCK) scan_reset(unsigned* out, int n) {
  State* states = reinterpret_cast<State*>(out + n);
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i <= n / (BLOCK * ITEMS)) states[i] = 0;
}

/** Sums of all numbers up to each one, in one pass: a block looks back at those before it. */
extern "C" __global__ void __launch_bounds__(BLOCK) scan(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned waves[BLOCK / 64], ticket, before;
  State* states = reinterpret_cast<State*>(out + n);
  int t = threadIdx.x;
  if (t == 0) ticket = (unsigned)atomicAdd(states, 1ull);
  __syncthreads();
  int block = ticket;
  states += 1;
  uint4 own = reinterpret_cast<const uint4*>(in)[block * BLOCK + t];
  own.y += own.x;
  own.z += own.y;
  own.w += own.z;
  unsigned sum = own.w;
  for (int s = 1; s < 64; s *= 2) {
    unsigned other = __shfl_up(sum, s);
    if (t % 64 >= s) sum += other;
  }
  if (t % 64 == 63) waves[t / 64] = sum;
  __syncthreads();
  unsigned start = sum - own.w;
  for (int w = 0; w < t / 64; w++) start += waves[w];
  if (t < 64) {
    unsigned all = waves[0] + waves[1] + waves[2] + waves[3];
    if (t == 0) __hip_atomic_store(&states[block], (State)all << 32 | 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    unsigned found = 0;
    for (int last = block - 1; last >= 0; last -= 64) {
      // Each lane looks at one block, lane 0 at the nearest.
      State state = 2;
      do {
        if (last - t >= 0) state = __hip_atomic_load(&states[last - t], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
      } while (__any((state & 3) == 0));
      unsigned long long ends = __ballot((state & 3) == 2);
      int first = ends == 0 ? 63 : __ffsll(ends) - 1;
      unsigned part = t <= first ? state >> 32 : 0;
      for (int s = 32; s > 0; s /= 2) part += __shfl_xor(part, s);
      found += part;
      if (ends != 0) break;
    }
    if (t == 0) {
      before = found;
      State told = (State)(found + all) << 32 | 2;
      __hip_atomic_store(&states[block], told, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
  }
  __syncthreads();
  start += before;
  reinterpret_cast<uint4*>(out)[block * BLOCK + t] =
      make_uint4(start + own.x, start + own.y, start + own.z, start + own.w);
}

constexpr int POINTS = 1024;

__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

/** The magnitudes of Fourier transforms of 1024 complex points each, in steps of radix 4 (Stockham). */
extern "C" __global__ void __launch_bounds__(BLOCK) fft(const float* in, float* out, int count) {
  __shared__ float2 data[2][POINTS], roots[POINTS];
  int t = threadIdx.x;
  for (int i = t; i < POINTS; i += BLOCK) {
    float angle = -6.283185307f / POINTS * i;
    roots[i] = make_float2(__cosf(angle), __sinf(angle));
  }
  for (int transform = blockIdx.x; transform < count; transform += gridDim.x) {
    const float2* from = reinterpret_cast<const float2*>(in) + (size_t)transform * POINTS;
    __syncthreads();
    for (int i = t; i < POINTS; i += BLOCK) data[0][i] = from[i];
    int side = 0;
    for (int length = 1; length < POINTS; length *= 4, side ^= 1) {
      __syncthreads();
      int k = t & (length - 1);
      int turn = k * (POINTS / 4 / length);
      float2 a = data[side][t];
      float2 b = times(data[side][t + BLOCK], roots[turn]);
      float2 c = times(data[side][t + 2 * BLOCK], roots[2 * turn]);
      float2 d = times(data[side][t + 3 * BLOCK], roots[3 * turn]);
      float2 e = plus(a, c), f = minus(a, c), g = plus(b, d), h = minus(b, d);
      float2* to = &data[side ^ 1][(t - k) * 4 + k];
      to[0] = plus(e, g);
      to[length] = make_float2(f.x + h.y, f.y - h.x);
      to[2 * length] = minus(e, g);
      to[3 * length] = make_float2(f.x - h.y, f.y + h.x);
    }
    __syncthreads();
    for (int i = t; i < POINTS; i += BLOCK) {
      float2 x = data[side][i];
      out[(size_t)transform * POINTS + i] = sqrtf(x.x * x.x + x.y * x.y);
    }
  }
}

constexpr int WIDTH = 64;
constexpr int KEYS = 16;

/** Attention of n tokens with heads of 64 numbers, a query for each thread, with a running softmax. */
extern "C" __global__ void __launch_bounds__(64) attention(const float* in, const float* keys, float* out, int n) {
  __shared__ float key[KEYS][WIDTH], value[KEYS][WIDTH];
  int t = threadIdx.x;
  size_t query = blockIdx.x * 64 + t;
  float q[WIDTH], sum[WIDTH];
  for (int i = 0; i < WIDTH; i++) {
    q[i] = in[query * WIDTH + i] * 0.125f;
    sum[i] = 0;
  }
  float most = -INFINITY, weight = 0;
  for (int start = 0; start < n; start += KEYS) {
    __syncthreads();
    for (int i = 0; i < KEYS; i++) {
      key[i][t] = keys[(start + i) * WIDTH + t];
      value[i][t] = in[(start + i) * WIDTH + t];
    }
    __syncthreads();
    for (int k = 0; k < KEYS; k++) {
      float score = 0;
      for (int i = 0; i < WIDTH; i++) score += q[i] * key[k][i];
      float now = fmaxf(most, score);
      float old = expf(most - now), e = expf(score - now);
      most = now;
      weight = weight * old + e;
      for (int i = 0; i < WIDTH; i++) sum[i] = sum[i] * old + e * value[k][i];
    }
  }
  for (int i = 0; i < WIDTH; i++) out[query * WIDTH + i] = sum[i] / weight;
}
