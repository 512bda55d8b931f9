// Locks, counters and tile copies as programs have them.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cuda/std/utility>
#include <cuda_pipeline_primitives.h>

namespace cg = cooperative_groups;
using cuda::thread_scope_device;
using counter_t = cuda::atomic<unsigned int, thread_scope_device>;
template <cuda::thread_scope S>
using flag_t = ::cuda::atomic<int, S>;

__device__ counter_t arrived{0};
__device__ cuda::std::atomic_uint64_t total;

template <typename T>
__device__ T claim(T* slot, T want) {
  cuda::atomic_ref<T, cuda::std::thread_scope_device> ref(*slot);
  T seen = T();
  ref.compare_exchange_strong(seen, want, cuda::std::memory_order_acq_rel, cuda::memory_order::relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  cuda::std::swap(seen, want);
  return seen;
}

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void tiles(const float* in, float* out, int count) {
  extern __shared__ float4 memory[];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready[2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&ready[0], block.size());
    init(ready + 1, blockDim.x);
  }
  block.sync();
  cuda::memcpy_async(block, memory, reinterpret_cast<const float4*>(in),
                     cuda::aligned_size_t<16>(sizeof(float4) * count), ready[0]);
  auto token = ready[0].arrive();
  ready[0].wait(cuda::std::move(token));
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, memory, (const float4*)in, sizeof(float4), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  __pipeline_memcpy_async(&memory[threadIdx.x], (const float4*)in + threadIdx.x, sizeof(float4),
                          threadIdx.x < count ? 0 : sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = memory[threadIdx.x].x;
}

// What only sm_90 has, and what the standard library has for the host only.
__device__ void hopper(cuda::barrier<cuda::thread_scope_block>& bar, float* to) {
  auto* handle = cuda::device::barrier_native_handle(bar);  // want: API-LIBCUDACXX
  cuda::ptx::mbarrier_arrive(handle);  // want: API-LIBCUDACXX
  cuda::std::span<float> view(to, 4);  // want: API-LIBCUDACXX
  long long now = cuda::std::chrono::steady_clock::now();  // want: API-LIBCUDACXX
}

// Names of the program's own.
namespace mine::cuda {
template <typename T>
struct atomic {};
}  // namespace mine::cuda
mine::cuda::atomic<int> kept;
// cuda::atomic<int> in a comment, "cuda::barrier" in a string
const char* text = "cuda::barrier __pipeline_commit()";
