// Parts of libcu++ that rocport provides, with differences, and intrinsics of the device.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

__global__ void stage(float *out, const float *in) {
  __shared__ float tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;  // want: SYNC-BARRIER
  cuda::atomic_flag busy;                                   // want: SYNC-ATOMIC
  cuda::atomic<int> hits(0);                                // ok: SYNC-ATOMIC
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);  // want: SYNC-PIPELINE
  __pipeline_commit();                                      // ok: SYNC-PIPELINE
  __nanosleep(100);                                         // want: DEVICE-FUNCTIONS
  out[0] = tile[0];
}
