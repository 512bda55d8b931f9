#if defined(__HIP_PLATFORM_AMD__) /* rocport */
#include <hip/hip_runtime.h>
#include "rocport/cuda_compat.h"
#else /* rocport */
#include <cuda_runtime.h>
#endif /* rocport */

static __global__ void add(int n, float a, const float *x, float *y)
{
    int i = threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

extern "C" void saxpy(int n, float a, const float *x, float *y)
{
    float *d;
    cudaMallocManaged(&d, 2 * n * sizeof(float));
    for (int i = 0; i < n; i++) {
        d[i] = x[i];
        d[n + i] = y[i];
    }
    add<<<1, 64>>>(n, a, d, d + n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        y[i] = d[n + i];
    cudaFree(d);
}
