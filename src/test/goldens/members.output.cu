#include <cstdio>
#include <vector>
#include <hip/hip_runtime.h>
struct Device { int id; hipDeviceProp_t prop; };
struct Mine { int mpsEnabled, gpuPciDeviceID; };
static void show(const hipDeviceProp_t* p) { printf("%d %d\n", p->deferredMappingHipArraySupported, (*p).sparseHipArraySupported); }
int main() {
  hipDeviceProp_t a, b;
  hipGetDeviceProperties(&a, 0); hipGetDeviceProperties(&b, 0);
  show(&a);
  std::vector<hipDeviceProp_t> all(2); all[0] = a; all[1] = b;
  printf("%d %d\n", all[1].sparseHipArraySupported, b.deferredMappingHipArraySupported);
  Device d; d.prop = a;
  printf("%d\n", d.prop.sparseHipArraySupported);
  Mine m = {1, 2};
  printf("%d %d\n", m.mpsEnabled, m.gpuPciDeviceID);
  hipKernelNodeParams n = {}; n.gridDim.x = 1; n.gridDim.y = 1; n.gridDim.z = 1; n.blockDim.x = 64; n.blockDim.y = n.blockDim.z = 1;
  hipMemAllocationProp prop = {}; prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor; prop.type = hipMemAllocationTypePinned;
  for (const auto& q : all) printf("%d\n", q.major);
  return n.gridDim.x + (int)prop.requestedHandleType;
}
int missing(const hipDeviceProp_t& p) { return p.mpsEnabled; }  // want: API-MEMBER
int unsure() { hipDeviceProp_t p; auto q = p; return q.hostNumaId; }  // want: API-MEMBER
hipGraphNodeParams make() { return hipGraphNodeParams{.type = hipGraphNodeTypeEmpty}; }
hipKernelNodeParams one() { hipKernelNodeParams p = {.gridDimX = 1}; return p; }  // want: API-MEMBER
