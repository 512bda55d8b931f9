// exact: LU decomposition with partial pivoting and a solve, double, one block a matrix
#include "check.h"

constexpr int kSize = 24;

struct System {
  double a[kSize][kSize];
  double x[kSize];
  int pivots[kSize];
};

BOTH double element(int m, int i, int j) { return double(int(bits(m * 10007 + i * 101 + j) % 2001) - 1000) / 64; }

__global__ void solve(System* systems) {
  __shared__ System s;
  __shared__ int pivot;
  int t = threadIdx.x;
  for (int k = t; k < kSize * kSize; k += blockDim.x) s.a[k / kSize][k % kSize] = element(blockIdx.x, k / kSize, k % kSize);
  if (t < kSize) s.x[t] = t + 1;
  __syncthreads();
  for (int c = 0; c < kSize; c++) {
    if (t == 0) {
      pivot = c;
      for (int r = c + 1; r < kSize; r++)
        if (fabs(s.a[r][c]) > fabs(s.a[pivot][c])) pivot = r;
      s.pivots[c] = pivot;
      double x = s.x[c];
      s.x[c] = s.x[pivot];
      s.x[pivot] = x;
    }
    __syncthreads();
    if (t < kSize) {
      double v = s.a[c][t];
      s.a[c][t] = s.a[pivot][t];
      s.a[pivot][t] = v;
    }
    __syncthreads();
    if (t > c && t < kSize) {
      s.a[t][c] /= s.a[c][c];
      for (int k = c + 1; k < kSize; k++) s.a[t][k] = fma(-s.a[t][c], s.a[c][k], s.a[t][k]);
    }
    __syncthreads();
  }
  if (t == 0) {
    for (int i = 0; i < kSize; i++)
      for (int k = 0; k < i; k++) s.x[i] = fma(-s.a[i][k], s.x[k], s.x[i]);
    for (int i = kSize - 1; i >= 0; i--) {
      for (int k = i + 1; k < kSize; k++) s.x[i] = fma(-s.a[i][k], s.x[k], s.x[i]);
      s.x[i] /= s.a[i][i];
    }
  }
  __syncthreads();
  if (t == 0) systems[blockIdx.x] = s;
}

void onHost(System& s, int m) {
  for (int i = 0; i < kSize; i++) {
    for (int j = 0; j < kSize; j++) s.a[i][j] = element(m, i, j);
    s.x[i] = i + 1;
  }
  for (int c = 0; c < kSize; c++) {
    int p = c;
    for (int r = c + 1; r < kSize; r++)
      if (fabs(s.a[r][c]) > fabs(s.a[p][c])) p = r;
    s.pivots[c] = p;
    std::swap(s.x[c], s.x[p]);
    for (int k = 0; k < kSize; k++) std::swap(s.a[c][k], s.a[p][k]);
    for (int t = c + 1; t < kSize; t++) {
      s.a[t][c] /= s.a[c][c];
      for (int k = c + 1; k < kSize; k++) s.a[t][k] = fma(-s.a[t][c], s.a[c][k], s.a[t][k]);
    }
  }
  for (int i = 0; i < kSize; i++)
    for (int k = 0; k < i; k++) s.x[i] = fma(-s.a[i][k], s.x[k], s.x[i]);
  for (int i = kSize - 1; i >= 0; i--) {
    for (int k = i + 1; k < kSize; k++) s.x[i] = fma(-s.a[i][k], s.x[k], s.x[i]);
    s.x[i] /= s.a[i][i];
  }
}

int main() {
  Check check;
  constexpr int n = 4;
  Buffer<System> d(n);
  solve<<<n, 64>>>(d.get());
  std::vector<System> want(n);
  for (int m = 0; m < n; m++) onHost(want[m], m);
  check.same("systems", d.host(), want);
  return check.end();
}
