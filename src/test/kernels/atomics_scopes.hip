// exact: scoped atomics of every order, also of nv_atomic.h, and a message passed between waves and blocks
#include "../../../hip-runtime/include/rocport/nv_atomic.h"

#include "check.h"

template <int Scope>
__device__ void every(unsigned* a) {
  __hip_atomic_fetch_add(&a[0], 1u, __ATOMIC_RELAXED, Scope);
  __hip_atomic_fetch_add(&a[1], 2u, __ATOMIC_ACQUIRE, Scope);
  __hip_atomic_fetch_or(&a[2], 1u << threadIdx.x % 32, __ATOMIC_RELEASE, Scope);
  __hip_atomic_fetch_xor(&a[3], 5u << threadIdx.x % 13, __ATOMIC_ACQ_REL, Scope);
  __hip_atomic_fetch_max(&a[4], threadIdx.x, __ATOMIC_SEQ_CST, Scope);
  unsigned expected = 0;
  __hip_atomic_compare_exchange_strong(&a[5], &expected, 7u, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, Scope);
  while (!__hip_atomic_compare_exchange_weak(&a[6], &expected, expected + 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED,
                                             Scope)) {
  }
}

__global__ void scopes(unsigned* a) {
  every<__HIP_MEMORY_SCOPE_WORKGROUP>(a);
  every<__HIP_MEMORY_SCOPE_AGENT>(a + 7);
  every<__HIP_MEMORY_SCOPE_SYSTEM>(a + 14);
  every<__HIP_MEMORY_SCOPE_WAVEFRONT>(a + 21);
}

struct Two {
  unsigned low, high;
};

// The same and more with the functions of CUDA 12.8.
__global__ void cuda(unsigned* a, Two* two, float* f) {
  __shared__ unsigned local;
  if (threadIdx.x == 0) rocport::nv_atomic_store_n(&local, 0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  rocport::nv_atomic_add(&local, 2, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  rocport::nv_atomic_fetch_sub(&a[0], 1, __ATOMIC_ACQ_REL);
  rocport::nv_atomic_fetch_or(&a[1], 1u << threadIdx.x % 32, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  rocport::nv_atomic_max(&a[2], threadIdx.x, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
  rocport::nv_atomic_add(f, 0.5f, __ATOMIC_RELAXED);
  Two old, next;
  rocport::nv_atomic_load(two, &old, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  do {
    next = {old.low + 1, old.high + 2};
  } while (!rocport::nv_atomic_compare_exchange(two, &old, &next, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  __syncthreads();
  rocport::nv_atomic_thread_fence(__ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_WORKGROUP);
  if (threadIdx.x == 0) a[3] = rocport::nv_atomic_exchange_n(&local, 5, __ATOMIC_ACQUIRE);
}

// Block b waits for block b - 1, adds its own values to the message and passes it on.
__global__ void relay(unsigned* message, unsigned* flags) {
  __shared__ unsigned local;
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (__hip_atomic_load(&flags[blockIdx.x - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
        __builtin_amdgcn_s_sleep(1);
    local = blockIdx.x ? message[blockIdx.x - 1] : 1;
  }
  __syncthreads();
  unsigned v = local;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    message[blockIdx.x] = v * 31 + threadIdx.x;
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1u);
  }
}

// The last block to finish sums what all wrote.
__global__ void last(unsigned* part, unsigned* done, unsigned* total) {
  __shared__ bool isLast;
  part[blockIdx.x * blockDim.x + threadIdx.x] = bits(blockIdx.x * blockDim.x + threadIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) isLast = atomicInc(done, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (isLast) {
    __threadfence();
    unsigned sum = 0;
    for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += part[i];
    atomicAdd(total, sum);
  }
}

int main() {
  Check check;
  Buffer<unsigned> a(28);
  scopes<<<1, 150>>>(a.get());
  std::vector<unsigned> want(28);
  for (int s = 0; s < 4; s++) {
    unsigned* w = &want[s * 7];
    for (unsigned i = 0; i < 150; i++) {
      w[0] += 1;
      w[1] += 2;
      w[2] |= 1u << i % 32;
      w[3] ^= 5u << i % 13;
      w[4] = i;
      w[5] = 7;
      w[6] += 1;
    }
  }
  check.same("scopes", a.host(), want);
  Buffer<unsigned> b(4);
  Buffer<Two> two(1);
  Buffer<float> f(1);
  cuda<<<1, 150>>>(b.get(), two.get(), f.get());
  check.same("CUDA", b.host(), std::vector<unsigned>{-150u, ~0u, 149, 300});
  check.same("two words", two.host(), std::vector<Two>{{150, 300}});
  check.same("float", f.host(), std::vector<float>{75});
  constexpr int blocks = 90;
  Buffer<unsigned> message(blocks), flags(blocks);
  relay<<<blocks, 192>>>(message.get(), flags.get());
  std::vector<unsigned> m(blocks);
  for (int b = 0; b < blocks; b++) m[b] = (b ? m[b - 1] : 1) * 31 + 191;
  check.same("relay", message.host(), m);
  Buffer<unsigned> part(blocks * 100), done(1), total(1);
  last<<<blocks, 100>>>(part.get(), done.get(), total.get());
  unsigned sum = 0;
  for (int i = 0; i < blocks * 100; i++) sum += bits(i);
  check.same("last block", total.host(), std::vector<unsigned>{sum});
  return check.end();
}
