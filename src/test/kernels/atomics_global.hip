// quick exact: atomics on global memory: every integer operation, width and return of old values
#include "check.h"

constexpr int kLanes = 64 * 7 + 13;

__global__ void all32(unsigned* a, int* s, unsigned* old) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kLanes) return;
  unsigned v = bits(i);
  atomicAdd(&a[0], v);
  atomicSub(&a[1], v);
  atomicMin(&a[2], v);
  atomicMax(&a[3], v);
  atomicAnd(&a[4], v | 0xfffff);
  atomicOr(&a[5], v & 0xff0);
  atomicXor(&a[6], v);
  atomicInc(&a[7], 99);
  atomicDec(&a[8], 77);
  atomicMin(&s[0], int(v));
  atomicMax(&s[1], int(v));
  old[i] = atomicAdd(&a[9], 1u);
  atomicExch(&a[10], 5u);
  atomicCAS(&a[11], 0u, 9u);
}

__global__ void all64(unsigned long long* a, long long* s, unsigned long long* old) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kLanes) return;
  unsigned long long v = bits64(i);
  atomicAdd(&a[0], v);
  __hip_atomic_fetch_sub(&a[1], v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  atomicMin(&a[2], v);
  atomicMax(&a[3], v);
  atomicAnd(&a[4], v | 0xfffffffffffffull);
  atomicOr(&a[5], v & 0xff0000000000ull);
  atomicXor(&a[6], v);
  old[i] = atomicAdd(&a[7], 3ull);
  atomicExch(&a[8], 5ull);
  atomicCAS(&a[9], 0ull, 9ull);
  atomicMin(&s[0], (long long)v);
  atomicMax(&s[1], (long long)v);
}

__global__ void spread(unsigned* counts, unsigned* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kLanes) return;
  unsigned slot = bits(i) % 31;
  unsigned rank = atomicAdd(&counts[slot], 1u);
  atomicOr(&seen[slot * 2 + rank / 32 % 2], 1u << rank % 32);
}

#include <algorithm>

int main() {
  Check check;
  std::vector<unsigned> a = {7, 8, ~0u, 0, ~0u, 0, 3, 0, 50, 0, 1, 0}, old(kLanes);
  std::vector<int> s = {0, 0};
  std::vector<unsigned long long> b = {7, 8, ~0ull, 0, ~0ull, 0, 3, 0, 1, 0}, old64(kLanes);
  std::vector<long long> t = {0, 0};
  Buffer<unsigned> da(a), dold(kLanes);
  Buffer<int> ds(s);
  Buffer<unsigned long long> db(b), dold64(kLanes);
  Buffer<long long> dt(t);
  all32<<<4, 128>>>(da.get(), ds.get(), dold.get());
  all64<<<2, 256>>>(db.get(), dt.get(), dold64.get());
  for (int i = 0; i < kLanes; i++) {
    unsigned v = bits(i);
    a[0] += v;
    a[1] -= v;
    a[2] = std::min(a[2], v);
    a[3] = std::max(a[3], v);
    a[4] &= v | 0xfffff;
    a[5] |= v & 0xff0;
    a[6] ^= v;
    a[7] = a[7] >= 99 ? 0 : a[7] + 1;
    a[8] = a[8] == 0 || a[8] > 77 ? 77 : a[8] - 1;
    s[0] = std::min(s[0], int(v));
    s[1] = std::max(s[1], int(v));
    old[i] = a[9]++;
    a[10] = 5;
    a[11] = 9;
    unsigned long long w = bits64(i);
    b[0] += w;
    b[1] -= w;
    b[2] = std::min(b[2], w);
    b[3] = std::max(b[3], w);
    b[4] &= w | 0xfffffffffffffull;
    b[5] |= w & 0xff0000000000ull;
    b[6] ^= w;
    old64[i] = b[7];
    b[7] += 3;
    b[8] = 5;
    b[9] = 9;
    t[0] = std::min(t[0], (long long)w);
    t[1] = std::max(t[1], (long long)w);
  }
  check.same("32", da.host(), a);
  check.same("signed", ds.host(), s);
  check.same("64", db.host(), b);
  check.same("signed 64", dt.host(), t);
  auto sorted = [](auto v) {
    std::sort(v.begin(), v.end());
    return v;
  };
  check.same("old", sorted(dold.host()), old);
  check.same("old 64", sorted(dold64.host()), old64);
  Buffer<unsigned> counts(31), seen(62);
  spread<<<5, 100>>>(counts.get(), seen.get());
  std::vector<unsigned> c(31), e(62);
  for (int i = 0; i < kLanes; i++) {
    unsigned slot = bits(i) % 31, rank = c[slot]++;
    e[slot * 2 + rank / 32 % 2] |= 1u << rank % 32;
  }
  check.same("counts", counts.host(), c);
  check.same("seen", seen.host(), e);
  return check.end();
}
