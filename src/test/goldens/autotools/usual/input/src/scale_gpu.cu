#include <cuda_runtime.h>

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
    if (cudaMalloc(&d, n * sizeof(float)) != cudaSuccess)
        return 1;
    cudaMemcpy(d, x, n * sizeof(float), cudaMemcpyHostToDevice);
    kernel<<<(n + 63) / 64, 64>>>(d, n, by);
    cudaError_t error = cudaMemcpy(x, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error == cudaSuccess ? 0 : 2;
}
