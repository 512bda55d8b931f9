// exact: Hillis-Steele and Blelloch scans in LDS, with a partial last block
#include "check.h"

constexpr int kThreads = 128;

__global__ void hillisSteele(const int* in, int* out, int n) {
  extern __shared__ int buffer[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int from = 0, to = 1;
  buffer[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    int v = buffer[from * blockDim.x + threadIdx.x];
    if (threadIdx.x >= step) v += buffer[from * blockDim.x + threadIdx.x - step];
    buffer[to * blockDim.x + threadIdx.x] = v;
    from = to;
    to = 1 - to;
    __syncthreads();
  }
  if (i < n) out[i] = buffer[from * blockDim.x + threadIdx.x];
}

__global__ void blelloch(const long long* in, long long* out, int n) {
  __shared__ long long tree[2 * kThreads];
  int base = blockIdx.x * 2 * kThreads;
  for (int k = threadIdx.x; k < 2 * kThreads; k += kThreads) tree[k] = base + k < n ? in[base + k] : 0;
  int offset = 1;
  for (int d = kThreads; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) {
      int a = offset * (2 * threadIdx.x + 1) - 1, b = offset * (2 * threadIdx.x + 2) - 1;
      tree[b] += tree[a];
    }
    offset *= 2;
  }
  if (threadIdx.x == 0) tree[2 * kThreads - 1] = 0;
  for (int d = 1; d < 2 * kThreads; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (threadIdx.x < d) {
      int a = offset * (2 * threadIdx.x + 1) - 1, b = offset * (2 * threadIdx.x + 2) - 1;
      long long t = tree[a];
      tree[a] = tree[b];
      tree[b] += t;
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 2 * kThreads; k += kThreads)
    if (base + k < n) out[base + k] = tree[k];
}

int main() {
  Check check;
  constexpr int n = 1000;
  std::vector<int> in(n), want(n);
  std::vector<long long> wide(n), wantWide(n);
  for (int i = 0; i < n; i++) {
    in[i] = int(bits(i));
    wide[i] = (long long)bits64(i);
    want[i] = unsigned(in[i]) + (i % kThreads ? unsigned(want[i - 1]) : 0u);
    wantWide[i] = i % (2 * kThreads) ? (unsigned long long)wantWide[i - 1] + (unsigned long long)wide[i - 1] : 0;
  }
  Buffer<int> a(in), b(n);
  hillisSteele<<<(n + kThreads - 1) / kThreads, kThreads, 2 * kThreads * sizeof(int)>>>(a.get(), b.get(), n);
  check.same("hillis-steele", b.host(), want);
  Buffer<long long> c(wide), d(n);
  blelloch<<<(n + 2 * kThreads - 1) / (2 * kThreads), kThreads>>>(c.get(), d.get(), n);
  check.same("blelloch", d.host(), wantWide);
  return check.end();
}
