// Functions with CUDA names that a project defines.
#include <cuda_runtime_api.h>

extern "C" cudaError_t cudaFree(void *p) { return p ? cudaSuccess : cudaErrorInvalidValue; }  // want: API-OWN

static cudaError_t cudaGetLastError() { return cudaSuccess; }  // ok: API-OWN

cudaError_t last() { return cudaGetLastError(); }  // ok: API-OWN
