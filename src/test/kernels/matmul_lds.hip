// exact: tiled matrix products in LDS with edges that no tile divides; float, double, int8
#include "check.h"

constexpr int kTile = 16;

template <class T>
BOTH T step(T a, T b, T c) {
  if constexpr (sizeof(T) == 8) return fma(a, b, c);
  else return fmaf(a, b, c);
}
template <>
BOTH int step<int>(int a, int b, int c) {
  return a * b + c;
}

template <class E, class T>
__global__ void product(const E* a, const E* b, T* c, int m, int n, int k) {
  __shared__ E ta[kTile][kTile], tb[kTile][kTile + 1];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < k; t += kTile) {
    ta[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : E(0);
    tb[threadIdx.y][threadIdx.x] = column < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + column] : E(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; i++) sum = step<T>(ta[threadIdx.y][i], tb[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

template <class E, class T>
void run(Check& check, const char* name, E (*make)(uint32_t)) {
  constexpr int m = 37, n = 45, k = 53;
  std::vector<E> a, b;
  for (int i = 0; i < m * k; i++) a.push_back(make(i));
  for (int i = 0; i < k * n; i++) b.push_back(make(i + m * k));
  std::vector<T> want(m * n);
  int padded = (k + kTile - 1) / kTile * kTile;
  for (int r = 0; r < m; r++)
    for (int c = 0; c < n; c++) {
      T sum = 0;
      for (int i = 0; i < padded; i++) sum = step<T>(i < k ? a[r * k + i] : E(0), i < k ? b[i * n + c] : E(0), sum);
      want[r * n + c] = sum;
    }
  Buffer<E> da(a), db(b);
  Buffer<T> dc(m * n);
  product<E, T><<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(da.get(), db.get(), dc.get(), m, n, k);
  check.same(name, dc.host(), want);
}

int main() {
  Check check;
  run<float, float>(check, "float", [](uint32_t i) { return unit(i) - 0.5f; });
  run<double, double>(check, "double", [](uint32_t i) { return double(int64_t(bits64(i))) * 0x1p-63; });
  run<int8_t, int>(check, "int8", [](uint32_t i) { return int8_t(bits(i)); });
  run<_Float16, float>(check, "half", [](uint32_t i) { return _Float16(unit(i)); });
  return check.end();
}
