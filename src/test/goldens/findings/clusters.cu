// Shapes of thread block clusters, which HIP does not have.
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2, 1, 1) shaped(float *x) {  // want: LAUNCH-CLUSTER
  x[blockIdx.x] *= 2;
}

__global__ void __launch_bounds__(256, 1, 4) bounded(float *x) {  // want: LAUNCH-CLUSTER
  x[blockIdx.x] *= 2;
}

__global__ void __launch_bounds__(256, 1) plain(float *x) {  // ok: LAUNCH-CLUSTER
  x[blockIdx.x] *= 2;
}
