#include <cstdio>
#include <vector>
#include <cuda.h>
#include <cuda_runtime.h>
struct Device { int id; cudaDeviceProp prop; };
struct Mine { int mpsEnabled, gpuPciDeviceID; };
static void show(const cudaDeviceProp* p) { printf("%d %d\n", p->deferredMappingCudaArraySupported, (*p).sparseCudaArraySupported); }
int main() {
  cudaDeviceProp a, b;
  cudaGetDeviceProperties(&a, 0); cudaGetDeviceProperties(&b, 0);
  show(&a);
  std::vector<cudaDeviceProp> all(2); all[0] = a; all[1] = b;
  printf("%d %d\n", all[1].sparseCudaArraySupported, b.deferredMappingCudaArraySupported);
  Device d; d.prop = a;
  printf("%d\n", d.prop.sparseCudaArraySupported);
  Mine m = {1, 2};
  printf("%d %d\n", m.mpsEnabled, m.gpuPciDeviceID);
  CUDA_KERNEL_NODE_PARAMS n = {}; n.gridDimX = 1; n.gridDimY = 1; n.gridDimZ = 1; n.blockDimX = 64; n.blockDimY = n.blockDimZ = 1;
  CUmemAllocationProp prop = {}; prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR; prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  for (const auto& q : all) printf("%d\n", q.major);
  return n.gridDimX + (int)prop.requestedHandleTypes;
}
int missing(const cudaDeviceProp& p) { return p.mpsEnabled; }  // want: API-MEMBER
int unsure() { cudaDeviceProp p; auto q = p; return q.hostNumaId; }  // want: API-MEMBER
CUgraphNodeParams make() { return CUgraphNodeParams{.type = CU_GRAPH_NODE_TYPE_EMPTY}; }
CUDA_KERNEL_NODE_PARAMS one() { CUDA_KERNEL_NODE_PARAMS p = {.gridDimX = 1}; return p; }  // want: API-MEMBER
