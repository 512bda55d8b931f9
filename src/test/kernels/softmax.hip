// ulp: row softmax with a block reduction; expf within 2 ulp, the whole within 6
#include "check.h"

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float part[4];
  const float* row = in + blockIdx.x * columns;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
  for (int s = 32; s > 0; s /= 2) largest = fmaxf(largest, __shfl_down(largest, s));
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = largest;
  __syncthreads();
  largest = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - largest);
  for (int s = 32; s > 0; s /= 2) sum += __shfl_xor(sum, s);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  sum = part[0] + part[1] + part[2] + part[3];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
}

int main() {
  Check check;
  constexpr int rows = 6, columns = 700;
  std::vector<float> in(rows * columns);
  for (int i = 0; i < rows * columns; i++) in[i] = (unit(i) - 0.5f) * 8;
  std::vector<double> want(in.size());
  for (int r = 0; r < rows; r++) {
    float largest = -INFINITY;
    for (int c = 0; c < columns; c++) largest = fmaxf(largest, in[r * columns + c]);
    double sum = 0;
    for (int c = 0; c < columns; c++) sum += exp(double(in[r * columns + c] - largest));
    for (int c = 0; c < columns; c++) want[r * columns + c] = exp(double(in[r * columns + c] - largest)) / sum;
  }
  Buffer<float> a(in), b(in.size());
  softmax<<<rows, 256>>>(a.get(), b.get(), columns);
  check.near("softmax", b.host(), want, 6);
  return check.end();
}
