// A class and a namespace have functions of CUDA's names; only uses inside of them mean those.
#include <cuda_runtime.h>
#include <cub/cub.cuh>

namespace mock {
cudaError_t cudaFree(void* p) { return p ? cudaSuccess : cudaErrorInvalidValue; }
cudaError_t release(void* p) { return cudaFree(p); }
}  // namespace mock

class Arena {
 public:
  void* cudaMalloc(size_t bytes);
  void* twice(size_t bytes) { return cudaMalloc(2 * bytes); }
  void* outside(size_t bytes);
};

void* Arena::outside(size_t bytes) { return cudaMalloc(bytes); }

int main() {
  void* p = nullptr;
  cudaMalloc(&p, 16);
  Arena arena;
  arena.cudaMalloc(16);
  mock::cudaFree(p);
  return cudaFree(p) == cudaSuccess ? 0 : 1;
}

typedef ::cub::KeyValuePair<int, float> Entry;
template <typename T>
struct Reduce : public ::cub::BlockReduce<T, 64> {
  typedef typename ::cub::BlockReduce<T, 64>::TempStorage Storage;
};
__device__ ::cub::ArgMax largest() { return ::cub::ArgMax(); }
int other(mock::cub::Thing t) { return t.cub; }
