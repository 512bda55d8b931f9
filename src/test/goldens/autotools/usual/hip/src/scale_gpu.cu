#include <hip/hip_runtime.h>

#include "scale.h"

__global__ void kernel(float *x, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

int scale_gpu(float *x, int n, float by)
{
    float *d = nullptr;
    if (hipMalloc(&d, n * sizeof(float)) != hipSuccess)
        return 1;
    hipMemcpy(d, x, n * sizeof(float), hipMemcpyHostToDevice);
    kernel<<<(n + 63) / 64, 64>>>(d, n, by);
    hipError_t error = hipMemcpy(x, d, n * sizeof(float), hipMemcpyDeviceToHost);
    hipFree(d);
    return error == hipSuccess ? 0 : 2;
}
