// Variables at file scope have the names with the global scope in front; parameters and members do not.
#include <hip/hip_runtime.h>
#include <dlfcn.h>
#include "/home/me/my-cuda-app/include/cub/my_sort.cuh"

static PFN_cuInit cuInit;
namespace {
PFN_cuDeviceGetCount cuDeviceGetCount;
}

bool load(void* library) {
  ::cuInit = (PFN_cuInit)dlsym(library, "hipInit");
  ::cuDeviceGetCount = (PFN_cuDeviceGetCount)dlsym(library, "hipGetDeviceCount");
  return ::cuInit(0) == hipSuccess;
}

struct Driver {
  PFN_cuCtxSynchronize cuCtxSynchronize;
  hipError_t wait() { return cuCtxSynchronize ? cuCtxSynchronize() : ::hipCtxSynchronize(); }
};

hipError_t release(void* p, bool cudaFree) { return cudaFree ? ::hipFree(p) : hipSuccess; }
