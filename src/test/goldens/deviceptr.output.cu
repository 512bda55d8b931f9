#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

using Address = hipDeviceptr_t;
typedef hipDeviceptr_t devptr;

struct Slab {
  hipDeviceptr_t base = 0;
  size_t used = 0;
  hipDeviceptr_t take(size_t n) {
    hipDeviceptr_t at = (hipDeviceptr_t)((char*)base + used);
    used += (n + 255) & ~size_t(255);
    return at;
  }
  size_t offset(hipDeviceptr_t p) const { return (unsigned long long)p - (unsigned long long)base; }
};

class Pool {
 public:
  explicit Pool(hipDeviceptr_t base, size_t n) : base_(base), end_((hipDeviceptr_t)((char*)base + n)) {}
  bool holds(hipDeviceptr_t p) const { return p >= base_ && p < end_; }
  bool holds(hipDeviceptr_t p, size_t n) const { return p >= base_ && (hipDeviceptr_t)((char*)p + n) <= end_; }
  unsigned long long address() const { return (unsigned long long)base_; }

 private:
  hipDeviceptr_t base_, end_;
};

hipDeviceptr_t round_up(hipDeviceptr_t p, size_t n) { return (hipDeviceptr_t)(((unsigned long long)p + n - 1) / n * n); }
hipDeviceptr_t next(Slab& s);

void launch(hipDeviceptr_t in, hipDeviceptr_t out, int n);

void forms(Slab* slab, std::vector<hipDeviceptr_t>& v, hipDeviceptr_t table[4], int n) {
  hipDeviceptr_t d = 0, e{0};
  hipDeviceptr_t f = (hipDeviceptr_t)4096;
  devptr g = (hipDeviceptr_t)((char*)d + sizeof(float) * n);
  Address h = (hipDeviceptr_t)(sizeof(int) * n + (char*)d);
  hipMemsetD32((hipDeviceptr_t)((char*)d + 16), 0, n);
  hipMemsetD8((hipDeviceptr_t)((char*)slab->base + slab->used * 2), 0, n - 1);
  hipMemsetD8((hipDeviceptr_t)((char*)v[n - 1] + n), 0, (unsigned long long)table[1] - (unsigned long long)table[0]);
  hipMemcpyDtoD((hipDeviceptr_t)((char*)d + (n + 1) * 4), d, (size_t)n);
  d = (char*)d + n;
  d = (char*)d - (n + 1);
  d = (hipDeviceptr_t)((unsigned long long)d & (~(unsigned long long)(hipDeviceptr_t)0xff));
  d = (char*)d + 1;
  if ((unsigned long long)d % 256 == 0) launch((hipDeviceptr_t)((char*)d + n), (hipDeviceptr_t)((char*)e - n), n);
  if ((hipDeviceptr_t)((char*)d + n) == e || ((unsigned long long)d & 15) != 0) launch((hipDeviceptr_t)((char*)next(*slab) + 8), next(*slab), n);
  size_t gap = (unsigned long long)e - (unsigned long long)d, address = (unsigned long long)d;
  auto last = (hipDeviceptr_t)((char*)d + n);
  float* host = (float*)((char*)d + 4);
  float* whole = (float*)d;
  float* one = (float*)d + 1;
  float* two = reinterpret_cast<float*>(d) + 2;
  uint64_t bits = static_cast<uint64_t>((unsigned long long)d) | (uint64_t)e;
  hipDeviceptr_t back = (hipDeviceptr_t)(bits);
  hipDeviceptr_t more = (hipDeviceptr_t)((char*)(hipDeviceptr_t)host + 64);
  printf("%llx %llu\n", (unsigned long long)d, (unsigned long long)d + n);
  std::cout << (unsigned long long)d << " " << (unsigned long long)d + 1 << "\n";
  struct { hipDeviceptr_t in, out; int n; } packed = {d, (hipDeviceptr_t)((char*)d + n), n};
  void* args[] = {&d, &n};
  hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, 0, args, nullptr);
  hipMemsetD8((hipDeviceptr_t)((char*)packed.in + 1), 0, d ? 1 : 0);
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

void unsure(hipDeviceptr_t p, hipDeviceptr_t q, size_t n) {
  hipMemsetD8(p & ~n, 0, n);  // want: PTR-DEVICEPTR
  launch(p++, q, 4);  // want: PTR-DEVICEPTR
}
