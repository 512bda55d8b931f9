#include <hip/hip_runtime.h>
#include "rocport/cub_warp.h"
#include <hip/hip_cooperative_groups.h>
#include <hipcub/hipcub.hpp>
#include "rocport/atomic.h"

namespace cg = cooperative_groups;
namespace cu = ::cuda;
namespace prim = hipcub;

__global__ void meet(int* sums) {
  rocport::atomic_ref<int, rocport::thread_scope_block> sum(sums[0]);
  sum.fetch_add(rocport::lane_id());
  auto block = cg::this_thread_block();
  auto cluster = cg::this_cluster();  // want: API-COOPERATIVE-GROUPS
}

// An alias of two namespaces is left alone.
void first() { namespace n = cuda; n::atomic<int> x(0); }
void second() { namespace n = own; n::atomic<int> x(0); }
