#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/atomic>

namespace cg = cooperative_groups;
namespace cu = ::cuda;
namespace prim = cub;

__global__ void meet(int* sums) {
  cu::atomic_ref<int, cu::thread_scope_block> sum(sums[0]);
  sum.fetch_add(prim::LaneId());
  auto block = cg::this_thread_block();
  auto cluster = cg::this_cluster();  // want: API-COOPERATIVE-GROUPS
}

// An alias of two namespaces is left alone.
void first() { namespace n = cuda; n::atomic<int> x(0); }
void second() { namespace n = own; n::atomic<int> x(0); }
