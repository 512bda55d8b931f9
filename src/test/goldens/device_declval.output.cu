// std::declval in device code and in the types of device functions; clang takes that of the library in classes.
#include <hip/hip_runtime.h>
#include "rocport/declval.h"
#include "rocport/host_math.h"
#include <utility>

template <typename F>
struct Result {
  using type = decltype(std::declval<F>()(1));
};

#define RETURNS(name) __device__ decltype(std::declval<F>().name(1))
template <typename F>
RETURNS(phi) weight(F f) { return f.phi(1); }

template <typename F>
__global__ void apply(F f, float* out, float x) {
  decltype(std::declval<F>()(x)) r = f(x);
  float s, c;
  sincos(r, &s, &c);
  *out = s * c;
}
