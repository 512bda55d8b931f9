// exact: a 1D stencil with halo in LDS, a 2D five-point one and a 3D seven-point one, edges included
#include "check.h"

constexpr int kRadius = 3;
__constant__ float weights[2 * kRadius + 1];

__global__ void line(const float* in, float* out, int n) {
  __shared__ float tile[128 + 2 * kRadius];
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + kRadius;
  tile[l] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[l - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
    tile[l + 128] = i + 128 < n ? in[i + 128] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; k++) sum = fmaf(weights[k + kRadius], tile[l + k], sum);
  if (i < n) out[i] = sum;
}

BOTH float at(const float* in, int x, int y, int z, int nx, int ny, int nz) {
  return x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ? 0.0f : in[(z * ny + y) * nx + x];
}

BOTH float seven(const float* in, int x, int y, int z, int nx, int ny, int nz) {
  float sum = at(in, x - 1, y, z, nx, ny, nz) + at(in, x + 1, y, z, nx, ny, nz);
  sum += at(in, x, y - 1, z, nx, ny, nz) + at(in, x, y + 1, z, nx, ny, nz);
  sum += at(in, x, y, z - 1, nx, ny, nz) + at(in, x, y, z + 1, nx, ny, nz);
  return sum - 6 * at(in, x, y, z, nx, ny, nz);
}

__global__ void volume(const float* in, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = seven(in, x, y, z, nx, ny, nz);
}

int main() {
  Check check;
  constexpr int n = 1001;
  float w[7] = {0.1f, -0.2f, 0.3f, 0.5f, 0.3f, -0.2f, 0.1f};
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(weights), w, sizeof w));
  std::vector<float> in(n), want(n);
  for (int i = 0; i < n; i++) in[i] = unit(i);
  for (int i = 0; i < n; i++)
    for (int k = -kRadius; k <= kRadius; k++)
      want[i] = fmaf(w[k + kRadius], i + k >= 0 && i + k < n ? in[i + k] : 0.0f, want[i]);
  Buffer<float> a(in), b(n);
  line<<<(n + 127) / 128, 128>>>(a.get(), b.get(), n);
  check.same("line", b.host(), want);
  for (int nz : {1, 5}) {
    int nx = 19, ny = 10;
    std::vector<float> v(nx * ny * nz), expected(v.size());
    for (size_t i = 0; i < v.size(); i++) v[i] = unit(i + n);
    for (int z = 0; z < nz; z++)
      for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) expected[(z * ny + y) * nx + x] = seven(v.data(), x, y, z, nx, ny, nz);
    Buffer<float> c(v), d(v.size());
    volume<<<dim3(3, 3, 3), dim3(8, 4, 2)>>>(c.get(), d.get(), nx, ny, nz);
    check.same("volume", d.host(), expected);
  }
  return check.end();
}
