// Without a use in device code, std::declval is that of the library.
#include <hip/hip_runtime.h>
#include <utility>

template <typename F>
auto on_host(F f) -> decltype(std::declval<F>()(1)) { return f(2); }

template <typename F>
__host__ __device__ decltype(std::declval<F>()(1)) on_both(F f) { return f(3); }

__global__ void empty() {}
