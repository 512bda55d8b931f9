// quick exact: shuffles of values that only the lane asked for has set, as CUDA programs write them
#include "check.h"
#include "../../../hip-runtime/include/rocport/cg_reduce.h"
#include "../../../hip-runtime/include/rocport/warp_sync.h"

BOTH inline bool kept(int i) { return bits(i) % 3 != 0; }

__global__ void masks(int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !kept(i)) return;
  unsigned mask = rocport::activemask();
  int leader = __ffs(mask) - 1;
  int base;
  if (int(rocport::lane_id()) == leader) base = atomicAdd(count, __popc(mask));
  base = rocport::shfl_sync(mask, base, leader);
  out[base + __popc(mask & rocport::lanemask_lt())] = i;
}

__global__ void groups(int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !kept(i)) return;
  auto active = rocport::cg::coalesced_threads();
  int base;
  if (active.thread_rank() == 0) base = atomicAdd(count, int(active.size()));
  base = rocport::cg::shfl(active, base, 0);
  out[base + active.thread_rank()] = i;
}

__global__ void pairs(double2* out) {
  double2 v;
  if (rocport::lane_id() % 8 == 5) v = make_double2(threadIdx.x, -1.0 * threadIdx.x);
  out[threadIdx.x] = rocport::shfl(v, 5, 8);
}

template <class Kernel>
void compact(Check& check, const char* name, Kernel kernel) {
  const int n = 1000;
  Buffer<int> out(n), count(1);
  kernel<<<8, 128>>>(out.get(), count.get(), n);
  std::vector<int> place(n, 0), want(n, 0);
  int total = 0;
  for (int i = 0; i < n; i++) total += want[i] = kept(i);
  std::vector<int> got = out.host();
  for (int i = 0; i < total; i++) place[got[i]]++;
  check.same(name, place, want);
  check.same(name, count.host()[0], total);
}

int main() {
  Check check;
  compact(check, "masks", masks);
  compact(check, "groups", groups);
  Buffer<double2> out(64);
  pairs<<<1, 64>>>(out.get());
  std::vector<double2> want(64);
  for (int i = 0; i < 64; i++) want[i] = make_double2(i / 8 * 8 + 5, -1.0 * (i / 8 * 8 + 5));
  check.same("pairs", out.host(), want);
  return check.end();
}
