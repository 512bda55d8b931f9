// exact: cooperative groups: grid sync, tiles, coalesced groups, block sync by group
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void diffuse(unsigned* a, unsigned* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; s++) {
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[(i + n - 1) % n] * 3 + a[(i + 1) % n];
    grid.sync();
    unsigned* t = a;
    a = b;
    b = t;
  }
}

__global__ void tiles(unsigned* sums, unsigned* ranks) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  unsigned v = bits(block.thread_rank());
  for (int s = tile.size() / 2; s > 0; s /= 2) v += tile.shfl_down(v, s);
  if (tile.thread_rank() == 0) sums[block.thread_rank() / 16] = v;
  if (block.thread_rank() % 3 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    ranks[block.thread_rank()] = active.thread_rank() << 16 | active.size();
  }
  block.sync();
}

int main() {
  Check check;
  int n = 3000, steps = 6;
  std::vector<unsigned> v(n), w(n);
  for (int i = 0; i < n; i++) v[i] = bits(i);
  Buffer<unsigned> a(v), b(n);
  unsigned *pa = a.get(), *pb = b.get();
  void* arguments[] = {&pa, &pb, &n, &steps};
  HIP(hipLaunchCooperativeKernel(reinterpret_cast<void*>(diffuse), dim3(13), dim3(96), arguments, 0, nullptr));
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) w[i] = v[(i + n - 1) % n] * 3 + v[(i + 1) % n];
    v.swap(w);
  }
  check.same("grid", a.host(), v);
  Buffer<unsigned> sums(8), ranks(128);
  tiles<<<1, 128>>>(sums.get(), ranks.get());
  std::vector<unsigned> ws(8), wr(128);
  for (int i = 0; i < 128; i++) ws[i / 16] += bits(i);
  unsigned of[2] = {};
  for (int i = 0; i < 128; i++) of[i / 64] += i % 3 == 1;
  unsigned rank[2] = {};
  for (int i = 0; i < 128; i++)
    if (i % 3 == 1) wr[i] = rank[i / 64]++ << 16 | of[i / 64];
  check.same("tiles", sums.host(), ws);
  check.same("coalesced", ranks.host(), wr);
  return check.end();
}
