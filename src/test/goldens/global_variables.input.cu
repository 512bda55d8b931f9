// Variables at file scope have the names with the global scope in front; parameters and members do not.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include "/home/me/my-cuda-app/include/cub/my_sort.cuh"

static PFN_cuInit cuInit;
namespace {
PFN_cuDeviceGetCount cuDeviceGetCount;
}

bool load(void* library) {
  ::cuInit = (PFN_cuInit)dlsym(library, "cuInit");
  ::cuDeviceGetCount = (PFN_cuDeviceGetCount)dlsym(library, "cuDeviceGetCount");
  return ::cuInit(0) == CUDA_SUCCESS;
}

struct Driver {
  PFN_cuCtxSynchronize cuCtxSynchronize;
  CUresult wait() { return cuCtxSynchronize ? cuCtxSynchronize() : ::cuCtxSynchronize(); }
};

cudaError_t release(void* p, bool cudaFree) { return cudaFree ? ::cudaFree(p) : cudaSuccess; }
