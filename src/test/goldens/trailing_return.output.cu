#include <tuple>
#include <hip/hip_runtime.h>

#include <functional>

struct Guard {
  [[nodiscard]] auto get() const -> hipStream_t;
  auto error() const noexcept -> hipError_t { return last; }
  auto own() & noexcept(true) -> hipStream_t*;
  hipStream_t stream;
  hipError_t last;
};

auto Guard::get() const -> hipStream_t { return stream; }

__device__ auto both(int a) -> std::tuple<int, int>;
__device__ auto both(int a) -> std::tuple<int, int> { return {a, a}; }

struct Table {
  int cudaMalloc;
};
Table* table(int i);
Table* (*tables[2])(int);

int members(int i) {
  auto made = []() -> hipStream_t { return nullptr; };
  auto size = table(i)->cudaMalloc;
  return size + tables[i](i)->cudaMalloc + (made() == nullptr);
}
