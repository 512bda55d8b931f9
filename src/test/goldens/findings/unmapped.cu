// Names of the runtime, the driver and the device that HIP lacks, and names that nobody knows.
#include <cuda.h>
#include <cuda_runtime.h>

// A name of the project, though it looks like one of CUDA.
int cudaCountLaunches(int n) { return n + 1; }  // ok: API-UNKNOWN

__global__ void count(int *hits) {
  hits[0] = __cluster_map_shared_rank(hits, 1);  // want: API-DEVICE
  atomicAdd_system(hits, 1);                     // ok: API-DEVICE
  __nv_atomic_add(hits, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);  // want: NV-ATOMICS
  __nv_atomic_add(hits, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);   // ok: NV-ATOMICS
}

void tune(cudaStream_t stream, void *data, size_t bytes) {
  cudaCtxResetPersistingL2Cache();  // want: API-RUNTIME
  cudaDeviceSynchronize();          // ok: API-RUNTIME
  cudaFrobnicate(stream);           // want: API-UNKNOWN
  cudaFrobnicate(stream);           // ok: API-UNKNOWN, once in a file
  cudaCountLaunches(1);             // ok: API-UNKNOWN
  CUmulticastObjectProp wanted;     // want: API-DRIVER
  CUcontext given;                  // ok: API-DRIVER
  // cudaFrobnicate(stream); in a comment is no code.  ok: API-UNKNOWN
}

void late(cudaStream_t stream) {
  cudaCommitAll(stream);  // want: API-UNKNOWN
#if 0
  cudaCommitAll(stream);  // ok: API-UNKNOWN, never compiled
#endif
}
