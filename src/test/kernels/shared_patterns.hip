// exact: LDS: transposes with and without padding, vectors, bytes, broadcast, dynamic parts, unaligned
#include "check.h"

template <class T, int Pad>
__global__ void transpose(const T* in, T* out, int w, int h) {
  __shared__ T tile[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    int y = blockIdx.y * 32 + k;
    if (x < w && y < h) tile[k][threadIdx.x] = in[y * w + x];
  }
  __syncthreads();
  int tx = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    int ty = blockIdx.x * 32 + k;
    if (tx < h && ty < w) out[ty * h + tx] = tile[threadIdx.x][k];
  }
}

template <class T, int Pad>
void transposed(Check& check, const char* name) {
  constexpr int w = 75, h = 50;
  std::vector<T> in(w * h), want(w * h);
  for (int i = 0; i < w * h; i++) {
    uint64_t v[2] = {bits64(i), bits64(i + 1)};
    memcpy(&in[i], v, sizeof(T));
  }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) want[x * h + y] = in[y * w + x];
  Buffer<T> a(in), b(w * h);
  transpose<T, Pad><<<dim3(3, 2), dim3(32, 8)>>>(a.get(), b.get(), w, h);
  check.same(name, b.host(), want);
}

__global__ void strides(int* out) {
  __shared__ int v[64 * 33];
  int t = threadIdx.x, sum = 0;
  for (int stride = 1; stride <= 32; stride *= 2) {
    __syncthreads();
    v[t * stride] = t * stride + 1;
    __syncthreads();
    sum = sum * 7 + v[(63 - t) * stride] + v[0];
  }
  out[t] = sum;
}

__global__ void dynamic(unsigned* out, int n) {
  extern __shared__ char memory[];
  double* d = reinterpret_cast<double*>(memory);
  int* i = reinterpret_cast<int*>(d + n);
  char* c = reinterpret_cast<char*>(i + n);
  int t = threadIdx.x;
  d[t] = t * 0.5;
  i[t] = t * 3;
  c[t] = char(t);
  __syncthreads();
  int o = n - 1 - t;
  unsigned unaligned;
  memcpy(&unaligned, c + (t < n - 5 ? t + 1 : 1), 4);
  out[t] = unsigned(d[o] * 2) + i[o] * 1000u + (unsigned char)c[o] * 100000u + unaligned;
}

int main() {
  Check check;
  transposed<int, 0>(check, "int");
  transposed<int, 1>(check, "int padded");
  transposed<uint8_t, 1>(check, "byte");
  transposed<uint16_t, 0>(check, "short");
  transposed<double, 1>(check, "double");
  transposed<float4, 0>(check, "float4");
  transposed<float3, 1>(check, "float3");
  Buffer<int> s(64);
  strides<<<1, 64>>>(s.get());
  std::vector<int> ws(64);
  for (int t = 0; t < 64; t++)
    for (int stride = 1; stride <= 32; stride *= 2) ws[t] = int(unsigned(ws[t]) * 7u + unsigned((63 - t) * stride + 1 + 1));
  check.same("strides", s.host(), ws);
  constexpr int n = 90;
  Buffer<unsigned> d(n);
  dynamic<<<1, n, n * 13>>>(d.get(), n);
  std::vector<unsigned> wd(n);
  for (int t = 0; t < n; t++) {
    int o = n - 1 - t, from = t < n - 5 ? t + 1 : 1;
    unsigned u = 0;
    for (int k = 0; k < 4; k++) u |= unsigned((unsigned char)(from + k)) << 8 * k;
    wd[t] = unsigned(o * 0.5 * 2) + o * 3 * 1000u + (unsigned char)o * 100000u + u;
  }
  check.same("dynamic", d.host(), wd);
  return check.end();
}
