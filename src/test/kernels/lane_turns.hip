// exact: rocport/schedule.h: lanes of a wave that take turns with locks, in the forms that a port has
#include "../../../hip-runtime/include/rocport/schedule.h"

#include "check.h"

constexpr int kLocks = 7;

__global__ void guarded(int* locks, volatile int* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* lock = locks + i % kLocks;
  for (bool rocport_done = false; rocport::rejoin(!rocport_done);) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      sums[i % kLocks] = sums[i % kLocks] + i;
      __threadfence();
      atomicExch(lock, 0);
      rocport_done = true;
    }
  }
}

__global__ void until_done(int* locks, volatile int* sums, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    bool waits = true;
    do {
      if (atomicExch(&locks[i % kLocks], 1) == 0) {
        __threadfence();
        for (int k = 0; k <= i % 3; k++) sums[i % kLocks] = sums[i % kLocks] + k;
        __threadfence();
        waits = false;
        atomicExch(&locks[i % kLocks], 0);
      }
    } while (rocport::rejoin(waits));
  }
}

__global__ void left_by_jump(int* lock, volatile int* sum) {
  bool rocport_done = false;
  for (int tries = 0; rocport::rejoin(!rocport_done && (tries < 1000000)); ++tries) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum = *sum + int(threadIdx.x);
      __threadfence();
      atomicExch(lock, 0);
      { rocport_done = true; continue; }
    }
  }
}

int main() {
  Check check;
  constexpr int n = 333;
  std::vector<int> once(kLocks), often(kLocks);
  for (int i = 0; i < n; i++) {
    once[i % kLocks] += i;
    for (int k = 0; k <= i % 3; k++) often[i % kLocks] += k;
  }
  Buffer<int> locks(kLocks), a(kLocks), b(kLocks), c(1);
  guarded<<<3, 128>>>(locks.get(), a.get(), n);
  check.same("guarded", a.host(), once);
  until_done<<<2, 96>>>(locks.get(), b.get(), n);
  check.same("until done", b.host(), often);
  left_by_jump<<<1, 100>>>(locks.get(), c.get());
  check.same("left by a jump", c.host(), std::vector<int>{100 * 99 / 2});
  return check.end();
}
