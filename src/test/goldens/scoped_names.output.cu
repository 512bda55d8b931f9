// A class and a namespace have functions of CUDA's names; only uses inside of them mean those.
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

namespace mock {
hipError_t cudaFree(void* p) { return p ? hipSuccess : hipErrorInvalidValue; }
hipError_t release(void* p) { return cudaFree(p); }
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
  hipMalloc(&p, 16);
  Arena arena;
  arena.cudaMalloc(16);
  mock::cudaFree(p);
  return hipFree(p) == hipSuccess ? 0 : 1;
}

typedef ::hipcub::KeyValuePair<int, float> Entry;
template <typename T>
struct Reduce : public ::hipcub::BlockReduce<T, 64> {
  typedef typename ::hipcub::BlockReduce<T, 64>::TempStorage Storage;
};
__device__ ::hipcub::ArgMax largest() { return ::hipcub::ArgMax(); }
int other(mock::cub::Thing t) { return t.cub; }
