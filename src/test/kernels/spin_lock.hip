// exact: spin-locks of blocks and of lanes of one wave, a ticket lock, float min by CAS
#include "check.h"

__global__ void byBlock(unsigned* lock, unsigned* counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0) {
    }
    __threadfence();
    unsigned v = *(volatile unsigned*)counter;
    *(volatile unsigned*)counter = v + blockIdx.x;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

__global__ void byLane(unsigned* lock, unsigned* counter) {
  // One lane of the wave at a time: lanes of one wave that spin for each other may never end.
  for (int turn = 0; turn < 64; turn++) {
    if (turn != threadIdx.x % 64) continue;
    while (atomicCAS(lock, 0u, 1u) != 0) {
    }
    *(volatile unsigned*)counter = *(volatile unsigned*)counter * 3 + 1;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

__global__ void tickets(unsigned* next, unsigned* serving, unsigned* order, unsigned* at) {
  if (threadIdx.x != 0) return;
  unsigned mine = atomicAdd(next, 1u);
  while (__hip_atomic_load(serving, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != mine) __builtin_amdgcn_s_sleep(2);
  order[(*at)++] = mine;
  __hip_atomic_store(serving, mine + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void smallest(float* to) {
  float v = unit(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned* p = reinterpret_cast<unsigned*>(to);
  unsigned old = *p, assumed;
  do {
    assumed = old;
    if (__uint_as_float(assumed) <= v) break;
    old = atomicCAS(p, assumed, __float_as_uint(v));
  } while (assumed != old);
}

int main() {
  Check check;
  Buffer<unsigned> a(2), b(2), c(3), order(60);
  byBlock<<<80, 64>>>(a.get(), a.get() + 1);
  check.same("blocks", a.host(), std::vector<unsigned>{0, 80 * 79 / 2});
  byLane<<<3, 70>>>(b.get(), b.get() + 1);
  unsigned v = 0;
  for (int i = 0; i < 210; i++) v = v * 3 + 1;
  check.same("lanes", b.host(), std::vector<unsigned>{0, v});
  tickets<<<60, 64>>>(c.get(), c.get() + 1, order.get(), c.get() + 2);
  std::vector<unsigned> want(60);
  for (int i = 0; i < 60; i++) want[i] = i;
  check.same("tickets", order.host(), want);
  Buffer<float> f(std::vector<float>{2});
  smallest<<<5, 256>>>(f.get());
  float least = 2;
  for (int i = 0; i < 5 * 256; i++) least = fminf(least, unit(i));
  check.same("smallest", f.host(), std::vector<float>{least});
  return check.end();
}
