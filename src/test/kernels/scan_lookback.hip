// exact: a single-pass scan with decoupled look-back: blocks wait for flags of earlier blocks
#include "check.h"

constexpr int kThreads = 64;
constexpr unsigned kEmpty = 0, kAggregate = 1, kPrefix = 2;

__global__ void scan(const unsigned* in, unsigned* out, int n, unsigned* ticket, unsigned long long* state) {
  __shared__ unsigned block, before;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1u);
  __syncthreads();
  int i = block * kThreads + threadIdx.x;
  unsigned v = i < n ? in[i] : 0;
  for (int step = 1; step < 64; step *= 2) {
    unsigned other = __shfl_up(v, step);
    if (threadIdx.x >= step) v += other;
  }
  if (threadIdx.x == kThreads - 1) {
    unsigned sum = 0;
    if (block > 0) {
      __hip_atomic_store(&state[block], (unsigned long long)kAggregate << 32 | v, __ATOMIC_RELEASE,
                         __HIP_MEMORY_SCOPE_AGENT);
      for (int k = int(block) - 1; k >= 0; k--) {
        unsigned long long s;
        do {
          s = __hip_atomic_load(&state[k], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
        } while (s >> 32 == kEmpty);
        sum += unsigned(s);
        if (s >> 32 == kPrefix) break;
      }
    }
    __hip_atomic_store(&state[block], (unsigned long long)kPrefix << 32 | (sum + v), __ATOMIC_RELEASE,
                       __HIP_MEMORY_SCOPE_AGENT);
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = before + v;
}

int main() {
  Check check;
  constexpr int n = 64 * 150 - 5, blocks = (n + kThreads - 1) / kThreads;
  std::vector<unsigned> in(n), want(n);
  for (int i = 0; i < n; i++) {
    in[i] = bits(i);
    want[i] = in[i] + (i ? want[i - 1] : 0);
  }
  Buffer<unsigned> a(in), b(n), ticket(1);
  Buffer<unsigned long long> state(blocks);
  scan<<<blocks, kThreads>>>(a.get(), b.get(), n, ticket.get(), state.get());
  check.same("scan", b.host(), want);
  return check.end();
}
