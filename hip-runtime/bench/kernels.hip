// The kernels of "rocport bench --device": a grid-stride float reduction and a matmul with LDS tiles.
// host.cpp has the same work for the processor.
#include <hip/hip_runtime.h>

constexpr int TILE = 16;

extern "C" __global__ void __launch_bounds__(256) reduction(const float* in, float* out, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void __launch_bounds__(256) matmul(const float* a, const float* b, float* c, int n) {
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
