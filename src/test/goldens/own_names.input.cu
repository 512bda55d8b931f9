// Names that the project declares itself are not CUDA's.
#include <cuda_runtime.h>

#define CUDA_CHECK(call) check((call), __FILE__, __LINE__)
#define CUDA_API_PER_THREAD 1

struct Pool {
  void cudaRelease();
  int cudaDeviceIndex = 0;
  Pool* cudaNext;
};

static void check(cudaError_t cudaStatus, const char* file, int line) {
  if (cudaStatus != cudaSuccess) throw cudaStatus;
  (void)file, (void)line;
}

int cuMyOwn(int x) { return x + 1; }

void use(Pool* pool) {
  int cudaCount = 0;
  CUDA_CHECK(cudaGetDeviceCount(&cudaCount));
  pool->cudaRelease();
  pool->cudaDeviceIndex = cuMyOwn(cudaCount);
  cudaDoesNotExist(cudaCount);  // want: API-UNKNOWN
}
