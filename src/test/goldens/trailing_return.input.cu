#include <cuda/std/tuple>
#include <cuda_runtime.h>

#include <functional>

struct Guard {
  [[nodiscard]] auto get() const -> cudaStream_t;
  auto error() const noexcept -> cudaError_t { return last; }
  auto own() & noexcept(true) -> cudaStream_t*;
  cudaStream_t stream;
  cudaError_t last;
};

auto Guard::get() const -> cudaStream_t { return stream; }

__device__ auto both(int a) -> cuda::std::tuple<int, int>;
__device__ auto both(int a) -> cuda::std::tuple<int, int> { return {a, a}; }

struct Table {
  int cudaMalloc;
};
Table* table(int i);
Table* (*tables[2])(int);

int members(int i) {
  auto made = []() -> cudaStream_t { return nullptr; };
  auto size = table(i)->cudaMalloc;
  return size + tables[i](i)->cudaMalloc + (made() == nullptr);
}
