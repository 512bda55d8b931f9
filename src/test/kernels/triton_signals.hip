// quick exact: flags below, equal to and above what is waited for, under each comparison, order, scope and mask
#include "check.h"

#define FUNCTION __device__ inline int
#include "../../../hip-runtime/triton/signals.c"

struct Case {
  int function;  // of WAITS_OF_ALL, its place
  unsigned flag, expected, mask, then;
  int waits;
};

constexpr int COMPARISONS = 6, MASKED = 1;

#define CALL(sem, scope, compare, number)                                                                \
  case number * 2:                                                                                       \
    return rocport_atomicspinwait_##sem##_##scope##_while_##compare##_nomask(flag, expected);            \
  case number * 2 + MASKED:                                                                              \
    return rocport_atomicspinwait_##sem##_##scope##_while_##compare##_mask(flag, expected, mask);
#define CALLS(sem, scope, first)   \
  CALL(sem, scope, eq, (first))     \
  CALL(sem, scope, ne, (first + 1)) \
  CALL(sem, scope, lt, (first + 2)) \
  CALL(sem, scope, le, (first + 3)) \
  CALL(sem, scope, gt, (first + 4)) \
  CALL(sem, scope, ge, (first + 5))

__device__ int spin(int function, global_unsigned* flag, unsigned expected, unsigned mask) {
  switch (function) {
    CALLS(relaxed, cta, 0)
    CALLS(acquire, cta, 6)
    CALLS(relaxed, gpu, 12)
    CALLS(acquire, gpu, 18)
    CALLS(relaxed, system, 24)
    CALLS(acquire, system, 30)
  }
  return -1;
}

__device__ int write(int function, global_unsigned* flag, unsigned value, unsigned mask) {
  switch (function) {
    case 0: return rocport_atomicwrite_relaxed_cta_nomask(flag, value);
    case 1: return rocport_atomicwrite_relaxed_cta_mask(flag, value, mask);
    case 2: return rocport_atomicwrite_release_cta_nomask(flag, value);
    case 3: return rocport_atomicwrite_release_cta_mask(flag, value, mask);
    case 4: return rocport_atomicwrite_relaxed_gpu_nomask(flag, value);
    case 5: return rocport_atomicwrite_relaxed_gpu_mask(flag, value, mask);
    case 6: return rocport_atomicwrite_release_gpu_nomask(flag, value);
    case 7: return rocport_atomicwrite_release_gpu_mask(flag, value, mask);
    case 8: return rocport_atomicwrite_relaxed_system_nomask(flag, value);
    case 9: return rocport_atomicwrite_relaxed_system_mask(flag, value, mask);
    case 10: return rocport_atomicwrite_release_system_nomask(flag, value);
    case 11: return rocport_atomicwrite_release_system_mask(flag, value, mask);
  }
  return -1;
}

__device__ global_unsigned* global(unsigned* p) { return (global_unsigned*)p; }

// The first wave waits, the second one writes: in one block, or in two.
__global__ void pairs(const Case* cases, int apart, unsigned* flags, unsigned* started, unsigned* payload,
                      unsigned* out) {
  int n = apart ? blockIdx.x / 2 : blockIdx.x;
  bool waiter = threadIdx.x == 0 && (!apart || blockIdx.x % 2 == 0);
  bool writer = threadIdx.x == 64 && (!apart || blockIdx.x % 2 == 1);
  Case c = cases[n];
  if (waiter) {
    __hip_atomic_store(&started[n], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    int zero = spin(c.function, global(&flags[n]), c.expected, c.mask);
    unsigned seen = __hip_atomic_load(&payload[n], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    out[n] = zero == 0 ? 1 + seen : 0;
  }
  if (writer && c.waits) {
    while (__hip_atomic_load(&started[n], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) __builtin_amdgcn_s_sleep(1);
    for (int i = 0; i < 50; i++) __builtin_amdgcn_s_sleep(2);
    __hip_atomic_store(&payload[n], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    rocport_atomicwrite_release_system_nomask(global(&flags[n]), c.then);
  }
}

__global__ void writes(unsigned* flags, unsigned* out, unsigned mask) {
  unsigned i = threadIdx.x;
  out[i] = write(i, global(&flags[i]), 100 + i, mask);
}

__global__ void threads(unsigned* out) { out[threadIdx.x] = rocport_getthreadid(); }

static bool goesOn(int compare, unsigned flag, unsigned expected) {
  switch (compare) {
    case 0: return flag == expected;
    case 1: return flag != expected;
    case 2: return flag < expected;
    case 3: return flag <= expected;
    case 4: return flag > expected;
    default: return flag >= expected;
  }
}

int main() {
  Check check;
  for (int scope = 0; scope < 3; scope++) {
    std::vector<Case> cases;
    std::vector<unsigned> flags, want;
    for (int order = 0; order < 2; order++)
      for (int compare = 0; compare < COMPARISONS; compare++)
        for (unsigned expected : {5u, 0x80000000u, 0xfffffffeu})
          for (unsigned flag : {expected - 1, expected, expected + 1})
            for (int mask = -1; mask < 2; mask++) {
              bool waits = mask != 0 && goesOn(compare, flag, expected);
              unsigned then = expected;
              while (goesOn(compare, then, expected)) then += compare == 5 ? -1 : 1;
              int function = ((scope * 2 + order) * COMPARISONS + compare) * 2 + (mask >= 0 ? MASKED : 0);
              cases.push_back({function, flag, expected, unsigned(mask > 0 ? 0x100 : 0), then, waits});
              flags.push_back(flag);
              want.push_back(waits ? 2 : 1);
            }
    int n = cases.size(), apart = scope > 0;
    Buffer<Case> c(cases);
    Buffer<unsigned> f(flags), started(n), payload(n), out(n);
    pairs<<<apart ? 2 * n : n, 128>>>(c.get(), apart, f.get(), started.get(), payload.get(), out.get());
    check.same("waits", out.host(), want);
  }
  for (unsigned mask : {0u, 2u}) {
    Buffer<unsigned> flags(12), out(12);
    std::vector<unsigned> want(12);
    writes<<<1, 12>>>(flags.get(), out.get(), mask);
    for (int i = 0; i < 12; i++) want[i] = i % 2 == 0 || mask != 0 ? 100 + i : 0;
    check.same("writes", flags.host(), want);
    check.same("returns", out.host(), std::vector<unsigned>(12));
  }
  Buffer<unsigned> numbers(192);
  threads<<<1, 192>>>(numbers.get());
  std::vector<unsigned> want(192);
  for (unsigned i = 0; i < 192; i++) want[i] = i;
  check.same("threads", numbers.host(), want);
  return check.end();
}
