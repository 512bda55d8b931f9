// Arithmetic on device pointers of the driver API, which are void* in HIP.
#include <cuda.h>

void store(CUdeviceptr p, size_t n);

void clear(CUdeviceptr p, CUdeviceptr q, size_t n, float *host) {
  cuMemsetD8(p + n, 0, 4);    // ok: PTR-DEVICEPTR
  cuMemsetD8(p & ~n, 0, 4);  // want: PTR-DEVICEPTR
  store(p++, n);  // want: PTR-DEVICEPTR
  size_t distance = q - p;    // ok: PTR-DEVICEPTR
  float *next = host + n;     // ok: PTR-DEVICEPTR
}
