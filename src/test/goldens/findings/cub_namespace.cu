// Macros that put CUB into a namespace of the project; hipCUB has none of them.
#define CUB_WRAPPED_NAMESPACE app       // want: CUB-NAMESPACE
#define THRUST_CUB_WRAPPED_NAMESPACE app  // want: CUB-NAMESPACE
#define CUB_NS_PREFIX namespace app { namespace gpu {  // want: CUB-NAMESPACE
#define CUB_NS_POSTFIX } }
#define THRUST_WRAPPED_NAMESPACE app  // ok: CUB-NAMESPACE
#undef CUB_WRAPPED_NAMESPACE          // ok: CUB-NAMESPACE
#ifdef __HIP_PLATFORM_AMD__
#else
#define CUB_WRAPPED_NAMESPACE app  // ok: CUB-NAMESPACE
#endif
#include <cub/cub.cuh>

cudaError_t sum(void *t, size_t &b, int *in, int *out, int n) {
  return cub::DeviceReduce::Sum(t, b, in, out, n);  // ok: CUB-NAMESPACE
}
