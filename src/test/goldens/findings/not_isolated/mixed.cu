#include <cuda_runtime.h>__global__ void kernel() {}
void run() { cudaDeviceReset(); }