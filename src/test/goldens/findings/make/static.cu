// Static device variables in a project with relocatable device code.
static __constant__ float weights[16];  // ok: CXX-STATIC-DEVICE
__device__ static int first, count;     // want: CXX-STATIC-DEVICE
static __device__ int alone;            // ok: CXX-STATIC-DEVICE
__constant__ float shared[4];           // ok: CXX-STATIC-DEVICE
static __device__ int size();           // ok: CXX-STATIC-DEVICE

__global__ void scale(float *x) {
  x[threadIdx.x] *= weights[threadIdx.x] * shared[0];
  atomicAdd(&first, alone);
}

void upload(const float *from, int *to) {
  cudaMemcpyToSymbol(weights, from, sizeof(weights));
  cudaMemcpyToSymbol(shared, from, sizeof(shared));
  cudaMemcpyFromSymbol(to, first, sizeof(first));
}
