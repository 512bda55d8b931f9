// Static device variables in a project with relocatable device code.
static __constant__ float weights[16];  // ok: CXX-STATIC-DEVICE
__device__ static int first, *second;   // want: CXX-STATIC-DEVICE
static __device__ int alone;            // ok: CXX-STATIC-DEVICE
__constant__ float shared[4];           // ok: CXX-STATIC-DEVICE
static __device__ int size();           // ok: CXX-STATIC-DEVICE
template <typename T>
static __constant__ T coefs[16];  // want: CXX-STATIC-DEVICE
struct __align__(8) Counter {
  static __device__ int n;  // ok: CXX-STATIC-DEVICE
};
__device__ int Counter::n;  // ok: CXX-STATIC-DEVICE
namespace {
__device__ int a,  // ok: CXX-STATIC-DEVICE
    b = 1;         // want: CXX-STATIC-DEVICE
__managed__ int managed;  // ok: CXX-STATIC-DEVICE
struct Own {
  static __device__ int m;
};
__device__ int Own::m;  // want: CXX-STATIC-DEVICE
}  // namespace
namespace app {
__device__ int external;  // ok: CXX-STATIC-DEVICE
}

__global__ void scale(float *x) {
  x[threadIdx.x] *= weights[threadIdx.x] * shared[0];
  atomicAdd(&first, alone + coefs<int>[1]);
  atomicAdd(&Counter::n, Own::m + b + app::external + managed);
}

void upload(const float *from, int *to) {
  cudaMemcpyToSymbol(weights, from, sizeof(weights));
  cudaMemcpyToSymbol(shared, from, sizeof(shared));
  cudaMemcpyFromSymbol(to, first, sizeof(first));
  cudaMemcpyToSymbol(coefs<int>, from, sizeof(coefs<int>));
  cudaMemcpyFromSymbol(to, Counter::n, sizeof(int));
  cudaMemcpyFromSymbol(to, Own::m, sizeof(int));
  cudaMemcpyFromSymbol(to, b, sizeof(int));
  cudaMemcpyFromSymbol(to, app::external, sizeof(int));
  managed = 1;
}
