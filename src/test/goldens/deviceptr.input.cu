#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

using Address = CUdeviceptr;
typedef CUdeviceptr devptr;

struct Slab {
  CUdeviceptr base = 0;
  size_t used = 0;
  CUdeviceptr take(size_t n) {
    CUdeviceptr at = base + used;
    used += (n + 255) & ~size_t(255);
    return at;
  }
  size_t offset(CUdeviceptr p) const { return p - base; }
};

class Pool {
 public:
  explicit Pool(CUdeviceptr base, size_t n) : base_(base), end_(base + n) {}
  bool holds(CUdeviceptr p) const { return p >= base_ && p < end_; }
  bool holds(CUdeviceptr p, size_t n) const { return p >= base_ && p + n <= end_; }
  unsigned long long address() const { return base_; }

 private:
  CUdeviceptr base_, end_;
};

CUdeviceptr round_up(CUdeviceptr p, size_t n) { return (p + n - 1) / n * n; }
CUdeviceptr next(Slab& s);

void launch(CUdeviceptr in, CUdeviceptr out, int n);

void forms(Slab* slab, std::vector<CUdeviceptr>& v, CUdeviceptr table[4], int n) {
  CUdeviceptr d = 0, e{0};
  CUdeviceptr f = 4096;
  devptr g = d + sizeof(float) * n;
  Address h = sizeof(int) * n + d;
  cuMemsetD32(d + 16, 0, n);
  cuMemsetD8(slab->base + slab->used * 2, 0, n - 1);
  cuMemsetD8(v[n - 1] + n, 0, table[1] - table[0]);
  cuMemcpyDtoD(d + (n + 1) * 4, d, (size_t)n);
  d += n;
  d -= n + 1;
  d &= ~(CUdeviceptr)0xff;
  d++;
  if (d % 256 == 0) launch(d + n, e - n, n);
  if (d + n == e || (d & 15) != 0) launch(next(*slab) + 8, next(*slab), n);
  size_t gap = e - d, address = d;
  auto last = d + n;
  float* host = (float*)(d + 4);
  float* whole = (float*)d;
  float* one = (float*)d + 1;
  float* two = reinterpret_cast<float*>(d) + 2;
  uint64_t bits = static_cast<uint64_t>(d) | (uint64_t)e;
  CUdeviceptr back = static_cast<CUdeviceptr>(bits);
  CUdeviceptr more = (CUdeviceptr)host + 64;
  printf("%llx %llu\n", d, d + n);
  std::cout << d << " " << d + 1 << "\n";
  struct { CUdeviceptr in, out; int n; } packed = {d, d + n, n};
  void* args[] = {&d, &n};
  cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, 0, args, nullptr);
  cuMemsetD8(packed.in + 1, 0, d ? 1 : 0);
}

void other(float* d, int n, unsigned e) {
  float* p = d + n;
  *p = *(d + 1) - e * 2;
}

struct Numbers {
  int start;
};

int same_name(Numbers& m, float* base_, int used) {
  float* d = base_ + used;
  return m.start + 1 + int(d[0]);
}

void unsure(CUdeviceptr p, CUdeviceptr q, size_t n) {
  cuMemsetD8(p & ~n, 0, n);  // want: PTR-DEVICEPTR
  launch(p++, q, 4);  // want: PTR-DEVICEPTR
}
