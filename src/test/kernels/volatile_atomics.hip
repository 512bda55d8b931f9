// exact: rocport/atomic.h on volatile objects, for integers, floats and pointers, on host and device
#include "../../../hip-runtime/include/rocport/atomic.h"

#include "check.h"

struct Out {
  int number;
  float sum;
  long offset;
  int seen;
};

template <rocport::thread_scope Scope>
BOTH Out use(int start) {
  rocport::atomic<int, Scope> number{start};
  rocport::atomic<float, Scope> sum{0.5f};
  int cells[4] = {};
  rocport::atomic<int*, Scope> cell{cells};
  auto* n = static_cast<volatile rocport::atomic<int, Scope>*>(&number);
  volatile auto& s = sum;
  volatile auto& c = cell;
  n->fetch_add(3, rocport::memory_order_relaxed);
  ++*n;
  *n |= 64;
  int expected = -1;
  n->compare_exchange_strong(expected, 0);
  s.fetch_add(1.25f);
  c.fetch_add(2);
  c.store(c.load(rocport::memory_order_acquire) + 1, rocport::memory_order_release);
  const int seen = *n;
  *n = seen * 2;
  return {n->exchange(5), float(s), c.load() - cells, seen + expected};
}

__global__ void run(Out* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = use<rocport::thread_scope_device>(i);
}

int main() {
  Check check;
  constexpr int n = 100;
  Buffer<Out> out(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<Out> want(n), host(n);
  for (int i = 0; i < n; i++) {
    const int seen = (i + 4) | 64;
    want[i] = {seen * 2, 1.75f, 3, seen * 2};
    host[i] = use<rocport::thread_scope_system>(i);
    check.that("host", host[i].number == want[i].number && host[i].seen == want[i].seen);
  }
  check.same("device", out.host(), want);
  return check.end();
}
