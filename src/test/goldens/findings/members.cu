// Fields that HIP lacks, of structures that HIP has.
#include <cuda.h>
#include <cuda_runtime.h>

int shared(const cudaDeviceProp &p) {
  return p.mpsEnabled;  // want: API-MEMBER
}

struct Info {
  int mpsEnabled;
};
int shared(const Info &i) { return i.mpsEnabled; }  // ok: API-MEMBER

void describe(CUDA_KERNEL_NODE_PARAMS node) {
  node.gridDimX = 4;    // ok: API-MEMBER
  node.ctx = nullptr;   // want: API-MEMBER
}
