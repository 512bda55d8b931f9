#include <cstdio>

__global__ void dot(const float *a, const float *b, float *out)
{
    atomicAdd(out, a[threadIdx.x] * b[threadIdx.x]);
}

int main()
{
    float *m;
    cudaMallocManaged(&m, 9 * sizeof(float));
    for (int i = 0; i < 8; i++)
        m[i] = i;
    m[8] = 0;
    dot<<<1, 4>>>(m, m + 4, m + 8);
    cudaDeviceSynchronize();
    std::printf("%g\n", m[8]);
}
