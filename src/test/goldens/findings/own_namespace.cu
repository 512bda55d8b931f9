// A project with a namespace of its own that libcu++ has, too.
#include <cuda_runtime.h>
#include <cuda/std/limits>

namespace cuda {
using status = cudaError_t;
namespace device {
inline int count() {
  int n = 0;
  cudaGetDeviceCount(&n);
  return n;
}
}  // namespace device
namespace std {
template <class T> struct limits;
}
}  // namespace cuda

int twice() { return 2 * cuda::device::count(); }         // ok: API-LIBCUDACXX
int other() { return cuda::ceil_div(7, 2); }              // want: API-LIBCUDACXX
void range() { auto r = cuda::std::ranges::iota_view(1); } // want: API-LIBCUDACXX
