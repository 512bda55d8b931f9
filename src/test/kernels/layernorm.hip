// exact: layer normalization with Welford sums merged in a tree; IEEE division and square root
#include "check.h"

struct Moments {
  float n, mean, m2;
};

BOTH Moments add(Moments a, float x) {
  float n = a.n + 1, d = x - a.mean, mean = a.mean + d / n;
  return {n, mean, fmaf(d, x - mean, a.m2)};
}

BOTH Moments merge(Moments a, Moments b) {
  float n = a.n + b.n, d = b.mean - a.mean;
  return {n, fmaf(d, b.n / n, a.mean), a.m2 + b.m2 + d * d * a.n * b.n / n};
}

constexpr int kThreads = 128, kColumns = 384, kRows = 9;

__global__ void normalize(const float* in, const float* scale, float* out) {
  __shared__ Moments part[kThreads];
  const float* row = in + blockIdx.x * kColumns;
  Moments m = {0, 0, 0};
  for (int i = threadIdx.x; i < kColumns; i += kThreads) m = add(m, row[i]);
  part[threadIdx.x] = m;
  for (int s = kThreads / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) part[threadIdx.x] = merge(part[threadIdx.x], part[threadIdx.x + s]);
  }
  __syncthreads();
  m = part[0];
  float inverse = 1 / sqrtf(m.m2 / m.n + 1e-5f);
  for (int i = threadIdx.x; i < kColumns; i += kThreads)
    out[blockIdx.x * kColumns + i] = (row[i] - m.mean) * inverse * scale[i];
}

int main() {
  Check check;
  std::vector<float> in(kRows * kColumns), scale(kColumns), want(in.size());
  for (size_t i = 0; i < in.size(); i++) in[i] = unit(i) * (1 << i % 7);
  for (int i = 0; i < kColumns; i++) scale[i] = unit(i + 77) + 0.5f;
  for (int r = 0; r < kRows; r++) {
    Moments part[kThreads];
    for (int t = 0; t < kThreads; t++) {
      part[t] = {0, 0, 0};
      for (int i = t; i < kColumns; i += kThreads) part[t] = add(part[t], in[r * kColumns + i]);
    }
    for (int s = kThreads / 2; s > 0; s /= 2)
      for (int t = 0; t < s; t++) part[t] = merge(part[t], part[t + s]);
    float inverse = 1 / sqrtf(part[0].m2 / part[0].n + 1e-5f);
    for (int i = 0; i < kColumns; i++)
      want[r * kColumns + i] = (in[r * kColumns + i] - part[0].mean) * inverse * scale[i];
  }
  Buffer<float> a(in), s(scale), b(in.size());
  normalize<<<kRows, kThreads>>>(a.get(), s.get(), b.get());
  check.same("layernorm", b.host(), want);
  return check.end();
}
