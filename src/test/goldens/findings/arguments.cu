// Calls of the runtime and driver whose arguments differ in HIP.
#include <cuda.h>
#include <cuda_runtime.h>

void place(float *p, size_t n, int device, cudaStream_t stream) {
  cudaMemLocation where = {cudaMemLocationTypeDevice, device};
  cudaMemPrefetchAsync(p, n, where, 0, stream);                    // want: ARG-MEM-PREFETCH, MEM-LOCATION-CALLS
  cudaMemPrefetchAsync(p, n, device, stream);                      // ok: ARG-MEM-PREFETCH, MEM-LOCATION-CALLS
  cudaMemAdvise_v2(p, n, cudaMemAdviseSetReadMostly, where);       // want: ARG-MEM-ADVISE
  cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, device);         // ok: ARG-MEM-ADVISE
}

void look_up(void **f) {
  cudaDriverEntryPointQueryResult status;
  CUdriverProcAddressQueryResult result;
  cudaGetDriverEntryPoint("cuInit", f, 0);                         // want: ARG-ENTRY-POINT
  cudaGetDriverEntryPoint("cuInit", f, 0, &status);                // want: ARG-ENTRY-POINT-STATUS
  cuGetProcAddress("cuInit", f, 12000, 0, &result);                // want: ARG-ENTRY-POINT-VERSION
  cuGetProcAddress("cuInit", f, 12000, 0);                         // want: ARG-ENTRY-POINT-OLD
}

void open(CUcontext *context, CUdevice device, unsigned *version) {
  cuCtxCreate(context, 0, device);                                 // ok: ARG-CONTEXT-PARAMS
  cuCtxCreate(context, nullptr, 0, device);                        // want: ARG-CONTEXT-PARAMS
  cuCtxCreate_v3(context, nullptr, 0, 0, device);                  // want: ARG-CONTEXT-AFFINITY
  cuCtxGetApiVersion(*context, version);                           // want: ARG-API-VERSION
}

void prefer(CUfunction f, int bytes) {
  cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);  // want: ARG-FUNCTION-LDS
  cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);  // want: ARG-FUNCTION-CARVEOUT
  cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1);                // want: ARG-FUNCTION-CACHE
  cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1);                    // ok: ARG-FUNCTION-CACHE
}

void move(float *p, size_t n, cudaMemLocation to) {
  cudaMemPrefetchAsync(p, n, to, 0);                               // ok: ARG-MEM-PREFETCH
  cudaMemAdvise(p, n, cudaMemAdviseSetPreferredLocation, to);      // ok: ARG-MEM-ADVISE
}
