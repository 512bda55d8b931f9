#include <hip/hip_runtime.h>
#include "rocport/ptx_address.h"
#include "rocport/ptx_memory.h"

#define PREFETCH 1

// Conditions that select hints: all selections have the same translation.
__device__ void guarded(uint2& to, const void* from, bool guard) {
  {
    auto& place0 = to.x;
    unsigned out0 = place0;
    auto& place1 = to.y;
    unsigned out1 = place1;
    bool p = static_cast<unsigned>((int)guard) != 0u;
    if (p) {
      rocport::ptx::load_global_vector<unsigned>(from, out0, out1);
    }
    place0 = out0;
    place1 = out1;
  }
}

// A condition that holds a part of the operands.
template <int N> __device__ void copy(unsigned to, const void* from) {
  rocport::ptx::copy_async<(N)>(to, from);
}

// nvcc takes operands without commas, and a load to an address until ptxas reads it.
__device__ void store(unsigned to, const uint4* from) {
  rocport::ptx::store_shared_vector<unsigned>(to, from->x, from->y);
  __builtin_trap();
}
